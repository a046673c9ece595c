import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '#domain/connections/flights/connecting-flight.ts';
import { toConnectionPoint } from '#domain/connections/rules/connection-point.ts';
import { toArrivalEnd, toDepartureEnd } from '#domain/connections/mct/mct-end.ts';
import { MCT_DEFAULTS, type MctRecord } from '#domain/connections/mct/mct-record.ts';
import { getStationMct } from '#domain/connections/mct/mct-table.ts';
import { createMctTable } from './create-mct-table.ts';
import { airports, createFlight, createMctRecord, createSuppression } from '../sample-flights.ts';

const rulesOf = (records: readonly MctRecord[], flight1: ConnectingFlight, flight2: ConnectingFlight) => {
  const { arrival, departure } = toConnectionPoint(flight1, flight2);
  const station = getStationMct(createMctTable({ records, defaults: MCT_DEFAULTS }), arrival, departure);
  return station.computeRules(toArrivalEnd(flight1), toDepartureEnd(flight2));
};

const fromParis = createFlight('BA 1', 'CDG LHR');
const toParis = createFlight('BA 2', 'LHR CDG');
const fromManchester = createFlight('BA 3', 'MAN LHR');
const toManchester = createFlight('BA 4', 'LHR MAN');
const fromGatwick = createFlight('BA 5', 'LGW JFK');

describe('without a record', () => {
  test.each([
    ['DD', fromManchester, toManchester, 30],
    ['DI', fromManchester, toParis, 60],
    ['ID', fromParis, toManchester, 90],
    ['II', fromParis, toParis, 90],
    ['DI', fromManchester, fromGatwick, 240],
  ])('%s takes the default of its status, or of a change of airports', (status, first, second, minutes) => {
    const rule = { from: undefined, to: undefined, status, minutes, record: undefined, suppressedBy: undefined };
    expect(rulesOf([], first, second)).toEqual([rule]);
  });

  test('defaults can be set', () => {
    const table = createMctTable({ records: [], defaults: { DD: 1, DI: 2, ID: 3, II: 4, interAirport: 5 } });
    const [arrival, departure] = [toArrivalEnd(fromManchester), toDepartureEnd(toParis)];
    const stations = [airports.LHR, airports.LGW].map((other) => getStationMct(table, airports.LHR, other));
    expect(stations.map((station) => station.computeRules(arrival, departure)[0]?.minutes)).toEqual([2, 5]);
  });
});

test.each([
  ['LHR', 'LHR', 10, 240],
  ['LHR', '', 10, 240],
  ['', 'LHR', 10, 240],
  ['', '', 10, 240],
  ['LHR', 'LGW', 90, 10],
  ['LGW', 'LHR', 90, 240],
  ['', 'LGW', 90, 240],
  ['AMS', 'AMS', 90, 240],
])(
  "a record of '%s' and '%s': %d minutes at LHR, %d from LHR to LGW",
  (arrivalStation, departureStation, ...minutes) => {
    const records = [createMctRecord({ arrivalStation, departureStation, minutes: 10 })];
    const departures = [toParis, createFlight('BA 6', 'LGW CDG')];
    expect(departures.map((second) => rulesOf(records, fromParis, second)[0]?.minutes)).toEqual(minutes);
  },
);

test('every record of a carrier applies, whichever other criteria distinguish them', () => {
  const records = [1, 2, 3].map((number) =>
    createMctRecord({
      line: number,
      minutes: 10 * number,
      arrival: { carrier: 'BA', flights: { from: number, to: number } },
    }),
  );
  const arrivals = ['BA 1', 'BA 2', 'BA 3', 'BA 4'].map((designator) => createFlight(designator, 'CDG LHR'));
  expect(arrivals.map((first) => rulesOf(records, first, toParis)[0]?.minutes)).toEqual([10, 20, 30, 90]);
});

test('suppressions distinguish airports by every named location, in any order of queries', () => {
  const records = [
    createSuppression({ line: 2, suppressionRegion: 'EUR' }),
    createSuppression({ line: 3, suppressionRegion: 'SCH' }),
    createSuppression({ line: 4, suppressionCountryCode: 'US', suppressionStateCode: 'NY' }),
    createSuppression({ line: 5, suppressionCountryCode: 'FR' }),
  ];
  const table = createMctTable({ records, defaults: MCT_DEFAULTS });
  const [first, second] = [toArrivalEnd(createFlight('AA 1', 'JFK LHR')), toDepartureEnd(toParis)];
  const { TUN, CDG, AMS, LHR, JFK, XXX } = airports;
  const lines = [TUN, CDG, AMS, LHR, JFK, XXX, CDG].map((airport) => {
    const [rule] = getStationMct(table, airport, airport).computeRules(first, second);
    return `${airport.iata} ${rule?.suppressedBy?.line}`;
  });
  expect(lines).toEqual(['TUN 2', 'CDG 5', 'AMS 3', 'LHR 2', 'JFK 4', 'XXX undefined', 'CDG 5']);
});

test.each([
  ['GB', [1]],
  ['FR', [undefined]],
])('a suppression in %s applies to a change of airports by the arrival airport', (suppressionCountryCode, lines) => {
  const record = createSuppression({ arrivalStation: 'LHR', departureStation: 'CDG', suppressionCountryCode });
  const rules = rulesOf([record], createFlight('AA 1', 'JFK LHR'), createFlight('VY 2', 'CDG TUN'));
  expect(rules.map(({ suppressedBy }) => suppressedBy?.line)).toEqual(lines);
});

describe('the keys of a station', () => {
  const keysOf = (records: readonly MctRecord[], flights: readonly ConnectingFlight[]) => {
    const station = getStationMct(createMctTable({ records, defaults: MCT_DEFAULTS }), airports.LHR, airports.LHR);
    return flights.map((of) => station.computeDepartureKey(toDepartureEnd(of)));
  };
  const flights = [createFlight('BA 2', 'LHR CDG'), createFlight('BA 900', 'LHR AMS'), createFlight('AF 2', 'LHR CDG')];

  test('contain only the fields that the records of that station distinguish', () => {
    expect(new Set(keysOf([], flights)).size).toBe(1);
    const elsewhere = createMctRecord({ departureStation: 'CDG', departure: { carrier: 'BA' } });
    expect(new Set(keysOf([elsewhere], flights)).size).toBe(1);
    const [ba2, ba900, af2] = keysOf([createMctRecord({ departure: { carrier: 'BA' } })], flights);
    expect([ba2 === ba900, ba2 === af2]).toEqual([true, false]);
  });

  test('depend on the status', () => {
    const [domestic, international] = keysOf([], [toManchester, toParis]);
    expect(domestic).not.toBe(international);
  });
});
