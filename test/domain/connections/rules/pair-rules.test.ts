import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConnectingFlight } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { createCarrierRelations } from '../../../../src/domain/connections/rules/carrier-relations.ts';
import {
  isSameFlight,
  computeLeg1Key,
  computeLeg2Key,
  computePairUse,
} from '../../../../src/domain/connections/rules/pair-rules.ts';
import { toDesignator, createFlight, createMarketingFlight, createRestriction } from '../sample-flights.ts';

const strangers = createCarrierRelations({ partners: [], alliances: {}, codeshares: [] });
const passengers = { passenger: true, cargo: false, forbiddenBy: undefined };
const nothing = { passenger: false, cargo: false };

const offering = (serviceType: string) => createFlight('BA 1', 'MAN LHR', { serviceType });
const goingOn = (serviceType: string) => createFlight('BA 2', 'LHR CDG', { serviceType });

describe('service', () => {
  test.each([
    ['J', 'J', { passenger: true, cargo: false }],
    ['J', 'Q', { passenger: true, cargo: false }],
    ['R', 'L', { passenger: true, cargo: true }],
    ['F', 'M', { passenger: false, cargo: true }],
    ['L', 'H', { passenger: false, cargo: true }],
  ])('%s and %s share a service', (first, second, services) => {
    expect(computePairUse(offering(first), goingOn(second), strangers)).toEqual({
      ...services,
      type: 'o',
      forbiddenBy: undefined,
    });
  });

  test.each([
    ['J', 'F'],
    ['F', 'S'],
    ['P', 'P'],
    ['T', 'J'],
    ['', ''],
  ])('%s and %s share no service', (first, second) => {
    expect(computePairUse(offering(first), goingOn(second), strangers)).toEqual({
      ...nothing,
      type: 'o',
      forbiddenBy: 'service',
    });
  });
});

describe('codeshare', () => {
  const operatedByBa = createFlight('BA 1', 'MAN LHR');
  const soldByAa = createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR');

  test('operating flights of any carriers connect', () => {
    expect(computePairUse(operatedByBa, createFlight('AA 2', 'LHR JFK'), strangers)).toEqual({
      ...passengers,
      type: 'n',
    });
  });

  test('a marketing flight connects with operating and marketing flights of its own designator', () => {
    expect(computePairUse(soldByAa, createFlight('AA 2', 'LHR JFK'), strangers)).toEqual({ ...passengers, type: 'o' });
    expect(computePairUse(soldByAa, createMarketingFlight('AA 6002', 'BA 2', 'LHR JFK'), strangers)).toEqual({
      ...passengers,
      type: 'o',
    });
  });

  test('does not connect with any other flight, on either side, even with its operating carrier', () => {
    const forbidden = { ...nothing, type: 'n', forbiddenBy: 'codeshare' };
    expect(computePairUse(soldByAa, createFlight('BA 2', 'LHR JFK'), strangers)).toEqual(forbidden);
    expect(computePairUse(operatedByBa, createMarketingFlight('AA 6002', 'BA 2', 'LHR JFK'), strangers)).toEqual(
      forbidden,
    );
    expect(computePairUse(soldByAa, createMarketingFlight('IB 6002', 'BA 2', 'LHR JFK'), strangers)).toEqual(forbidden);
  });
});

test('carriers that list other partners do not connect', () => {
  const lists = createCarrierRelations({
    partners: [{ line: 2, carrier: 'AA', partners: ['IB'] }],
    alliances: {},
    codeshares: [],
  });
  expect(computePairUse(createFlight('BA 1', 'MAN LHR'), createFlight('AA 2', 'LHR JFK'), lists)).toEqual({
    ...nothing,
    type: 'n',
    forbiddenBy: 'partners',
  });
});

describe('traffic restrictions', () => {
  test('keep the services that they allow', () => {
    const first = createFlight('BA 1', 'MAN LHR', {
      serviceType: 'Q',
      restrictions: [createRestriction('A', { cargo: false, mail: false })],
    });
    expect(computePairUse(first, goingOn('Q'), strangers)).toEqual({
      passenger: false,
      cargo: true,
      type: 'o',
      forbiddenBy: undefined,
    });
  });

  test('forbid the pair when they allow no service', () => {
    const first = createFlight('BA 1', 'MAN LHR', { serviceType: 'Q', restrictions: [createRestriction('A')] });
    expect(computePairUse(first, goingOn('Q'), strangers)).toEqual({
      ...nothing,
      type: 'o',
      forbiddenBy: 'traffic-restriction',
    });
  });

  test('a restriction for cargo does not exclude passengers', () => {
    const first = createFlight('BA 1', 'MAN LHR', { restrictions: [createRestriction('A', { passenger: false })] });
    expect(computePairUse(first, goingOn('J'), strangers)).toEqual({ ...passengers, type: 'o' });
  });
});

