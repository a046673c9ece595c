import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FlightInstance } from '../../../generated/flight-info/v2/types.gen.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { upsertLocations } from '../../../src/store/master-data/locations.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { extendHorizon } from '../../../src/jobs/expand/extend-horizon.ts';
import {
  buildCarrier,
  buildFile,
  header,
  buildLeg,
  buildTrailer,
  buildWholeFile,
} from '../../feeds/ssim/build-file.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData } from '../../support/tiny-world.ts';
import { yy, yyFile, yyLeg } from './other-carrier.ts';

let fresh: FreshDatabase;
let db: Database;
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.sql;
  await saveTinyMasterData(db);
});
afterEach(() => fresh.drop());

/** `XX101 2026-06-01 11:00` of every instance, in listing order. */
const flights = async (): Promise<readonly string[]> => {
  const rows = await db<{ doc: string; at: string }[]>`
    select doc, to_char(departs_at, 'YYYY-MM-DD HH24:MI') as at from flight_instance order by departs_at, key_order`;
  return rows.map(({ doc, at }) => {
    const { carrier: codes, flightNumber }: FlightInstance = JSON.parse(doc);
    return `${codes.iata}${flightNumber} ${at}`;
  });
};

/** Returns a digest of all instance data that readers can see. */
const digest = async (): Promise<string> => {
  const rows =
    await db`select departs_at, key_order, arrives_at, key, status_order, carrier, departure, arrival, flight_number, service_type, is_marketing, doc
    from flight_instance order by departs_at, key_order`;
  const days = await db`select day, instances, longest_days from expanded_day where instances > 0 order by day`;
  return hash(
    'sha256',
    JSON.stringify([rows, days], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );
};

const dayCounts = async (): Promise<Record<string, number>> => {
  const rows = await db<{ day: string; instances: number }[]>`select day, instances from expanded_day order by day`;
  return Object.fromEntries(rows.map(({ day, instances }) => [day, instances]));
};

test('a load expands the horizon from yesterday to the end of the schedule', async () => {
  const report = await publishText(db, buildFile(buildLeg({ 15: '01JUN26', 22: '30JUN26' })), {
    today: localDate('2026-06-10'),
    horizonDays: 3,
  });
  expect(await flights()).toEqual(['XX101 2026-06-09 11:00', 'XX101 2026-06-10 11:00', 'XX101 2026-06-11 11:00']);
  expect(report.accepted['flight instances']).toBe(3);
});

test('a schedule of the past is expanded from its first day', async () => {
  await publishText(db, buildFile(buildLeg({ 15: '01JUN26', 22: '30JUN26' })), {
    today: localDate('2028-01-01'),
    horizonDays: 2,
  });
  expect(await flights()).toEqual(['XX101 2026-06-01 11:00', 'XX101 2026-06-02 11:00']);
});

test('loading a file twice gives the same flights with the same keys', async () => {
  await publishText(db, buildFile(buildLeg()));
  const first = await digest();
  await publishText(db, buildFile(buildLeg()));
  expect(await digest()).toBe(first);
  expect(await dayCounts()).toMatchObject({ '2026-06-01': 1, '2026-06-30': 1 });
});

test('a retimed flight keeps its keys', async () => {
  const keys = () => db`select encode(key, 'hex') as key, status_order from flight_instance order by departs_at`;
  await publishText(db, buildFile(buildLeg()));
  const before = await keys();
  await publishText(db, buildFile(buildLeg({ 10: '07', 40: '1130', 44: '1130', 73: '320' })));
  expect([...(await keys())]).toEqual([...before]);
  expect((await flights())[0]).toBe('XX101 2026-06-01 11:30');
});

describe('a new file of a carrier', () => {
  test('replaces the schedule of that carrier only', async () => {
    await publishText(db, buildFile(buildLeg({ 22: '02JUN26' })));
    await publishText(
      db,
      buildWholeFile(
        header,
        yy,
        buildLeg({ 3: 'YY', 6: '0900', 15: '01JUN26', 22: '02JUN26' }),
        buildTrailer('E', 'YY'),
      ),
    );
    await publishText(db, buildFile(buildLeg({ 6: '0777', 22: '02JUN26', 40: '1200', 44: '1200' })));
    expect(await flights()).toEqual([
      'YY900 2026-06-01 11:00',
      'XX777 2026-06-01 12:00',
      'YY900 2026-06-02 11:00',
      'XX777 2026-06-02 12:00',
    ]);
    expect(await dayCounts()).toEqual({ '2026-06-01': 2, '2026-06-02': 2 });
  });

  test('keeps past flights outside its period', async () => {
    await publishText(db, buildFile(buildLeg()), { today: localDate('2026-06-02'), horizonDays: 4 });
    const next = buildWholeFile(
      header,
      buildCarrier({ 15: '03JUN26' }),
      buildLeg({ 6: '0777', 15: '03JUN26', 22: '04JUN26' }),
      buildTrailer('E'),
    );
    await publishText(db, next, { today: localDate('2026-06-03'), horizonDays: 4 });
    expect(await flights()).toEqual([
      'XX101 2026-06-01 11:00',
      'XX101 2026-06-02 11:00',
      'XX777 2026-06-03 11:00',
      'XX777 2026-06-04 11:00',
    ]);
    const [stored] = await db<{ details: string }[]>`
      select details from flight_instance join segment on segment.id = segment_id where departs_at = '2026-06-01 11:00'`;
    expect(stored?.details).toContain('"bookingClasses"');
  });

  test('without readable legs keeps the schedule in force', async () => {
    await publishText(db, buildFile(buildLeg({ 22: '02JUN26' })));
    const before = await digest();
    const yyOnly = buildLeg({ 3: 'YY', 6: '0900', 22: '02JUN26' });
    await publishText(
      db,
      buildWholeFile(
        header,
        buildCarrier(),
        buildLeg({ 15: '31FEB26' }),
        buildTrailer('C'),
        yy,
        yyOnly,
        buildTrailer('E', 'YY'),
      ),
    );
    expect((await flights()).filter((name) => name.startsWith('XX'))).toEqual([
      'XX101 2026-06-01 11:00',
      'XX101 2026-06-02 11:00',
    ]);
    expect(await digest()).not.toBe(before);
  });

  test('keeps past flights outside the period of an older schedule that is loaded later', async () => {
    await publishText(db, buildFile(buildLeg()), { today: localDate('2026-06-10'), horizonDays: 3 });
    const old = buildWholeFile(
      header,
      buildCarrier({ 15: '01JAN26', 22: '31JAN26' }),
      buildLeg({ 15: '01JAN26', 22: '02JAN26', 48: '+0000', 66: '-0500' }),
      buildTrailer('E'),
    );
    await publishText(db, old, { today: localDate('2026-06-10') });
    expect(await flights()).toEqual(['XX101 2026-01-01 11:00', 'XX101 2026-01-02 11:00', 'XX101 2026-06-09 11:00']);
  });

  test('expands new days with the flights of all carriers', async () => {
    await publishText(db, yyFile, { today: localDate('2026-06-01'), horizonDays: 2 });
    await publishText(db, buildFile(buildLeg()), { today: localDate('2026-06-02'), horizonDays: 3 });
    expect(await flights()).toEqual([
      'XX101 2026-06-01 11:00',
      'YY900 2026-06-01 23:00',
      'XX101 2026-06-02 11:00',
      'YY900 2026-06-02 23:00',
      'XX101 2026-06-03 11:00',
      'YY900 2026-06-03 23:00',
    ]);
  });

  test('with few flights among many updates the day in place, with the same result', async () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      buildLeg({ 6: String(1000 + index), 22: '01JUN26', 29: '1      ' }),
    );
    await publishText(db, buildFile(...many));
    const [before] = await db<{ oid: number }[]>`select 'flight_instance_20260601'::regclass::oid as oid`;
    await publishText(
      db,
      buildWholeFile(
        header,
        yy,
        buildLeg({ 3: 'YY', 6: '0900', 22: '01JUN26', 29: '1      ' }),
        buildTrailer('E', 'YY'),
      ),
    );
    const [after] = await db<{ oid: number }[]>`select 'flight_instance_20260601'::regclass::oid as oid`;
    expect(after).toEqual(before);
    expect(await dayCounts()).toEqual({ '2026-06-01': 21 });
    expect(await flights()).toHaveLength(21);
  });
});

