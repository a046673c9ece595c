import { expect, test } from 'vitest';
import type { ConnectingRecord } from '#domain/connections/flights/connecting-flight.ts';
import { MCT_DEFAULTS } from '#domain/connections/mct/mct-record.ts';
import { createConnectionCounter } from '#domain/connections/search/connection-tally.ts';
import type { ConnectionSet } from '#domain/connections/set/connection-set.ts';
import type { Itinerary, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { formatDate, localDate, type Weekday } from '#domain/time/dates.ts';
import { EVERY_DAY, listWeekdays, toDaySet } from '#domain/time/period.ts';
import { sampleLeg } from '#test/domain/schedule/sample-leg.ts';
import { createMctRecord, type MctRecordFields } from '../sample-flights.ts';
import type { Station, World } from '../worlds/oracle/world.ts';
import { buildWorldRecords, buildWorldSet, describeMatches } from '../worlds/world-set.ts';

const station = (iata: string, cityCode: string, latitude: number, longitude: number): Station => {
  const zone = cityCode === 'LON' ? 'Europe/London' : undefined;
  return { iata, cityCode, countryCode: 'GB', stateCode: '', latitude, longitude, zone };
};
const stations = [
  station('LHR', 'LON', 51.47, -0.46),
  station('LGW', 'LON', 51.15, -0.19),
  station('GLA', 'GLA', 55.87, -4.43),
  station('ABZ', 'ABZ', 57.2, -2.2),
  station('OPO', 'OPO', 41.25, -8.68),
  station('AMS', 'AMS', 52.31, 4.76),
];

const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(2));
const wholeYear = {
  from: localDate('2026-01-01'),
  to: localDate('2026-12-31'),
  days: EVERY_DAY,
  everyWeeks: 1,
} as const;
const on = (...days: readonly Weekday[]): Partial<ScheduleLeg> => ({
  period: { ...wholeYear, days: toDaySet(...days) },
});

/** A flight by its designator, stations and times, e.g. `XX 101 GLA 0700 0800 LHR 0900 1000 OPO`; times are UTC except in London. */
const fly = (text: string, changes: Partial<ScheduleLeg> = {}, complete = true): Itinerary => {
  const [carrier = '', number = '', first = '', ...rest] = text.split(' ');
  let board = first;
  const legs = Array.from({ length: rest.length / 3 }, (_, index): ScheduleLeg => {
    const [departs = '', arrives = '', off = ''] = rest.slice(index * 3);
    const end = (code: string, time: string) => ({
      ...sampleLeg.departure,
      station: code,
      passengerMinutes: minuteOf(time),
      aircraftMinutes: minuteOf(time),
      terminal: code === 'LHR' ? '5' : '',
    });
    const [departure, arrival] = [end(board, departs), end(off, arrives)];
    board = off;
    const flight = { carrier, flightNumber: Number.parseInt(number, 10), suffix: number.replace(/^\d+/, '') };
    return { ...sampleLeg, ...flight, period: wholeYear, sequence: index + 1, departure, arrival, ...changes };
  });
  const [leg = sampleLeg, ...later] = legs;
  return { legs: [leg, ...later], segmentData: [], complete };
};

const worldOf = (itineraries: readonly Itinerary[], records: readonly MctRecordFields[] = []): World => ({
  stations,
  bodies: {},
  alliances: {},
  itineraries,
  cancelled: [],
  mct: {
    records: records.map((record, index) => createMctRecord({ status: 'DD', ...record, line: index + 1 })),
    partners: [],
  },
  defaults: MCT_DEFAULTS,
  from: localDate('2026-03-25'),
  days: 100,
});

const nameOf = ({ flight }: ConnectingRecord): string =>
  `${flight.carrier} ${flight.flightNumber}${flight.suffix} ${flight.airports.map(({ iata }) => iata).join('-')}`;
const readAll = ({ size, reader }: ConnectionSet): readonly ConnectingRecord[] =>
  Array.from({ length: size }, (_, record) => reader.recordAt(record));

