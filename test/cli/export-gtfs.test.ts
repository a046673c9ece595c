import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { readScheduleMessages } from '#feeds/schedule-messages/read-messages.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { ingestScheduleMessages } from '#jobs/schedule-messages/ingest-messages.ts';
import { localDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { buildFile, buildLeg, buildSecondLeg, times } from '#test/feeds/ssim/build-file.ts';
import { freshDatabase } from '../support/database.ts';
import { listFeedLegs, listGtfsViolations, readGtfsFeed } from '../support/gtfs-feed.ts';
import { readRealMasterData, realMasterDataDir } from '../support/real-master-data.ts';
import { findSharedData } from '../support/shared-data.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { publishText, saveTinyMasterData } from '../support/tiny-world.ts';
import { schedule } from '../products/flight-info/v2/example-schedule.ts';
import { callCommand } from './call-command.ts';

const { folder } = createTemporaryFolder();
const path = join(folder, 'feed.zip');

const exportFrom = (url: string, ...args: readonly string[]) =>
  callCommand(['export', 'gtfs', '--output', path, ...args], { DATABASE_URL: url, PUBLIC_URL: 'https://air.test' });

/** Exports a feed, checks that it is valid, and returns its files. */
const readExport = async (url: string, ...args: readonly string[]) => {
  const { code, err } = await exportFrom(url, ...args);
  const feed = await readGtfsFeed(path);
  expect([code, listGtfsViolations(feed)], err).toEqual([0, []]);
  return feed;
};

/** Lists the operating legs of the passenger flights of the API in the form of `listFeedLegs`. */
const listStoredLegs = async (db: Database): Promise<readonly string[]> => {
  const rows = await db<{ doc: string; designator: string }[]>`
    select f.doc, i.designator from flight_instance f
    join segment s on s.id = f.segment_id join itinerary i on i.id = s.itinerary_id
    where not is_marketing and service_type in ('J', 'S', 'Q', 'G', 'B', 'R', 'C', 'O', 'L', 'U')`;
  const legs = rows.flatMap(({ doc, designator }) => {
    const { flightNumber, serviceSuffix, departure, arrival, segmentInfo }: FlightInstance = JSON.parse(doc);
    if (segmentInfo.numberOfStops > 0) return [];
    const [from, to] = [departure, arrival].map(
      ({ airport, date, time }) => `${airport.iata} ${date.utc}T${time.utc}Z`,
    );
    return [`${designator}${flightNumber}${serviceSuffix} ${from} ${to}`];
  });
  return legs.toSorted();
};

const world = await freshDatabase();
afterAll(() => world.drop());
const june = ['--from', '2026-06-01', '--to', '2026-06-03'];

describe('a feed of the example schedule', () => {
  beforeAll(async () => {
    await saveTinyMasterData(world.sql);
    await publishText(world.sql, schedule);
  });

  test('has one trip for a flight with stops, and no trips of freighters and marketing flights', async () => {
    const { code, out, err } = await exportFrom(world.url, ...june);
    const feed = await readGtfsFeed(path);
    expect([code, err, out, listGtfsViolations(feed)]).toEqual([
      0,
      '',
      'Exported 4 trips with 12 departures from 2026-06-01 to 2026-06-03, local dates: 4 routes, 6 airports, 2 carriers\n' +
        'Left out departures of legs: 3 marketing, 1 no passengers\n',
      [],
    ]);
    expect(feed['agency.txt']).toEqual([
      {
        agency_id: 'XX',
        agency_name: 'Example Airways',
        agency_url: 'https://air.test',
        agency_timezone: 'Etc/UTC',
        icao_code: 'XXA',
      },
      {
        agency_id: 'YY',
        agency_name: 'Young Yonder',
        agency_url: 'https://air.test',
        agency_timezone: 'Etc/UTC',
        icao_code: 'YYB',
      },
    ]);
    expect(feed['routes.txt']?.map(({ route_id: id, route_type: type }) => [id, type])).toEqual(
      ['XX101', 'XX301', 'XX502A', 'YY201'].map((id) => [id, '1100']),
    );
    expect(feed['stops.txt']?.find((stop) => stop['stop_id'] === 'JFK')).toEqual({
      stop_id: 'JFK',
      stop_code: 'JFK',
      stop_name: 'JFK airport',
      stop_lat: '40.639801',
      stop_lon: '-73.7789',
      location_type: '0',
      stop_timezone: 'America/New_York',
      icao_code: 'KJFK',
    });
    expect(feed['feed_info.txt']).toEqual([
      {
        feed_publisher_name: 'flightdata',
        feed_publisher_url: 'https://air.test',
        feed_lang: 'en',
        feed_start_date: '20260601',
        feed_end_date: '20260603',
        feed_version: expect.stringMatching(/^load \d+$/),
      },
    ]);
    expect(feed['trips.txt']?.find((trip) => trip['route_id'] === 'XX301')).toEqual({
      route_id: 'XX301',
      service_id: '1',
      trip_id: 'XX301-1',
      trip_headsign: 'LAX airport',
      trip_short_name: 'XX301',
    });
  });

  test('lets passengers of a connecting-only leg board by arrangement', async () => {
    const feed = await readExport(world.url, ...june);
    const stops = feed['stop_times.txt']?.filter((row) => row['trip_id'] === 'XX301-1');
    expect(stops?.map((row) => Object.values(row).slice(1).join(' '))).toEqual([
      '07:00:00 07:00:00 LHR 1 0 1',
      '15:00:00 17:00:00 JFK 2 2 0',
      '23:00:00 23:00:00 LAX 3 1 0',
    ]);
  });

  test.each(['Etc/UTC', 'Europe/London', 'America/Los_Angeles', 'Pacific/Auckland'])(
    'has the days and times of the schedule in %s',
    async (zone) => {
      const feed = await readExport(world.url, ...june, '--timezone', zone);
      expect(listFeedLegs(feed)).toEqual(await listStoredLegs(world.sql));
    },
  );

  test('has the carriers that are selected', async () => {
    const feed = await readExport(world.url, ...june, '--carrier', 'yyb');
    expect(feed['routes.txt']?.map((route) => route['route_id'])).toEqual(['YY201']);
  });

  test('names the airports without a position whose flights are left out', async () => {
    await world.sql`update location set latitude = null, longitude = null where iata = 'JFK'`;
    const { err } = await exportFrom(world.url, ...june, '--carrier', 'XX');
    const feed = await readGtfsFeed(path);
    await world.sql`update location set latitude = 40.6, longitude = -73.7 where iata = 'JFK'`;
    expect([err, feed['routes.txt']?.map((route) => route['route_id'])]).toEqual([
      'warning: flights of airports without a position are left out: JFK\n',
      ['XX502A'],
    ]);
  });

  test.each([
    ['an unknown zone', ['--timezone', 'Mars/Base'], 2, "'Mars/Base' must be an IANA time zone"],
    ['a reversed range', ['--to', '2026-05-01'], 2, '--to must not be before --from'],
    ['an unknown carrier', ['--carrier', 'QQ'], 1, 'no carrier has the code QQ'],
  ])('rejects %s and leaves the file as it was', async (_, args, code, message) => {
    await exportFrom(world.url, ...june);
    const before = readFileSync(path);
    expect(await exportFrom(world.url, ...june, ...args)).toEqual({
      code,
      out: '',
      err: expect.stringContaining(message),
    });
    expect([readFileSync(path).equals(before), readdirSync(folder)]).toEqual([true, ['feed.zip']]);
  });

  test('warns about a range without flights, and about an address that clients may not reach', async () => {
    const range = ['--from', '2020-01-01', '--to', '2020-01-01'];
    const { err } = await callCommand(['export', 'gtfs', '--output', path, ...range], { DATABASE_URL: world.url });
    expect(err).toBe(
      'warning: PUBLIC_URL is not set; the URL of agencies and publisher is http://localhost:8080\n' +
        'warning: the schedules in force have no passenger flights in this range\n',
    );
    expect(listGtfsViolations(await readGtfsFeed(path))).toEqual([]);
  });
});

/** XX 401 CDG-LHR-JFK, of which the first leg can be on the surface, and flights LHR-LGW with other equipment. */
const surfaceDays = { 15: '01JUN26', 22: '03JUN26' };
const toGatwick = (flightNumber: string, serviceType: string, equipment: string) =>
  buildLeg(
    { ...surfaceDays, 6: flightNumber, 14: serviceType, 73: equipment, 55: 'LGW', 66: '+0100' },
    times('1100', '1200'),
  );
const fromParis = (from: string, to: string, equipment: string) => [
  buildLeg(
    { 15: from, 22: to, 6: '0401', 37: 'CDG', 48: '+0200', 55: 'LHR', 66: '+0100', 73: equipment },
    times('0800', '0930'),
  ),
  buildSecondLeg({ 15: from, 22: to, 6: '0401', 37: 'LHR', 48: '+0100', 55: 'JFK', 66: '-0400' }),
];

describe('a feed of services on the surface', () => {
  const own = { drop: async () => {}, url: '' };
  beforeAll(async () => {
    const database = await freshDatabase();
    Object.assign(own, { url: database.url, drop: () => database.drop() });
    await saveTinyMasterData(database.sql);
    const equipment = ['TRN', 'TRS', 'ICE', 'BUS', 'LMO', 'LCH', 'HOV', '320', 'RFS', 'RFS', 'ATR'];
    const serviceTypes = ['U', 'J', 'U', 'U', 'U', 'U', 'J', 'J', 'V', 'U', 'U'];
    const legs = equipment.map((code, index) =>
      toGatwick(String(501 + index).padStart(4, '0'), serviceTypes[index] ?? '', code),
    );
    const mixed = [...fromParis('01JUN26', '02JUN26', 'TRN'), ...fromParis('03JUN26', '03JUN26', '320')];
    await publishText(database.sql, buildFile(...legs, ...mixed));
  });
  afterAll(() => own.drop());

  test('has the type of each route by the equipment, and leaves out trucks and unknown vehicles', async () => {
    const { code, out } = await exportFrom(own.url, ...june);
    const feed = await readGtfsFeed(path);
    expect([code, listGtfsViolations(feed)]).toEqual([0, []]);
    expect(
      feed['routes.txt']?.map(({ route_id: id, route_short_name: name, route_type: type }) => `${id} ${name} ${type}`),
    ).toEqual([
      'XX401-rail XX401 2',
      'XX401 XX401 1100',
      'XX501 XX501 2',
      'XX502 XX502 2',
      'XX503 XX503 2',
      'XX504 XX504 3',
      'XX505 XX505 3',
      'XX506 XX506 4',
      'XX507 XX507 4',
      'XX508 XX508 1100',
    ]);
    expect(out).toContain('Left out departures of legs: 6 no passengers, 3 unknown vehicle');
  });

  test('has a trip for each part of a flight that changes the mode, and one for a flight that does not', async () => {
    const feed = await readExport(own.url, ...june);
    const trips = feed['trips.txt']?.filter((row) => row['trip_short_name'] === 'XX401') ?? [];
    const stops = trips.map((trip) => {
      const ofTrip = feed['stop_times.txt']?.filter((row) => row['trip_id'] === trip['trip_id']) ?? [];
      const days = feed['calendar_dates.txt']?.filter((row) => row['service_id'] === trip['service_id']) ?? [];
      return `${trip['route_id']} ${ofTrip.map((row) => row['stop_id']).join('-')} ${days.map((row) => row['date']).join(' ')}`;
    });
    expect(stops).toEqual([
      'XX401-rail CDG-LHR 20260601 20260602',
      'XX401 LHR-JFK 20260601 20260602',
      'XX401 CDG-LHR-JFK 20260603',
    ]);
  });
});

/** XX 301 LHR-JFK-LAX and XX 101 LHR-JFK on some days. */
const withDays = (from: string, to: string) =>
  buildFile(
    buildLeg({ 15: from, 22: to }),
    buildLeg({ 6: '0301', 15: from, 22: to, ...times('0030', '0330') }),
    buildSecondLeg({ 6: '0301', 15: from, 22: to, ...times('0600', '0900') }),
  );

describe('a feed of special days', () => {
  const useDays = async (from: string, to: string, start: string) => {
    const own = await freshDatabase();
    await saveTinyMasterData(own.sql);
    const window = { from: localDate(start), days: 5 };
    await publishText(own.sql, withDays(from, to), { today: localDate(start), window });
    return own;
  };

  test.each([
    ['are set back', '23OCT26', '27OCT26', '2026-10-23', '2026-10-27'],
    ['are set forward', '27MAR26', '31MAR26', '2026-03-27', '2026-03-31'],
  ])('has the days and times of the schedule while clocks %s', async (_, filedFrom, filedTo, from, to) => {
    const own = await useDays(filedFrom, filedTo, from);
    try {
      for (const zone of ['Etc/UTC', 'Europe/London', 'America/New_York']) {
        const feed = await readExport(own.url, '--from', from, '--to', to, '--timezone', zone);
        const legs = listFeedLegs(feed);
        expect([zone, legs.length, legs]).toEqual([zone, 15, await listStoredLegs(own.sql)]);
      }
    } finally {
      await own.drop();
    }
  });

  test('counts the first hour of a day on which clocks are set back to the day before', async () => {
    const own = await useDays('25OCT26', '25OCT26', '2026-10-25');
    try {
      const feed = await readExport(
        own.url,
        '--from',
        '2026-10-25',
        '--to',
        '2026-10-25',
        '--timezone',
        'Europe/London',
      );
      const trip = feed['trips.txt']?.find((row) => row['route_id'] === 'XX301');
      const dates = feed['calendar_dates.txt']?.filter((row) => row['service_id'] === trip?.['service_id']);
      const stops = feed['stop_times.txt']?.filter((row) => row['trip_id'] === trip?.['trip_id']);
      expect([dates?.map(({ date }) => date), stops?.[0]?.['departure_time']]).toEqual([['20261024'], '24:30:00']);
    } finally {
      await own.drop();
    }
  });

  test('has no trip for a cancelled flight, and the other leg of a flight with one cancelled leg', async () => {
    const own = await useDays('01JUN26', '03JUN26', '2026-06-01');
    try {
      const text = ['XX101/02JUN', 'XX301/03JUN LHR/JFK']
        .map((flight, index) => `ASM\nLT\n01JUN0000${index + 1}E001\nCNL\n${flight}\n\n`)
        .join('');
      const items = [];
      const clock = () => new Date('2026-06-01T12:00:00Z');
      for await (const item of readScheduleMessages([Buffer.from(text)].values() as never, clock)) items.push(item);
      const masterDataIndex = await readMasterDataIndex(own.sql);
      const { outcomes } = await ingestScheduleMessages(own.sql, items, {
        masterDataIndex,
        clock,
        source: 't',
        sha256: '',
      });
      expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'applied']);
      const cancelled = /^XX101 LHR 2026-06-02|^XX301 LHR 2026-06-02T23:30Z/;
      const all = await listStoredLegs(own.sql);
      expect(all.filter((leg) => cancelled.test(leg))).toHaveLength(2);
      expect(listFeedLegs(await readExport(own.url, ...june))).toEqual(all.filter((leg) => !cancelled.test(leg)));
    } finally {
      await own.drop();
    }
  });
});

const file = findSharedData('ssim/real_airline_2025-12_2026-10.ssim');
const isAbsent = file === undefined || realMasterDataDir === undefined;
if (isAbsent) console.warn('the shared data set is absent: no feed of a real schedule is checked in this run');

test.skipIf(isAbsent)(
  'the feed of a real schedule has all days and times of its season, over two clock changes',
  async () => {
    const own = await readRealMasterData();
    try {
      const window = { from: localDate('2025-12-01'), days: 334 };
      const text = readFileSync(file ?? '', 'latin1');
      await publishText(own.sql, text, { today: localDate('2025-12-02'), window });
      const stored = await listStoredLegs(own.sql);
      for (const zone of ['Etc/UTC', 'Europe/Rome']) {
        const feed = await readExport(own.url, '--from', '2025-12-01', '--to', '2026-10-30', '--timezone', zone);
        const legs = listFeedLegs(feed);
        expect(legs).toEqual(stored);
        expect(legs).toHaveLength(4226);
      }
    } finally {
      await own.drop();
    }
  },
  240_000,
);