test('returns the first rule that forbids', () => {
  const first = createFlight('BA 1', 'MAN LHR', { restrictions: [createRestriction('A')] });
  const lists = createCarrierRelations({
    partners: [{ line: 2, carrier: 'BA', partners: [] }],
    alliances: {},
    codeshares: [],
  });
  const soldByAa = createMarketingFlight('AA 6000', 'AA 2', 'LHR JFK');
  expect(computePairUse(first, { ...soldByAa, serviceType: 'F' }, lists).forbiddenBy).toBe('service');
  expect(computePairUse(first, soldByAa, lists).forbiddenBy).toBe('codeshare');
  expect(computePairUse(first, createFlight('AA 2', 'LHR JFK'), lists).forbiddenBy).toBe('partners');
  expect(computePairUse(first, goingOn('J'), lists).forbiddenBy).toBe('traffic-restriction');
});

describe('a flight does not connect with itself', () => {
  const ba = createFlight('BA 1', 'MAN LHR');
  test.each([
    ['the same designator', ba, createFlight('BA 1', 'LHR CDG'), true],
    ['another suffix', ba, createFlight('BA 1A', 'LHR CDG'), false],
    ['another number', ba, createFlight('BA 2', 'LHR CDG'), false],
    ['another carrier', ba, createFlight('AA 1', 'LHR CDG'), false],
    [
      'the flight that operates it',
      createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR'),
      createFlight('BA 1', 'LHR CDG'),
      true,
    ],
    [
      'one of the same operating flight',
      createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR'),
      createMarketingFlight('AA 6001', 'BA 1', 'LHR CDG'),
      true,
    ],
    [
      'one of another operating flight',
      createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR'),
      createMarketingFlight('AA 6001', 'BA 2', 'LHR CDG'),
      false,
    ],
  ])('with %s', (_, first, second, isSame) => {
    expect(isSameFlight(first, second)).toBe(isSame);
    expect(isSameFlight(second, first)).toBe(isSame);
  });
});

describe('flights of equal keys', () => {
  const restrictions = fc.array(
    fc.record({
      number: fc.constant(1),
      code: fc.constantFrom(...'ABCDEFGHIKMNOQTVWXYZ9'),
      passenger: fc.boolean(),
      cargo: fc.boolean(),
      mail: fc.boolean(),
      boardPoint: fc.boolean(),
      offPoint: fc.boolean(),
    }),
    { maxLength: 2 },
  );
  const anyFlight = fc
    .record({
      of: fc.constantFrom('BA 1', 'BA 2', 'AA 1'),
      as: fc.constantFrom('', 'BA 1', 'BA 9', 'AA 9'),
      way: fc.constantFrom('MAN LHR', 'LHR BHX', 'CDG LHR', 'XXX LHR', 'LHR CDG MAN'),
      serviceType: fc.constantFrom('J', 'S', 'F', 'M', 'Q', 'P'),
      restrictions,
    })
    .map(({ of, as, way: route, ...changes }): ConnectingFlight => ({
      ...createFlight(of, route, changes),
      ...(as === '' ? {} : { isMarketing: true, operating: toDesignator(as) }),
    }));
  const ties = createCarrierRelations({
    partners: [{ line: 2, carrier: 'AA', partners: [] }],
    alliances: {},
    codeshares: [],
  });

  test.each([
    [1, computeLeg1Key, (one: ConnectingFlight, other: ConnectingFlight) => computePairUse(one, other, ties)],
    [2, computeLeg2Key, (one: ConnectingFlight, other: ConnectingFlight) => computePairUse(other, one, ties)],
  ] as const)('have equal uses as leg %d', (_, keyOf, useOf) => {
    const seen = new Map<string, ConnectingFlight>();
    let compared = 0;
    fc.assert(
      fc.property(anyFlight, fc.array(anyFlight, { minLength: 20, maxLength: 20 }), (one, others) => {
        const same = seen.get(keyOf(one));
        if (same === undefined) seen.set(keyOf(one), one);
        else compared += 1;
        const alike = same ?? one;
        expect(others.map((other) => useOf(alike, other))).toEqual(others.map((other) => useOf(one, other)));
      }),
      { numRuns: 600, seed: 20_261_121 },
    );
    expect(compared).toBeGreaterThan(80);
  });

  test('differ only in number, suffix, terminals, aircraft and airports', () => {
    const one = createFlight('BA 1', 'MAN LHR');
    const other = createFlight('BA 77X', 'BHX LGW', { arrivalTerminal: '5', equipment: [{ type: '77W', body: 'W' }] });
    expect(computeLeg1Key(one)).toBe(computeLeg1Key(other));
    expect(computeLeg2Key(one)).toBe(computeLeg2Key(other));
    expect(computeLeg1Key(one)).not.toBe(computeLeg1Key(createFlight('BA 1', 'CDG LHR')));
  });
});
