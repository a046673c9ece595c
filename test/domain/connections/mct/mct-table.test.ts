import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { toConnectionPoint } from '../../../../src/domain/connections/rules/connection-point.ts';
import { toArrivalEnd, toDepartureEnd } from '../../../../src/domain/connections/mct/mct-end.ts';
import { MCT_DEFAULTS, type MctRecord } from '../../../../src/domain/connections/mct/mct-record.ts';
import { getStationMct, createMctTable } from '../../../../src/domain/connections/mct/mct-table.ts';
import { localDate } from '../../../../src/domain/time/dates.ts';
import {
  airports,
  createFlight,
  createMarketingFlight,
  createMctRecord,
  createSuppression,
} from '../sample-flights.ts';

const rulesOf = (records: readonly MctRecord[], flight1: ConnectingFlight, flight2: ConnectingFlight) => {
  const { arrival, departure } = toConnectionPoint(flight1, flight2);
  const station = getStationMct(createMctTable({ records, defaults: MCT_DEFAULTS }), arrival, departure);
  return station.computeRules(toArrivalEnd(flight1), toDepartureEnd(flight2));
};
const minutesOf = (...args: Parameters<typeof rulesOf>) => rulesOf(...args).map(({ minutes }) => minutes);
const isSuppressed = (...args: Parameters<typeof rulesOf>) =>
  rulesOf(...args).map(({ suppressedBy }) => suppressedBy !== undefined);

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
  ])('%s takes the default of its status', (status, first, second, minutes) => {
    expect(rulesOf([], first, second)).toEqual([
      { from: undefined, to: undefined, status, minutes, record: undefined, suppressedBy: undefined },
    ]);
  });

  test('a change of airports takes 240 minutes', () => {
    expect(minutesOf([], fromManchester, fromGatwick)).toEqual([240]);
  });

  test('defaults can be set', () => {
    const table = createMctTable({ records: [], defaults: { DD: 1, DI: 2, ID: 3, II: 4, interAirport: 5 } });
    const [arrival, departure] = [toArrivalEnd(fromManchester), toDepartureEnd(toParis)];
    expect(getStationMct(table, airports.LHR, airports.LHR).computeRules(arrival, departure)[0]?.minutes).toBe(2);
    expect(getStationMct(table, airports.LHR, airports.LGW).computeRules(arrival, departure)[0]?.minutes).toBe(5);
  });
});

describe('stations', () => {
  const at = (arrivalStation: string, departureStation: string) =>
    createMctRecord({ arrivalStation, departureStation, minutes: 10 });

  test.each([
    ['LHR', 'LHR', [10]],
    ['LHR', '', [10]],
    ['', 'LHR', [10]],
    ['', '', [10]],
    ['LHR', 'LGW', [90]],
    ['AMS', 'AMS', [90]],
  ])("'%s' and '%s' at one airport", (arrival, departure, minutes) => {
    expect(minutesOf([at(arrival, departure)], fromParis, toParis)).toEqual(minutes);
  });

  test.each([
    ['LHR', 'LGW', [10]],
    ['LGW', 'LHR', [240]],
    ['LHR', '', [240]],
    ['', 'LGW', [240]],
    ['', '', [240]],
    ['LHR', 'LHR', [240]],
  ])("'%s' and '%s' between two", (arrival, departure, minutes) => {
    expect(minutesOf([at(arrival, departure)], fromParis, createFlight('BA 6', 'LGW CDG'))).toEqual(minutes);
  });
});

test('a record applies to its own status alone', () => {
  const standard = createMctRecord({ status: 'DI', minutes: 10 });
  expect(minutesOf([standard], fromManchester, toParis)).toEqual([10]);
  expect(minutesOf([standard], fromManchester, toManchester)).toEqual([30]);
});