test('a failed load changes nothing', async () => {
  await publishText(db, buildFile(buildLeg()));
  const before = await digest();
  await db`alter table segment add constraint planted check (details not like '%bookingClasses%') not valid`;
  await expect(publishText(db, buildFile(buildLeg({ 6: '0777' })))).rejects.toThrow(
    'the database refused rows of a COPY',
  );
  await db`alter table segment drop constraint planted`;
  expect(await digest()).toBe(before);
  const [left] = await db<{ loads: bigint }[]>`select count(*) as loads from load`;
  expect(left?.loads).toBe(1n);
});

test('readers see the old schedule until the commit, then the complete new one', async () => {
  await publishText(db, buildFile(buildLeg()));
  const loading = new AbortController();
  const seen = new Set<string>();
  const reading = (async () => {
    while (!loading.signal.aborted) {
      const rows = await db<
        { number: number; count: bigint }[]
      >`select flight_number as number, count(*) from flight_instance group by 1 order by 1`;
      seen.add(rows.map(({ number, count }) => `${number}x${count}`).join(' '));
    }
  })();
  for (const number of ['0777', '0101', '0777', '0101']) await publishText(db, buildFile(buildLeg({ 6: number })));
  loading.abort();
  await reading;
  expect([...seen].toSorted()).toEqual(['101x30', '777x30']);
});