const itineraries = [
  fly('YY 7 OPO 1200 1400 LHR', { serviceType: 'F', trafficRestrictions: 'A' }),
  fly('XX 103 GLA 0700 0815 LHR'),
  fly('XX 101B GLA 0700 0815 LHR'),
  fly('XX 101 GLA 0700 0815 LGW', on(1, 2, 3)),
  fly('XX 101 GLA 0700 0815 AMS', on(4, 5, 6, 7)),
  fly('WW 900 GLA 0700 0815 LHR'),
  fly('XX 400 GLA 0600 0645 ABZ 0700 0815 LHR 0900 1100 OPO', { equipment: '320' }),
];

test('the records of a set are in listing order: departure airport, local time, designator, arrival airport', () => {
  expect(readAll(buildWorldSet(worldOf(itineraries))).map(nameOf)).toEqual([
    'XX 400 ABZ-LHR',
    'XX 400 ABZ-LHR-OPO',
    'XX 400 GLA-ABZ',
    'XX 400 GLA-ABZ-LHR',
    'XX 400 GLA-ABZ-LHR-OPO',
    'WW 900 GLA-LHR',
    'XX 101 GLA-AMS',
    'XX 101 GLA-LGW',
    'XX 101B GLA-LHR',
    'XX 103 GLA-LHR',
    'XX 400 LHR-OPO',
    'YY 7 OPO-LHR',
  ]);
});

test('records that agree up to the arrival airport are ordered by last date, days as text, frequency and arrival time', () => {
  const period = { from: localDate('2026-03-30'), to: localDate('2026-06-28') };
  const within = (changes: Partial<ScheduleLeg['period']>): Partial<ScheduleLeg> => ({
    period: { ...period, days: EVERY_DAY, everyWeeks: 1, ...changes },
  });
  const expected = [
    fly('XX 101 GLA 0700 0815 LHR', within({ to: localDate('2026-05-31') })),
    fly('XX 101 GLA 0700 0815 LHR', within({ days: toDaySet(1, 2, 6, 7) })),
    fly('XX 101 GLA 0700 0810 LHR', within({ days: toDaySet(1, 7) })),
    fly('XX 101 GLA 0700 0815 LHR', within({ days: toDaySet(1, 7) })),
    fly('XX 101 GLA 0700 0800 LHR', within({ days: toDaySet(1, 7), everyWeeks: 2, to: localDate('2026-06-28') })),
  ];
  const orderOf = (filed: readonly Itinerary[]) =>
    readAll(buildWorldSet(worldOf(filed))).map(
      ({ record: { period: each, arrivalLocalMinutes } }) =>
        `${formatDate(each.to)} ${listWeekdays(each.days).join('')} ${each.everyWeeks} ${arrivalLocalMinutes}`,
    );
  expect(orderOf(expected)).toEqual([
    '2026-05-31 1234567 1 495',
    '2026-06-28 1267 1 495',
    '2026-06-28 17 1 490',
    '2026-06-28 17 1 495',
    '2026-06-28 17 2 480',
  ]);
  expect(orderOf(expected.toReversed())).toEqual(orderOf(expected));
});

test('a record of a set is the one that was added', () => {
  const world = worldOf(itineraries);
  const set = buildWorldSet(world);
  expect(set.header.airports.map(({ iata }) => iata)).toEqual(['ABZ', 'AMS', 'GLA', 'LGW', 'LHR', 'OPO']);
  const added = new Map(buildWorldRecords(world).map((one) => [nameOf(one), one]));
  for (const { flight, record, fingerprint } of readAll(set)) {
    const expected = added.get(nameOf({ flight, record, fingerprint }));
    const { departureUtcMinutes: _, arrivalUtcMinutes: __, clockChanges: ___, ...times } = record;
    expect({ flight, fingerprint, record: expected?.record }).toEqual({
      flight: expected?.flight,
      fingerprint: expected?.fingerprint,
      record: expect.objectContaining(times),
    });
  }
});