test('of all matching records the most specific gives the time, in any order of lines', () => {
  const standard = createMctRecord({ line: 2, arrivalStation: 'LHR', departureStation: 'LHR', minutes: 75 });
  const terminal = createMctRecord({ line: 3, departure: { terminal: '5' }, minutes: 60 });
  const carrier = createMctRecord({ line: 4, departure: { carrier: 'BA' }, minutes: 50 });
  const other = createMctRecord({ line: 5, departure: { carrier: 'AF', terminal: '5' }, minutes: 40 });
  const records = [carrier, standard, other, terminal];
  const atFive = (of: string) => createFlight(of, 'LHR CDG', { departureTerminal: '5' });
  expect(rulesOf(records, fromParis, atFive('BA 2'))[0]?.record).toBe(carrier);
  expect(rulesOf(records, fromParis, atFive('KL 2'))[0]?.record).toBe(terminal);
  expect(rulesOf(records, fromParis, atFive('AF 2'))[0]?.record).toBe(other);
  expect(rulesOf(records, fromParis, createFlight('KL 2', 'LHR CDG'))[0]?.record).toBe(standard);
});

test('a narrower range wins within a wider one', () => {
  const ranged = (line: number, from: number, to: number) =>
    createMctRecord({ line, departure: { carrier: 'BA', flights: { from, to } }, minutes: line });
  const records = [ranged(10, 1, 9999), ranged(20, 100, 199), ranged(15, 1, 999)];
  const minutes = [150, 500, 5000].map((number) =>
    minutesOf(records, fromParis, createFlight(`BA ${number}`, 'LHR CDG')),
  );
  expect(minutes).toEqual([[20], [15], [10]]);
});

test('Schengen wins over Europe', () => {
  const records = ['EUR', 'SCH'].map((region, index) =>
    createMctRecord({ line: 9 - index, departure: { region }, minutes: index + 1 }),
  );
  expect(minutesOf(records, fromParis, toParis)).toEqual([2]);
  expect(minutesOf(records, fromParis, createFlight('BA 2', 'LHR TUN'))).toEqual([1]);
});

describe('codeshares: the records of the seller, else those of the operator', () => {
  const ofSeller = createMctRecord({
    line: 2,
    arrival: { carrier: 'AA', isCodeshare: true, operator: 'BA' },
    departure: { carrier: 'AA' },
    minutes: 145,
  });
  const ofOperator = createMctRecord({
    line: 3,
    arrival: { carrier: 'BA' },
    departure: { carrier: 'AA' },
    minutes: 130,
  });
  const sold = createMarketingFlight('AA 6160', 'BA 207', 'CDG LHR');
  const onward = createFlight('AA 2718', 'LHR JFK');

  test('a marketing flight uses the record of its seller', () => {
    expect(minutesOf([ofSeller, ofOperator], sold, onward)).toEqual([145]);
  });

  test('without one it uses that of its operator', () => {
    expect(minutesOf([ofOperator], sold, onward)).toEqual([130]);
  });

  test('the operating flight uses that of the operator', () => {
    expect(minutesOf([ofSeller, ofOperator], createFlight('BA 207', 'CDG LHR'), onward)).toEqual([130]);
  });
});

