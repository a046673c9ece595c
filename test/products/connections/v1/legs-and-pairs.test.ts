import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '#domain/connections/flights/connecting-flight.ts';
import type { ConnectingRecord } from '#domain/connections/flights/connecting-flight.ts';
import type { ConnectionAirport } from '#domain/connections/flights/connecting-flight.ts';
import type { ConnectionDetails } from '#domain/connections/search/connection-details.ts';
import { MCT_DEFAULTS } from '#domain/connections/mct/mct-record.ts';
import { ConnectionSetBuilder } from '#domain/connections/set/connection-set-builder.ts';
import { readConnectionSet } from '#domain/connections/set/connection-set.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { findPairs, type DatedPair } from '#products/connections/v1/find-pairs.ts';
import type { MctRule } from '#domain/connections/mct/mct-rules.ts';
import { localDate, type LocalDate } from '#domain/time/dates.ts';
import { createMasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { EVERY_DAY } from '#domain/time/period.ts';
import { computeConnectionId, toDates } from '#products/connections/v1/to-connection.ts';
import { toLeg } from '#products/connections/v1/to-leg.ts';
import { distances } from '#test/products/responses.ts';
import { mct, side } from '#test/support/mct-lines.ts';

const airport = (iata: string, latitude?: number, longitude?: number): ConnectionAirport => ({
  iata,
  cityCode: iata,
  countryCode: '',
  stateCode: '',
  latitude,
  longitude,
});

const [sydney, singapore, london] = [
  airport('SYD', -33.946098, 151.177002),
  airport('SIN', 1.35019, 103.994003),
  airport('LHR', 51.4706, -0.461941),
];

const twinDeck = { type: '388', body: 'W' } as const;
const flight: ConnectingFlight = {
  carrier: 'ZX',
  flightNumber: 15,
  suffix: '',
  operating: { carrier: 'ZX', flightNumber: 15, suffix: '' },
  operatingCarrier: 'ZX',
  isMarketing: false,
  airports: [sydney, singapore, london],
  equipment: [twinDeck, { type: '789', body: 'W' }],
  serviceType: 'J',
  departureTerminal: '1',
  arrivalTerminal: '',
  departureStatus: '',
  arrivalStatus: '',
  restrictions: [],
};

/** 21:00 to 09:40 on the next day; from 25 October 2026 the clock of London makes it an hour longer. */
const leg: ConnectingRecord = {
  flight,
  record: {
    period: { from: localDate('2026-10-01'), to: localDate('2026-11-30'), days: EVERY_DAY, everyWeeks: 1 },
    departureLocalMinutes: 1260,
    arrivalLocalMinutes: 2020,
    departureUtcMinutes: 660,
    arrivalUtcMinutes: 1960,
    lastLegArrivalDays: 0,
    clockChanges: [{ from: localDate('2026-10-24'), departureUtcMinutes: 660, arrivalUtcMinutes: 2020 }],
  },
  fingerprint: 'ab'.repeat(32),
};

const masterDataIndex = createMasterDataIndex({
  locations: [],
  carriers: [
    { id: 1, iata: 'ZX', icao: 'ZXA', name: '', rank: 1 },
    { id: 2, iata: '', icao: 'QQX', name: '', rank: 1 },
  ],
  equipment: [],
  inUse: { carriers: new Set(), locations: new Set() },
});

const day = (date: string, intervalDays = 0) => ({ date: localDate(date), intervalDays });

test('a leg has its stops and its days', () => {
  const rendered = toLeg(leg, day('2026-10-01', 1), masterDataIndex);
  expect(rendered).toEqual({
    departure: { airport: { iata: 'SYD' }, passengerLocalTime: '21:00' },
    arrival: { airport: { iata: 'LHR' }, passengerLocalTime: '09:40' },
    DepartureTerminal: '1',
    ArrivalTerminal: '',
    IntermediateAirportsIata: ['SIN'],
    carrierCode: { iata: 'ZX', icao: 'ZXA' },
    flightNumber: 15,
    serviceType: { iata: 'J' },
    aircraftType: { iata: '388' },
    departureIntervalDays: 1,
    arrivalIntervalDays: 2,
    elapsedTime: 1300,
    distance: distances([17176.8, 10673.1, 9274.7], [17020.7, 10576.2, 9190.4]),
    fingerprint: 'ab'.repeat(32),
    restrictions: [],
  });
});

test.each([
  ['2026-10-23', 1300],
  ['2026-10-24', 1360],
  ['2026-11-30', 1360],
])('a leg that departs on %s takes %i minutes: a clock changes on the way', (date, minutes) => {
  expect(toLeg(leg, day(date), masterDataIndex).elapsedTime).toBe(minutes);
});

test('a leg omits unknown and absent properties', () => {
  const nowhere = airport('QQX');
  const plain: ConnectingFlight = { ...flight, airports: [sydney, nowhere], equipment: [{ type: '', body: '' }] };
  const plainLeg = toLeg({ ...leg, flight: plain, fingerprint: '' }, day('2026-10-01'), masterDataIndex);
  const { aircraftType: _, distance: __, ...rest } = toLeg(leg, day('2026-10-01'), masterDataIndex);
  const { fingerprint: ___, ...known } = rest;
  const arrival = { ...known.arrival, airport: { iata: 'QQX' } };
  expect(plainLeg).toEqual({ ...known, arrival, IntermediateAirportsIata: [] });
});

test.each([
  ['ZX', { iata: 'ZX', icao: 'ZXA' }],
  ['9Q', { iata: '9Q' }],
  ['QQX', { icao: 'QQX' }],
  ['QQY', { icao: 'QQY' }],
])('a leg sold under %s has the codes of that carrier', (carrier, codes) => {
  expect(toLeg({ ...leg, flight: { ...flight, carrier } }, day('2026-10-01'), masterDataIndex).carrierCode).toEqual(
    codes,
  );
});

test('a leg that arrives on the day before it departs has a negative day offset', () => {
  const early: ConnectingRecord = { ...leg, record: { ...leg.record, arrivalLocalMinutes: -30 } };
  const { arrival, arrivalIntervalDays } = toLeg(early, day('2026-10-01', 1), masterDataIndex);
  expect([arrival.passengerLocalTime, arrivalIntervalDays]).toEqual(['23:30', 0]);
});

test('a leg with a suffix and another operator names both', () => {
  const operating = { carrier: '9Q', flightNumber: 8, suffix: 'B' };
  const marketing: ConnectingFlight = { ...flight, suffix: 'A', isMarketing: true, operating };
  const expected = { serviceSuffix: 'A', operatingFlight: { code: '9Q', serviceNumber: '8', suffix: 'B' } };
  expect(toLeg({ ...leg, flight: marketing }, day('2026-10-01'), masterDataIndex)).toMatchObject(expected);
});

const datesOf = (...dates: readonly string[]) => dates.map(localDate) as [LocalDate, ...LocalDate[]];

test.each([
  [['2026-06-01'], ['monday'], []],
  [['2026-06-01', '2026-06-07', '2026-06-08', '2026-06-15', '2026-06-21'], ['monday', 'sunday'], ['2026-06-14']],
  [['2026-06-06', '2026-06-20'], ['saturday'], ['2026-06-13']],
])('the dates %s become a period, its days and its exceptions', (dates, daysOfOperation, exceptDates) => {
  const effectivePeriod = { startDate: dates[0], endDate: dates.at(-1) };
  expect(toDates(datesOf(...dates))).toEqual({ effectivePeriod, daysOfOperation, exceptDates });
});

describe('the identity of a connection', () => {
  const rule: MctRule = {
    from: undefined,
    to: undefined,
    status: 'II',
    minutes: 60,
    record: mct({ line: 7, arrival: side({ carrier: 'ZX' }) }),
    suppressedBy: undefined,
  };
  const details: ConnectionDetails = {
    leg1: leg,
    leg2: { ...leg, fingerprint: '' },
    dayOffset: 1,
    minutes: 80,
    mct: rule,
    type: 'o',
    isInterAirport: false,
    passenger: true,
    cargo: false,
    dates: datesOf('2026-10-01'),
    circuityPercent: 100,
    elapsedMinutes: 1000,
  };
  const id = computeConnectionId(details);

  test('does not depend on its dates, or the position of a record in its file', () => {
    const record = mct({ line: 8, arrival: side({ carrier: 'ZX' }) });
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(computeConnectionId({ ...details, mct: { ...rule, record }, dates: datesOf('2026-10-02') })).toBe(id);
  });

  const otherTimes = { ...leg, fingerprint: '', record: { ...leg.record, departureLocalMinutes: 1261 } };
  test.each<readonly [string, Partial<ConnectionDetails>]>([
    ['leg 1', { leg1: { ...leg, fingerprint: 'cd'.repeat(32) } }],
    ['times of a leg that Schedules does not list', { leg2: otherTimes }],
    ['day of leg 2', { dayOffset: 2 }],
    ['connecting time', { minutes: 81 }],
    ['minimum', { mct: { ...rule, minutes: 61 } }],
    ['record', { mct: { ...rule, record: undefined } }],
  ])('changes with another %s', (_, change) => {
    expect(computeConnectionId({ ...details, ...change })).not.toBe(id);
  });
});

const [glasgow, amsterdam, paris] = [airport('GLA', 50, 0), airport('AMS', 50, 5), airport('CDG', 50, 10)];

/** A daily flight by number, route and minutes of the day, UTC. */
const daily = (
  flightNumber: number,
  route: readonly [ConnectionAirport, ConnectionAirport],
  [departs, arrives]: readonly [number, number],
): ConnectingRecord => {
  const period = { ...leg.record.period, from: localDate('2026-06-01'), to: localDate('2026-06-30') };
  const utc = { departureUtcMinutes: departs, arrivalUtcMinutes: arrives };
  return {
    flight: { ...flight, flightNumber, operating: { ...flight.operating, flightNumber }, airports: route },
    record: { ...leg.record, ...utc, period, clockChanges: [] },
    fingerprint: '',
  };
};

const builder = new ConnectionSetBuilder({
  from: localDate('2026-06-01'),
  days: 30,
  mct: { records: [], partners: [] },
  defaults: MCT_DEFAULTS,
  cooperation: { partners: [], alliances: {}, codeshares: [] },
});
builder.add(daily(1, [glasgow, amsterdam], [500, 600]));
builder.add(daily(2, [amsterdam, paris], [600, 700]));
const set = readConnectionSet(builder.finish());

const minutes = ({ leg1, leg2 }: DatedPair): number => leg2.departsAtUtc - leg1.arrivesAtUtc;
const [leg1, leg2] = [1, 2].map((flightNumber) => [{ carrier: 'ZX', flightNumber, suffix: '' }]) as [
  Designator[],
  Designator[],
];
const explanationQuery = { leg1, leg2, date: localDate('2026-06-10'), viaPoint: undefined };

test('leg 2 is the first departure that makes a connection, even after an earlier departure', () => {
  const pairs = findPairs(set, explanationQuery, (pair) => minutes(pair) >= 30 && minutes(pair) <= 1440);
  expect(pairs.map(minutes)).toEqual([1440]);
});

test('leg 2 is the next departure if none is a legal connection', () => {
  expect(findPairs(set, explanationQuery, () => false).map(minutes)).toEqual([0]);
});
