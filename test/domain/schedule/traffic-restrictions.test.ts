import { expect, test } from 'vitest';
import { findTrafficRestriction } from '#domain/schedule/traffic-restrictions.ts';

test.each([
  ['A', 'no', 'none', false, false, 'A'],
  ['B', 'yes', 'none', false, false, 'B'],
  ['C', 'yes', 'domestic', false, false, 'C'],
  ['D', 'shown', 'international-online', true, true, 'D'],
  ['E', 'shown', 'online', true, true, 'E'],
  ['F', 'yes', 'online', false, false, 'F'],
  ['G', 'no', 'online', false, true, 'G'],
  ['H', 'no', 'none', false, false, 'H'],
  ['I', 'no', 'none', false, false, 'I'],
  ['K', 'no', 'any', false, false, 'K'],
  ['M', 'shown', 'none', true, false, 'A'],
  ['N', 'no', 'international', false, false, 'N'],
  ['O', 'no', 'international-online', false, false, 'O'],
  ['Q', 'shown', 'international-online', true, false, 'O'],
  ['T', 'shown', 'none', true, false, 'A'],
  ['V', 'shown', 'any', true, false, 'K'],
  ['W', 'shown', 'international', true, false, 'N'],
  ['X', 'shown', 'online', true, false, 'Y'],
  ['Y', 'no', 'online', false, false, 'Y'],
  ['Z', 'by-traffic', 'by-traffic', false, false, 'Z'],
])('code %s: local sale %s, connection %s', (code, localSale, connection, stopover, qualified, asCargo) => {
  expect(findTrafficRestriction(code)).toMatchObject({ localSale, connection, stopover, qualified, asCargo });
});

test('other letters are not used', () => {
  expect([...'JLPRSU1'].map(findTrafficRestriction)).toEqual(Array.from({ length: 7 }, () => undefined));
});
