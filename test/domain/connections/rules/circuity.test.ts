import { describe, expect, test } from 'vitest';
import {
  computeCircuity,
  computeFlownMetres,
  isCircuityAllowed,
  listUnknownPositions,
} from '../../../../src/domain/connections/rules/circuity.ts';
import type { ConnectionAirport } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { airports, createFlight } from '../sample-flights.ts';

/** An airport on the equator: a degree is 111.195 km. */
const at = (longitude: number, iata = `E${longitude}`): ConnectionAirport => ({
  ...airports.XXX,
  iata,
  latitude: 0,
  longitude,
});
const along = (...longitudes: readonly [number, number, ...number[]]) => {
  const [first, second, ...further] = longitudes;
  return { airports: [at(first), at(second), ...further.map((longitude) => at(longitude))] } as const;
};
const rounded = (percent: number | undefined) => percent !== undefined && Math.round(percent * 1e6) / 1e6;

test('a straight line is 100 percent', () => {
  expect(rounded(computeCircuity(along(0, 10), along(10, 30))?.percent)).toBe(100);
});

test('the flown distance is the sum of all sectors, stops included', () => {
  expect(rounded(computeCircuity(along(0, 20, 10), along(10, 30))?.percent)).toBe(166.666667);
});

test('a change of airports does not count as distance', () => {
  expect(rounded(computeCircuity(along(0, 10), along(11, 20))?.percent)).toBe(95);
});

describe('250 percent is allowed', () => {
  const limit = { metres: 250, directMetres: 100, percent: 250 };
  test.each([
    [100, true],
    [249.99, true],
    [250, true],
    [250.0000001, false],
  ])('%d: %s', (percent, allowed) => {
    expect(isCircuityAllowed({ ...limit, percent })).toBe(allowed);
  });
});

test('there is no circuity between an airport and itself', () => {
  expect(computeCircuity(createFlight('BA 1', 'MAN LHR'), createFlight('BA 2', 'LHR MAN'))).toBeUndefined();
  expect(isCircuityAllowed(undefined)).toBe(false);
});

test('there is no circuity between two airports at the same position', () => {
  expect(computeCircuity({ airports: [at(0, 'AAA'), at(10)] }, { airports: [at(10), at(0, 'BBB')] })).toBeUndefined();
});

test('the position of every airport must be known, stops included', () => {
  expect(computeCircuity(createFlight('BA 1', 'MAN XXX LHR'), createFlight('BA 2', 'LHR CDG'))).toBeUndefined();
  expect(computeCircuity(createFlight('BA 1', 'MAN LHR'), createFlight('BA 2', 'LHR XXX'))).toBeUndefined();
  expect(computeFlownMetres(createFlight('BA 1', 'MAN XXX LHR'))).toBeUndefined();
  expect(listUnknownPositions(createFlight('BA 1', 'MAN XXX LHR'))).toEqual(['XXX']);
  expect(listUnknownPositions(createFlight('BA 1', 'MAN LHR'))).toEqual([]);
});
