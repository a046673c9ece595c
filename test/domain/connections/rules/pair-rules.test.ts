import { expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { createCarrierRelations } from '../../../../src/domain/connections/rules/carrier-relations.ts';
import {
  isSameFlight,
  computeLeg1Key,
  computeLeg2Key,
  computePairUse,
} from '../../../../src/domain/connections/rules/pair-rules.ts';
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

test.each([
  ['J', 'Q', 'passenger o'],
  ['R', 'L', 'passenger cargo o'],
  ['L', 'H', 'cargo o'],
  ['J', 'F', 'o service'],
  ['', '', 'o service'],
])('service types %j and %j: %s', (first, second, use) => {
  const flights = [createFlight('BA 1', 'MAN LHR'), createFlight('BA 2', 'LHR CDG')] as const;
  expect(useOf({ ...flights[0], serviceType: first }, { ...flights[1], serviceType: second })).toBe(use);
});

const ba = createFlight('BA 1', 'MAN LHR');
const soldByAa = createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR');
const onward = {
  BA: createFlight('BA 2', 'LHR JFK'),
  AA: createFlight('AA 2', 'LHR JFK'),
  'AA of BA': createMarketingFlight('AA 6002', 'BA 2', 'LHR JFK'),
  'IB of BA': createMarketingFlight('IB 6002', 'BA 2', 'LHR JFK'),
  'cargo of BA': createFlight('BA 2', 'LHR JFK', { serviceType: 'Q' }),
};
const restricted = (traffic: Partial<Restriction>, serviceType = 'J') => {
  return { ...ba, serviceType, restrictions: [createRestriction('A', traffic)] };
};
const cargo = onward['cargo of BA'];

test.each([
  ['operating flights of any carriers connect', ba, onward.AA, 'passenger n'],
  ['a marketing flight connects with operating flights of its designator', soldByAa, onward.AA, 'passenger o'],
  ['and with marketing flights of its designator', soldByAa, onward['AA of BA'], 'passenger o'],
  ['but not with its operating carrier', soldByAa, onward.BA, 'n codeshare'],
  ['on either side', ba, onward['AA of BA'], 'n codeshare'],
  ['nor with a marketing flight of another designator', soldByAa, onward['IB of BA'], 'n codeshare'],
  ['restrictions keep the services that they allow', restricted({ cargo: false, mail: false }, 'Q'), cargo, 'cargo o'],
  ['restrictions that allow none forbid the pair', restricted({ mail: false }, 'Q'), cargo, 'o traffic-restriction'],
  ['a restriction for cargo leaves passengers', restricted({ passenger: false }), onward.BA, 'passenger o'],
])('%s', (_, first, second, use) => {
  expect(useOf(first, second)).toBe(use);
});

test('returns the first rule that forbids', () => {
  const [first, lists] = [restricted({}), withList('BA')];
  const second = createMarketingFlight('AA 6000', 'AA 2', 'LHR JFK');
  expect([
    useOf(first, { ...second, serviceType: 'F' }, lists),
    useOf(first, second, lists),
    useOf(first, onward.AA, lists),
    useOf(first, onward.BA, lists),
    useOf(ba, onward.AA, withList('AA', 'IB')),
  ]).toEqual(['n service', 'n codeshare', 'n partners', 'o traffic-restriction', 'n partners']);
});

test.each([
  ['the same designator', ba, createFlight('BA 1', 'LHR CDG'), true],
  ['another suffix', ba, createFlight('BA 1A', 'LHR CDG'), false],
  ['another number', ba, createFlight('BA 2', 'LHR CDG'), false],
  ['another carrier', ba, createFlight('AA 1', 'LHR CDG'), false],
  ['the flight that operates it', soldByAa, createFlight('BA 1', 'LHR CDG'), true],
  ['one of the same operating flight', soldByAa, createMarketingFlight('AA 6001', 'BA 1', 'LHR CDG'), true],
  ['one of another operating flight', soldByAa, createMarketingFlight('AA 6001', 'BA 2', 'LHR CDG'), false],
])('whether a flight is the same as %s', (_, first, second, isSame) => {
  expect([isSameFlight(first, second), isSameFlight(second, first)]).toEqual([isSame, isSame]);
});

// That such flights have equal uses, the tests of random worlds prove.
test('flights of equal keys differ only in number, suffix, terminals, aircraft and airports', () => {
  const one = createFlight('BA 1', 'MAN LHR');
  const other = createFlight('BA 77X', 'BHX LGW', { arrivalTerminal: '5', equipment: [{ type: '77W', body: 'W' }] });
  expect(computeLeg1Key(one)).toBe(computeLeg1Key(other));
  expect(computeLeg2Key(one)).toBe(computeLeg2Key(other));
  expect(computeLeg1Key(one)).not.toBe(computeLeg1Key(createFlight('BA 1', 'CDG LHR')));
});