test('an unknown station and an unknown carrier are added and reported, and keep their filed variation', async () => {
  const report = await publishText(
    db,
    buildWholeFile(
      header,
      buildCarrier({ 3: 'QQ' }),
      buildLeg({ 3: 'QQ', 22: '01JUN26', 29: '1      ', 55: 'ZZX' }),
      buildTrailer('E', 'QQ'),
    ),
  );
  expect(report.entries.map(({ severity, reason, value }) => [severity, reason, value])).toEqual([
    ['notice', 'carrier-unknown', 'QQ'],
    ['notice', 'station-unknown', 'ZZX'],
  ]);
  const [row] = await db<{ doc: string }[]>`select doc from flight_instance`;
  const flight: FlightInstance = JSON.parse(row?.doc ?? '{}');
  expect([flight.carrier, flight.arrival, flight.distance]).toEqual([
    { iata: 'QQ' },
    {
      airport: { iata: 'ZZX' },
      terminal: '',
      date: { local: '2026-06-01', utc: '2026-06-01' },
      time: { local: '14:00', utc: '18:00' },
    },
    undefined,
  ]);
});

test('a filed variation that differs from the zone is reported with its line', async () => {
  const report = await publishText(db, buildFile(buildLeg({ 48: '+0000', 22: '02JUN26' })));
  expect(report.entries).toMatchObject([
    { severity: 'corrected', line: 3, bytes: [48, 70], reason: 'variation-mismatch', value: 'LHR +0000, JFK -0400' },
  ]);
  expect(report.entries[0]?.message).toContain('On 2 flights of 2026-06-01 to 2026-06-02');
});

test('a filed variation is kept if the flight would arrive before it departs by the zones', async () => {
  const short = buildLeg({
    22: '01JUN26',
    29: '1      ',
    40: '1100',
    44: '1100',
    55: 'LIS',
    58: '1050',
    62: '1050',
    66: '+0000',
  });
  const report = await publishText(db, buildFile(short));
  const [row] = await db<{ doc: string }[]>`select doc from flight_instance`;
  const flight: FlightInstance = JSON.parse(row?.doc ?? '{}');
  expect([flight.elapsedTime, flight.departure.time.utc, flight.arrival.time.utc]).toEqual([50, '10:00', '10:50']);
  expect(report.entries).toMatchObject([
    { severity: 'corrected', reason: 'variation-kept', value: 'LHR +0100, LIS +0000' },
  ]);
});

test('two departures on one day have different status keys, whatever their origin dates', async () => {
  const second = (bytes: Record<number, string>) =>
    buildLeg({ 12: '02', 37: 'JFK', 48: '-0400', 55: 'LAX', 66: '-0700', ...bytes });
  await publishText(
    db,
    buildFile(
      buildLeg({ 22: '10JUN26' }),
      second({ 15: '02JUN26', 22: '11JUN26', 40: '0100', 44: '0100', 58: '0400', 62: '0400', 193: '11' }),
      buildLeg({ 10: '02', 15: '11JUN26' }),
      second({ 10: '02', 15: '11JUN26', 40: '2300', 44: '2300', 58: '0200', 62: '0200', 193: '01' }),
    ),
  );
  const rows = await db<{ status: bigint }[]>`
    select status_order as status from flight_instance join location on location.id = departure
    where location.iata = 'JFK' and departs_at >= '2026-06-11' and departs_at < '2026-06-12'`;
  expect([rows.length, new Set(rows.map(({ status }) => status)).size]).toEqual([2, 2]);
});

test('a designator that flies a route twice a day has two flights with different keys', async () => {
  const report = await publishText(
    db,
    buildFile(
      buildLeg({ 22: '01JUN26', 29: '1      ' }),
      buildLeg({ 10: '02', 22: '01JUN26', 29: '1      ', 40: '1800', 44: '1800', 58: '2100', 62: '2100' }),
    ),
  );
  const rows = await db<{ key: string }[]>`select encode(key, 'hex') as key from flight_instance order by departs_at`;
  expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
  expect(report.entries.map(({ reason }) => reason)).toContain('double-departure');
});

