import { expect, test } from 'vitest';
import { isSameFlight, computeLeg1Key, computeLeg2Key } from '#domain/connections/rules/pair-rules.ts';
import { createFlight, createMarketingFlight } from '../sample-flights.ts';

test('a flight is the same as one with its designator or its operating flight', () => {
  const ba = createFlight('BA 1', 'MAN LHR');
  const soldByAa = createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR');
  const others = ['BA 1', 'BA 1A', 'BA 2', 'AA 1'].map((designator) => createFlight(designator, 'LHR CDG'));
  expect(others.map((other) => isSameFlight(ba, other))).toEqual([true, false, false, false]);
  expect(others.map((other) => isSameFlight(other, soldByAa))).toEqual([true, false, false, false]);
});

// That such flights have equal uses, the tests of random worlds prove.
test('flights of equal keys differ only in number, suffix, terminals, aircraft and airports', () => {
  const one = createFlight('BA 1', 'MAN LHR');
  const other = createFlight('BA 77X', 'BHX LGW', { arrivalTerminal: '5', equipment: [{ type: '77W', body: 'W' }] });
  expect(computeLeg1Key(one)).toBe(computeLeg1Key(other));
  expect(computeLeg2Key(one)).toBe(computeLeg2Key(other));
  expect(computeLeg1Key(one)).not.toBe(computeLeg1Key(createFlight('BA 1', 'CDG LHR')));
});
