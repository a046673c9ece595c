import { expect, test } from 'vitest';
import { computeCircuity, computeFlownMetres } from '../../../../src/domain/connections/rules/circuity.ts';
import { isCircuityAllowed, listUnknownPositions } from '../../../../src/domain/connections/rules/circuity.ts';
import { toConnectionPoint, isConnectionPoint } from '../../../../src/domain/connections/rules/connection-point.ts';
import { isInterAirport } from '../../../../src/domain/connections/rules/connection-point.ts';
import type { ConnectionAirport } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { airports, createFlight } from '../sample-flights.ts';

test.each([
  ['one airport', 'MAN LHR', 'LHR CDG', true, false],
  ['two airports of a city', 'MAN LHR', 'LGW CDG', true, true],
  ['two airports of different cities', 'MAN LHR', 'AMS CDG', false, true],
  ['one airport of unknown city', 'MAN XXX', 'XXX CDG', true, false],
  ['the last airport of the first flight and the first of the second', 'JFK MAN LHR', 'LGW CDG TUN', true, true],
])('decides whether flights meet at %s', (_, first, second, meets, changes) => {
  const point = toConnectionPoint(createFlight('BA 1', first), createFlight('BA 2', second));
  expect([isConnectionPoint(point), isInterAirport(point)]).toEqual([meets, changes]);
});

test('airports of unknown cities do not share a city', () => {
  const point = { arrival: { ...airports.XXX, iata: 'XXA' }, departure: { ...airports.XXX, iata: 'XXB' } };
  expect(isConnectionPoint(point)).toBe(false);
});

/** Airports on the equator, where a degree is 111.195 km. */
const along = (...longitudes: readonly number[]) => {
  const equator = { ...airports.XXX, latitude: 0 };
  const ends = longitudes.map((longitude): ConnectionAirport => ({ ...equator, iata: `E${longitude}`, longitude }));
  const [first, second, ...further] = ends;
  if (!first || !second) throw new Error('a flight has two airports');
  return { airports: [first, second, ...further] } as const;
};

test.each([
  ['a straight line', along(0, 10), along(10, 30), 100],
  ['the sum of all sectors, stops included', along(0, 20, 10), along(10, 30), 166.666667],
  ['a change of airports, which is no distance', along(0, 10), along(11, 20), 95],
])('computes the circuity of %s', (_, first, second, percent) => {
  expect(computeCircuity(first, second)?.percent).toBeCloseTo(percent, 6);
});

const other = { ...along(0, 1).airports[0], iata: 'BBB' };

test.each([
  ['between an airport and itself', createFlight('BA 1', 'MAN LHR'), createFlight('BA 2', 'LHR MAN')],
  ['between two airports at one position', along(0, 10), { airports: [along(10, 0).airports[0], other] } as const],
  ['with a stop of unknown position', createFlight('BA 1', 'MAN XXX LHR'), createFlight('BA 2', 'LHR CDG')],
  ['with a destination of unknown position', createFlight('BA 1', 'MAN LHR'), createFlight('BA 2', 'LHR XXX')],
])('there is no circuity %s', (_, first, second) => {
  expect(computeCircuity(first, second)).toBeUndefined();
});

test('allows a circuity of 250 percent, and rejects an unknown one', () => {
  const allowed = [100, 249.99, 250, 250.0000001].map((percent) =>
    isCircuityAllowed({ metres: 250, directMetres: 100, percent }),
  );
  expect([...allowed, isCircuityAllowed(undefined)]).toEqual([true, true, true, false, false]);
});

test('lists the airports of unknown position', () => {
  const flight = createFlight('BA 1', 'MAN XXX LHR');
  expect([computeFlownMetres(flight), listUnknownPositions(flight)]).toEqual([undefined, ['XXX']]);
  expect(listUnknownPositions(createFlight('BA 1', 'MAN LHR'))).toEqual([]);
});