test('the pairs of points that are no schedule record have no fingerprint', () => {
  const without = (complete: boolean) =>
    buildWorldRecords(worldOf([fly('XX 400 GLA 0600 0645 ABZ 0700 0815 LHR 0900 1100 OPO', {}, complete)]))
      .filter(({ fingerprint }) => fingerprint === '')
      .map(nameOf);
  expect(without(true)).toEqual(['XX 400 GLA-ABZ-LHR', 'XX 400 ABZ-LHR-OPO']);
  expect(without(false)).toEqual([]);
});

const rejectedBy = (...flights: readonly Itinerary[]) => {
  const counter = createConnectionCounter(buildWorldSet(worldOf(flights)));
  while (!counter.advance(10));
  const { rejected, built } = counter.result();
  return { built, ...Object.fromEntries(Object.entries(rejected).filter(([, count]) => count > 0)) };
};

test('a passenger flight and a cargo flight are rejected by the rule service', () => {
  const [first, onward] = [fly('XX 1 GLA 0700 0815 AMS'), 'XX 2 AMS 1100 1300 OPO'];
  expect(rejectedBy(first, fly(onward))).toEqual({ built: 1 });
  expect(rejectedBy(first, fly(onward, { serviceType: 'F' }))).toEqual({ built: 0, service: 1 });
  expect(rejectedBy(first, fly(onward, { trafficRestrictions: 'A' }))).toEqual({ built: 0, 'traffic-restriction': 1 });
});

/** Each connection on its first date, and the number of its dates. */
const summarize = (set: ConnectionSet): readonly string[] =>
  describeMatches(set).map((text) => {
    const lines = text.split('\n');
    return `${lines[0]?.replace(/ line .*/, ')')}: ${lines.length}`;
  });

test('leg 2 departs on the day of leg 1 or on the next one, by the days of both', () => {
  const set = buildWorldSet(
    worldOf([
      fly('XX 1 GLA 2200 2315 AMS', on(1)),
      fly('XX 2 AMS 0100 0300 OPO', on(2)),
      fly('XX 3 AMS 0110 0310 OPO', on(1)),
      fly('XX 4 GLA 0700 0815 AMS', { period: { ...wholeYear, from: localDate('2026-06-20') } }),
      fly('XX 5 AMS 1000 1200 OPO', { period: { ...wholeYear, to: localDate('2026-06-25') } }),
    ]),
  );
  expect(summarize(set)).toEqual([
    'XX/4 GLA-AMS 2026-06-20 07:00 > XX/5 AMS-OPO 2026-06-20 10:00 after 105 (DD 30): 6',
    'XX/4 GLA-AMS 2026-06-22 07:00 > XX/2 AMS-OPO 2026-06-23 01:00 after 1005 (DD 30): 2',
    'XX/4 GLA-AMS 2026-06-21 07:00 > XX/3 AMS-OPO 2026-06-22 01:10 after 1015 (DD 30): 2',
    'XX/1 GLA-AMS 2026-03-30 22:00 > XX/2 AMS-OPO 2026-03-31 01:00 after 105 (DD 30): 14',
    'XX/1 GLA-AMS 2026-03-30 22:00 > XX/5 AMS-OPO 2026-03-31 10:00 after 645 (DD 30): 13',
  ]);
});

test('the minimum connecting time between airports of a city is that of each pair of flights', () => {
  const between = { arrivalStation: 'LHR', departureStation: 'LGW' };
  const world = worldOf(
    [
      fly('XX 1 GLA 0700 0815 LHR'),
      fly('YY 2 GLA 0700 0815 LHR'),
      fly('XX 3 LGW 1030 1230 OPO'),
      fly('YY 4 LGW 1030 1230 OPO'),
    ],
    [
      { ...between, minutes: 60, arrival: { carrier: 'XX' }, departure: { carrier: 'XX' } },
      { ...between, minutes: 90, arrival: { carrier: 'YY' }, departure: { carrier: 'YY' } },
    ],
  );
  expect(summarize(buildWorldSet(world))).toEqual([
    'XX/1 GLA-LHR 2026-03-25 07:00 > XX/3 LGW-OPO 2026-03-25 10:30 after 135 (DD 60): 100',
    'YY/2 GLA-LHR 2026-03-25 07:00 > YY/4 LGW-OPO 2026-03-25 10:30 after 135 (DD 90): 100',
  ]);
});
