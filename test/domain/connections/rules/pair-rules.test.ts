import { expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { createCarrierRelations } from '../../../../src/domain/connections/rules/carrier-relations.ts';
import type { CarrierRelations } from '../../../../src/domain/connections/rules/carrier-relations.ts';
import { isSameFlight, computeLeg1Key, computeLeg2Key } from '../../../../src/domain/connections/rules/pair-rules.ts';
import { computePairUse } from '../../../../src/domain/connections/rules/pair-rules.ts';
import type { Restriction } from '../../../../src/domain/schedule/schedule.ts';
import { createFlight, createMarketingFlight, createRestriction } from '../sample-flights.ts';

const unrelated = createCarrierRelations({ partners: [], alliances: {}, codeshares: [] });
const withList = (carrier: string, ...partners: readonly string[]) =>
  createCarrierRelations({ partners: [{ line: 2, carrier, partners }], alliances: {}, codeshares: [] });

/** `passenger`, `cargo` or both, the type, and the rule that forbids. */
const useOf = (first: ConnectingFlight, second: ConnectingFlight, relations = unrelated): string => {
  const { passenger, cargo, type, forbiddenBy } = computePairUse(first, second, relations);
  return [passenger && 'passenger', cargo && 'cargo', type, forbiddenBy].filter(Boolean).join(' ');
};

const ba = createFlight('BA 1', 'MAN LHR');
const soldByAa = createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR');
const by = (carrier: string, serviceType = 'J') => createFlight(`${carrier} 2`, 'LHR JFK', { serviceType });
const restricted = (traffic: Partial<Restriction>, serviceType = 'J') => {
  return { ...ba, serviceType, restrictions: [createRestriction('A', traffic)] };
};

// The tests of random worlds compare every rule with the oracle; these are examples of each.
test.each<[string, ConnectingFlight, ConnectingFlight, string, CarrierRelations?]>([
  ['operating flights of any carriers connect', ba, by('AA'), 'passenger n'],
  ['flights of mixed types share what both carry', { ...ba, serviceType: 'R' }, by('BA', 'L'), 'passenger cargo o'],
  ['flights without a common service do not connect', ba, by('BA', 'F'), 'o service'],
  ['a marketing flight connects with flights of its designator', soldByAa, by('AA'), 'passenger o'],
  ['a marketing flight does not connect with its operating carrier', soldByAa, by('BA'), 'n codeshare'],
  ['a list without the other carrier forbids', ba, by('AA'), 'n partners', withList('AA', 'IB')],
  [
    'restrictions keep the services that they allow',
    restricted({ cargo: false, mail: false }, 'Q'),
    by('BA', 'Q'),
    'cargo o',
  ],
  ['restrictions that allow no service forbid', restricted({}), by('BA'), 'o traffic-restriction'],
  ['the first rule is returned', { ...restricted({}), isMarketing: true }, by('AA'), 'n codeshare', withList('BA')],
])('%s', (_, first, second, use, relations) => {
  expect(useOf(first, second, relations)).toBe(use);
});

test('a flight is the same as one with its designator or its operating flight', () => {
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
