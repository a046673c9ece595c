import { expect, test } from 'vitest';
import {
  toConnectionPoint,
  isConnectionPoint,
  isInterAirport,
} from '../../../../src/domain/connections/rules/connection-point.ts';
import { airports, createFlight } from '../sample-flights.ts';

test.each([
  ['one airport', 'MAN LHR', 'LHR CDG', true, false],
  ['two airports of a city', 'MAN LHR', 'LGW CDG', true, true],
  ['two airports of different cities', 'MAN LHR', 'AMS CDG', false, true],
  ['one airport of unknown city', 'MAN XXX', 'XXX CDG', true, false],
])('flights meet at %s or not', (_, first, second, meets, changes) => {
  const point = toConnectionPoint(createFlight('BA 1', first), createFlight('BA 2', second));
  expect([isConnectionPoint(point), isInterAirport(point)]).toEqual([meets, changes]);
});

test('two airports of unknown cities share none', () => {
  const point = { arrival: { ...airports.XXX, iata: 'XXA' }, departure: { ...airports.XXX, iata: 'XXB' } };
  expect(isConnectionPoint(point)).toBe(false);
});

test('a flight with stops arrives at its last airport and departs from its first', () => {
  const point = toConnectionPoint(createFlight('BA 1', 'JFK MAN LHR'), createFlight('BA 2', 'LGW CDG TUN'));
  expect([point.arrival.iata, point.departure.iata]).toEqual(['LHR', 'LGW']);
});