describe('suppressions', () => {
  const everywhere = createSuppression({ line: 2, arrival: { carrier: 'AA' }, departure: { carrier: 'VY' } });
  const first = createFlight('AA 1', 'JFK LHR');
  const second = createFlight('VY 2', 'LHR CDG');

  test('without a location hold everywhere, for the named carriers', () => {
    expect(isSuppressed([everywhere], first, second)).toEqual([true]);
    expect(isSuppressed([everywhere], fromParis, second)).toEqual([false]);
  });

  test('are lifted at a station, with the time that holds there', () => {
    const sides = { arrival: { carrier: 'AA' }, departure: { carrier: 'VY' } };
    const here = {
      line: 3,
      suppression: 'N',
      arrivalStation: 'LHR',
      departureStation: 'LHR',
      minutes: 100,
      ...sides,
    } as const;
    expect(rulesOf([everywhere, createMctRecord(here)], first, second)).toEqual([
      {
        from: undefined,
        to: undefined,
        status: 'II',
        minutes: 100,
        record: createMctRecord(here),
        suppressedBy: undefined,
      },
    ]);
    const elsewhere = createMctRecord({ ...here, arrivalStation: 'CDG', departureStation: 'CDG' });
    expect(isSuppressed([everywhere, elsewhere], first, second)).toEqual([true]);
  });

  test('hold at the airports of their country, state or region', () => {
    const inBritain = createSuppression({ suppressionCountryCode: 'GB' });
    const inFrance = createSuppression({ suppressionCountryCode: 'FR' });
    expect(isSuppressed([inBritain], first, second)).toEqual([true]);
    expect(isSuppressed([inFrance], first, second)).toEqual([false]);
  });

  test('distinguish airports by every named location, in any order of queries', () => {
    const records = [
      createSuppression({ line: 2, suppressionRegion: 'EUR' }),
      createSuppression({ line: 3, suppressionRegion: 'SCH' }),
      createSuppression({ line: 4, suppressionCountryCode: 'US', suppressionStateCode: 'NY' }),
      createSuppression({ line: 5, suppressionCountryCode: 'FR' }),
    ];
    const table = createMctTable({ records, defaults: MCT_DEFAULTS });
    const args = [airports.TUN, airports.CDG, airports.AMS, airports.LHR, airports.JFK, airports.XXX, airports.CDG];
    const lines = args.map((airport) => {
      const [rule] = getStationMct(table, airport, airport).computeRules(toArrivalEnd(first), toDepartureEnd(second));
      return [airport.iata, rule?.suppressedBy?.line];
    });
    expect(lines).toEqual([
      ['TUN', 2],
      ['CDG', 5],
      ['AMS', 3],
      ['LHR', 2],
      ['JFK', 4],
      ['XXX', undefined],
      ['CDG', 5],
    ]);
  });

  test('hold at a change of airports by the location of the arrival airport', () => {
    const between = { arrivalStation: 'LHR', departureStation: 'CDG' };
    const inBritain = createSuppression({ ...between, suppressionCountryCode: 'GB' });
    const inFrance = createSuppression({ ...between, suppressionCountryCode: 'FR' });
    const toTunis = createFlight('VY 2', 'CDG TUN');
    expect(isSuppressed([inBritain], first, toTunis)).toEqual([true]);
    expect(isSuppressed([inFrance], first, toTunis)).toEqual([false]);
  });

  test('can have dates, which are arrival dates', () => {
    const inJune = createSuppression({ from: localDate('2026-06-01'), to: localDate('2026-06-30') });
    expect(rulesOf([inJune], first, second).map(({ from, suppressedBy }) => [from, suppressedBy?.line])).toEqual([
      [undefined, undefined],
      [localDate('2026-06-01'), 1],
      [localDate('2026-07-01'), undefined],
    ]);
  });
});

describe('the keys of a station', () => {
  const keysOf = (records: readonly MctRecord[], flights: readonly ConnectingFlight[]) => {
    const station = getStationMct(createMctTable({ records, defaults: MCT_DEFAULTS }), airports.LHR, airports.LHR);
    return flights.map((of) => station.computeDepartureKey(toDepartureEnd(of)));
  };
  const flights = [createFlight('BA 2', 'LHR CDG'), createFlight('BA 900', 'LHR AMS'), createFlight('AF 2', 'LHR CDG')];

  test('contain only what the records of that station distinguish', () => {
    expect(new Set(keysOf([], flights)).size).toBe(1);
    expect(
      new Set(keysOf([createMctRecord({ departureStation: 'CDG', departure: { carrier: 'BA' } })], flights)).size,
    ).toBe(1);
    const [ba2, ba900, af2] = keysOf([createMctRecord({ departure: { carrier: 'BA' } })], flights);
    expect([ba2 === ba900, ba2 === af2]).toEqual([true, false]);
  });

  test('depend on the status', () => {
    const [domestic, international] = keysOf([], [toManchester, toParis]);
    expect(domestic).not.toBe(international);
  });
});
