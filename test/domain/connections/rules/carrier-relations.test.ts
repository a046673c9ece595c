import { describe, expect, test } from 'vitest';
import {
  createCarrierRelations,
  type StoredCarrierRelations,
} from '../../../../src/domain/connections/rules/carrier-relations.ts';
import { createFlight, createMarketingFlight } from '../sample-flights.ts';

const none: StoredCarrierRelations = { partners: [], alliances: {}, codeshares: [] };
const ba = createFlight('BA 1', 'MAN LHR');
const aa = createFlight('AA 2', 'LHR JFK');
const vy = createFlight('VY 3', 'LHR CDG');

describe('partners', () => {
  test('a carrier without a list objects to no carrier', () => {
    expect(createCarrierRelations(none).canSellTogether(ba, aa)).toBe(true);
  });

  test('of two carriers with lists, each must list the other', () => {
    const both = {
      ...none,
      partners: [
        { line: 2, carrier: 'AA', partners: ['BA', 'LH'] },
        { line: 3, carrier: 'BA', partners: ['AA'] },
        { line: 4, carrier: 'LH', partners: ['UA'] },
      ],
    };
    expect(createCarrierRelations(both).listRejections(ba, aa)).toEqual([]);
    expect(createCarrierRelations(both).listRejections(createFlight('LH 4', 'MAN LHR'), aa)).toEqual([
      { carrier: 'LH', other: 'AA', line: 4 },
    ]);
    expect(createCarrierRelations(both).listRejections(ba, createFlight('LH 4', 'LHR CDG'))).toEqual([
      { carrier: 'BA', other: 'LH', line: 3 },
      { carrier: 'LH', other: 'BA', line: 4 },
    ]);
  });

  test('one list is enough to allow or to reject a pair', () => {
    const one = createCarrierRelations({ ...none, partners: [{ line: 2, carrier: 'AA', partners: ['BA'] }] });
    expect(one.canSellTogether(ba, aa)).toBe(true);
    expect(one.listRejections(vy, aa)).toEqual([{ carrier: 'AA', other: 'VY', line: 2 }]);
  });

  test('a list may extend over several records', () => {
    const two = createCarrierRelations({
      ...none,
      partners: [
        { line: 2, carrier: 'AA', partners: ['BA'] },
        { line: 3, carrier: 'AA', partners: ['VY'] },
      ],
    });
    expect(two.canSellTogether(ba, aa)).toBe(true);
    expect(two.canSellTogether(vy, aa)).toBe(true);
    expect(two.listRejections(createFlight('LH 4', 'MAN LHR'), aa)).toEqual([{ carrier: 'AA', other: 'LH', line: 2 }]);
  });

  test('a carrier never objects to itself, even with an empty list', () => {
    const empty = createCarrierRelations({ ...none, partners: [{ line: 2, carrier: 'BA', partners: [] }] });
    expect(empty.canSellTogether(ba, createFlight('BA 5', 'LHR CDG'))).toBe(true);
    expect(empty.canSellTogether(ba, aa)).toBe(false);
  });

  test('the operating carriers count as well as the selling carriers', () => {
    const lists = createCarrierRelations({ ...none, partners: [{ line: 2, carrier: 'BA', partners: ['AA'] }] });
    const soldByAa = createMarketingFlight('AA 6000', 'BA 1', 'MAN LHR');
    expect(lists.listRejections(soldByAa, createMarketingFlight('AA 7000', 'VY 3', 'LHR CDG'))).toEqual([
      { carrier: 'BA', other: 'VY', line: 2 },
    ]);
  });

  test('where the sellers operate themselves an objection is listed once', () => {
    const lists = createCarrierRelations({ ...none, partners: [{ line: 2, carrier: 'BA', partners: [] }] });
    expect(lists.listRejections(ba, vy)).toEqual([{ carrier: 'BA', other: 'VY', line: 2 }]);
  });
});

describe('the kind of a connection', () => {
  test('is online between flights of one designator', () => {
    expect(createCarrierRelations(none).getConnectionType('BA', 'BA')).toBe('o');
  });

  test('is offline where no relation is known', () => {
    expect(createCarrierRelations(none).getConnectionType('BA', 'AA')).toBe('n');
  });

  test('is interline where either lists the other as a partner', () => {
    const { getConnectionType: typeOf } = createCarrierRelations({
      ...none,
      partners: [{ line: 2, carrier: 'BA', partners: ['AA'] }],
    });
    expect([typeOf('BA', 'AA'), typeOf('AA', 'BA'), typeOf('BA', 'VY')]).toEqual(['i', 'i', 'n']);
  });

  test('is interline within an alliance', () => {
    const { getConnectionType: typeOf } = createCarrierRelations({
      ...none,
      alliances: { BA: 'one', AA: 'one', LH: 'star' },
    });
    expect([typeOf('BA', 'AA'), typeOf('BA', 'LH'), typeOf('BA', 'VY'), typeOf('VY', 'U2')]).toEqual([
      'i',
      'n',
      'n',
      'n',
    ]);
  });

  test('is interline where one sells a flight that the other operates', () => {
    const { getConnectionType: typeOf } = createCarrierRelations({ ...none, codeshares: [['AA', 'BA']] });
    expect([typeOf('BA', 'AA'), typeOf('AA', 'BA'), typeOf('AA', 'VY')]).toEqual(['i', 'i', 'n']);
  });
});
