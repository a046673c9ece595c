import { expect, test } from 'vitest';
import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { ConnectionSetBuilder } from '../../../../src/domain/connections/set/connection-set-builder.ts';
import { readConnectionSet } from '../../../../src/domain/connections/set/connection-set.ts';
import { MCT_DEFAULTS } from '../../../../src/domain/connections/mct/mct-record.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { EVERY_DAY } from '../../../../src/domain/time/period.ts';
import { findPairs, type DatedPair } from '../../../../src/products/connections/v1/find-pairs.ts';

const airport = (iata: string, longitude: number) => ({
  iata,
  cityCode: iata,
  countryCode: 'GB',
  stateCode: '',
  latitude: 50,
  longitude,
});
type Airport = ReturnType<typeof airport>;
const [glasgow, london, paris] = [airport('GLA', 0), airport('LHR', 5), airport('CDG', 10)];

/** A daily flight by its number, its way and its minutes of the day, in UTC. */
const daily = (
  flightNumber: number,
  route: readonly [Airport, Airport],
  [departs, arrives]: readonly [number, number],
): ConnectingRecord => {
  const designator = { carrier: 'ZX', flightNumber, suffix: '' };
  return {
    flight: {
      ...designator,
      operating: designator,
      isMarketing: false,
      airports: route,
      equipment: [{ type: '320', body: 'N' }],
      serviceType: 'J',
      departureTerminal: '',
      arrivalTerminal: '',
      departureStatus: '',
      arrivalStatus: '',
      restrictions: [],
    },
    record: {
      period: { from: localDate('2026-06-01'), to: localDate('2026-06-30'), days: EVERY_DAY, everyWeeks: 1 },
      departureLocalMinutes: departs,
      arrivalLocalMinutes: arrives,
      lastLegArrivalDays: 0,
      departureUtcMinutes: departs,
      arrivalUtcMinutes: arrives,
      clockChanges: [],
    },
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
builder.add(daily(1, [glasgow, london], [500, 600]));
builder.add(daily(2, [london, paris], [600, 700]));
const set = readConnectionSet(builder.finish());

const minutes = ({ leg1, leg2 }: DatedPair): number => leg2.departsAtUtc - leg1.arrivesAtUtc;
const explanationQuery = {
  leg1: [{ carrier: 'ZX', flightNumber: 1, suffix: '' }],
  leg2: [{ carrier: 'ZX', flightNumber: 2, suffix: '' }],
  date: localDate('2026-06-10'),
  viaPoint: undefined,
};

test('leg 2 is the first departure that makes a connection, even after an earlier departure', () => {
  const pairs = findPairs(set, explanationQuery, (pair) => minutes(pair) >= 30 && minutes(pair) <= 1440);
  expect(pairs.map(minutes)).toEqual([1440]);
});

test('leg 2 is the next departure if none is a legal connection', () => {
  expect(findPairs(set, explanationQuery, () => false).map(minutes)).toEqual([0]);
});
