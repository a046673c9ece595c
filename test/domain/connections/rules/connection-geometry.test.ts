import { expect, test } from 'vitest';
import { computeCircuity, computeFlownMetres } from '#domain/connections/rules/circuity.ts';
import { isCircuityAllowed, listUnknownPositions } from '#domain/connections/rules/circuity.ts';
import { createFlight } from '../sample-flights.ts';

test('250 percent is allowed, and no circuity is not', () => {
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

test.each([
  ['between an airport and itself', 'MAN LHR', 'LHR MAN'],
  ['with a stop of unknown position', 'MAN XXX LHR', 'LHR CDG'],
  ['with a destination of unknown position', 'MAN LHR', 'LHR XXX'],
])('there is no circuity %s', (_, first, second) => {
  expect(computeCircuity(createFlight('BA 1', first), createFlight('BA 2', second))).toBeUndefined();
});