test('loading one carrier keeps the history of another', async () => {
  const june = (name: string, ...legs: readonly string[]) =>
    buildWholeFile(header, buildCarrier({ 3: name, 15: '10JUN26' }), ...legs, buildTrailer('E', name));
  await publishText(db, june('XX', buildLeg({ 15: '09JUN26' })), { today: localDate('2026-06-10'), horizonDays: 5 });
  await publishText(db, june('XX', buildLeg({ 15: '12JUN26' })), { today: localDate('2026-06-12'), horizonDays: 5 });
  await publishText(db, buildWholeFile(header, yy, yyLeg, buildTrailer('E', 'YY')), {
    today: localDate('2026-06-12'),
    horizonDays: 5,
  });
  const [row] = await db<{ flights: bigint; known: bigint }[]>`
    select count(*) as flights, count(segment.id) as known from flight_instance left join segment on segment.id = segment_id`;
  expect(row?.known).toBe(row?.flights);
});

test('a carrier can be loaded again after its code has a new first owner', async () => {
  await publishText(db, buildFile(buildLeg()));
  await db`update carrier set rank = 5 where iata = 'XX'`;
  await db`insert into carrier (iata, icao, name, rank) values ('XX', 'XXB', 'Second Example', 1)`;
  await publishText(db, buildFile(buildLeg()));
  expect(await flights()).toHaveLength(30);
});

describe('a carrier that files under two designators', () => {
  /** The same carrier has the IATA code XX and the ICAO code XXA. */
  const fileUnder = (designator: string, number: string, bytes: Record<number, string> = {}): string =>
    buildWholeFile(
      header,
      buildCarrier({ 3: designator }),
      buildLeg({ 3: designator, 6: number, 22: '02JUN26', ...bytes }),
      buildTrailer('E', designator),
    );
  const inForce = async (): Promise<readonly string[]> => {
    const rows = await db<{ name: string }[]>`
      select designator || flight_number as name from schedule_record order by 1`;
    return rows.map(({ name }) => name);
  };

  test.each([
    ['a day that is rewritten', 0],
    ['a day with few changes', 20],
  ])('can have one schedule replaced without the other: %s', async (_, many) => {
    const others = Array.from({ length: many }, (__, index) =>
      buildLeg({ 3: 'YY', 6: String(1000 + index), 22: '02JUN26' }),
    );
    if (many > 0) await publishText(db, buildWholeFile(header, yy, ...others, buildTrailer('E', 'YY')));
    const ofXX = async () => (await flights()).filter((name) => name.startsWith('XX'));
    await publishText(db, fileUnder('XXA', '0900'));
    await publishText(db, fileUnder('XX ', '0101', { 40: '1200', 44: '1200' }));
    const both = [
      'XX900 2026-06-01 11:00',
      'XX101 2026-06-01 12:00',
      'XX900 2026-06-02 11:00',
      'XX101 2026-06-02 12:00',
    ];
    expect(await ofXX()).toEqual(both);
    expect((await inForce()).filter((name) => name.startsWith('XX'))).toEqual(['XX101', 'XXA900']);
    await publishText(db, fileUnder('XX ', '0202', { 40: '1300', 44: '1300' }));
    expect(await ofXX()).toEqual(both.map((name) => name.replace('XX101', 'XX202').replace('12:00', '13:00')));
    expect((await inForce()).filter((name) => name.startsWith('XX'))).toEqual(['XX202', 'XXA900']);
    expect(await dayCounts()).toEqual({ '2026-06-01': many + 2, '2026-06-02': many + 2 });
  });

  test('keeps the history of one designator when the other is loaded', async () => {
    const rolling = { today: localDate('2026-06-01'), horizonDays: 3 };
    await publishText(db, fileUnder('XXA', '0900'), rolling);
    await publishText(db, fileUnder('XX ', '0101', { 40: '1200', 44: '1200' }), rolling);
    const later = buildWholeFile(
      header,
      buildCarrier({ 15: '03JUN26' }),
      buildLeg({ 15: '03JUN26' }),
      buildTrailer('E'),
    );
    await publishText(db, later, { today: localDate('2026-06-03'), horizonDays: 2 });
    await publishText(db, fileUnder('XXA', '0901'), { today: localDate('2026-06-03'), horizonDays: 2 });
    expect(await flights()).toEqual([
      'XX901 2026-06-01 11:00',
      'XX101 2026-06-01 12:00',
      'XX901 2026-06-02 11:00',
      'XX101 2026-06-02 12:00',
      'XX101 2026-06-03 11:00',
    ]);
  });

  test('may have both in one file', async () => {
    const legOf = (designator: string, number: string) =>
      buildLeg({ 3: designator, 6: number, 22: '01JUN26', 29: '1      ' });
    const inOne = (first: string, second: string) =>
      buildWholeFile(
        header,
        buildCarrier(),
        legOf('XX ', first),
        buildTrailer('C'),
        buildCarrier({ 3: 'XXA' }),
        legOf('XXA', second),
        buildTrailer('E', 'XXA'),
      );
    await publishText(db, inOne('0101', '0900'));
    await publishText(db, inOne('0102', '0901'));
    expect((await flights()).toSorted()).toEqual(['XX102 2026-06-01 11:00', 'XX901 2026-06-01 11:00']);
    expect(await inForce()).toEqual(['XX102', 'XXA901']);
  });
});

test('a store of an older version takes the designators from its schedules, and rejects loads without them', async () => {
  await publishText(db, buildFile(buildLeg({ 22: '02JUN26' })));
  await publishText(db, yyFile, { horizonDays: 2 });
  await db`alter table itinerary drop column designator`;
  await db`drop table schedule_records_due`;
  await db`create index itinerary_carrier on itinerary (carrier_id) where retired_by is null`;
  await db`delete from schema_migration where version = 6`;
  expect(await migrate(db)).toEqual(['0006-designators.sql']);
  const asBefore = db`insert into itinerary (id, carrier_id, flight_number, suffix, variation, from_date, to_date, doc, load_id)
    select id + 1000, carrier_id, flight_number, suffix, variation, from_date, to_date, doc, load_id from itinerary`;
  await expect(asBefore).rejects.toThrow('"designator"');
  await publishText(db, buildFile(buildLeg({ 6: '0777', 22: '02JUN26' })));
  expect(await flights()).toEqual([
    'XX777 2026-06-01 11:00',
    'YY900 2026-06-01 23:00',
    'XX777 2026-06-02 11:00',
    'YY900 2026-06-02 23:00',
  ]);
});

test('a carrier can be loaded again after another carrier took over its code', async () => {
  await publishText(db, buildFile(buildLeg({ 22: '02JUN26' })));
  await db`update carrier set iata = 'ZZ' where iata = 'XX'`;
  await db`insert into carrier (iata, icao, name, rank) values ('XX', 'XXB', 'Second Example', 1)`;
  await publishText(db, buildFile(buildLeg({ 6: '0777', 22: '02JUN26' })));
  expect(await flights()).toEqual(['XX777 2026-06-01 11:00', 'XX777 2026-06-02 11:00']);
  const [left] = await db<{ inForce: bigint }[]>`
    select count(*) as "inForce" from itinerary where retired_by is null`;
  expect(left?.inForce).toBe(1n);
});

test('a load whose rows cannot be built fails with that error and releases the store', async () => {
  const unknownZone = { iata: 'NUL', icao: '', faa: '', name: '', cityCode: '', countryCode: '', rank: 1 };
  await db.begin((sql) => upsertLocations(sql, [{ ...unknownZone, latitude: 0, longitude: 0, zone: 'Nowhere/Never' }]));
  await expect(publishText(db, buildFile(buildLeg({ 55: 'NUL' })))).rejects.toThrow("not a time zone: 'Nowhere/Never'");
  await publishText(db, buildFile(buildLeg()));
  expect(await flights()).toHaveLength(30);
});

describe('extending the horizon', () => {
  test('adds the missing days once', async () => {
    await publishText(db, buildFile(buildLeg()), { today: localDate('2026-06-02'), horizonDays: 2 });
    expect(await extendHorizon(db, { today: localDate('2026-06-04'), horizonDays: 2 })).toEqual({
      days: 2,
      instances: 2,
    });
    expect(await extendHorizon(db, { today: localDate('2026-06-04'), horizonDays: 2 })).toEqual({
      days: 0,
      instances: 0,
    });
    expect(await flights()).toEqual([1, 2, 3, 4].map((day) => `XX101 2026-06-0${day} 11:00`));
  });

  test('gives the same flights as a load', async () => {
    await publishText(db, buildFile(buildLeg()), { today: localDate('2026-06-02'), horizonDays: 20 });
    const whole = await digest();
    const other = await freshDatabase();
    try {
      await saveTinyMasterData(other.sql);
      await publishText(other.sql, buildFile(buildLeg()), { today: localDate('2026-06-02'), horizonDays: 5 });
      await extendHorizon(other.sql, { today: localDate('2026-06-02'), horizonDays: 20 });
      db = other.sql;
      expect(await digest()).toBe(whole);
    } finally {
      await other.drop();
    }
  });
});
