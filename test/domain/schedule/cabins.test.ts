import { expect, test } from 'vitest';

import { computeMinSeats, computeMinFreight, parseConfiguration } from '../../../src/domain/schedule/cabins.ts';
import type { Seats } from '../../../src/domain/schedule/schedule.ts';

const seats = (first: number, business: number, premiumEconomy: number, economy: number): Seats => ({
  first,
  business,
  premiumEconomy,
  economyPlus: undefined,
  economy,
  total: first + business + premiumEconomy + economy,
});

test.each([
  ['F10J10Y200', seats(10, 10, 0, 200), []],
  ['J14W34Y316VV364', seats(0, 14, 34, 316), []],
  ['W18Y112VVCGO', seats(0, 0, 18, 112), []],
  ['P4F6A2C8D2I1Z1J20S10Y90', seats(12, 32, 0, 100), []],
  [
    'Y150LL06PP02',
    seats(0, 0, 0, 150),
    [
      { code: 'LL', quantity: '06' },
      { code: 'PP', quantity: '02' },
    ],
  ],
  [
    'LL08PP04',
    undefined,
    [
      { code: 'LL', quantity: '08' },
      { code: 'PP', quantity: '04' },
    ],
  ],
  ['J30 Y250', seats(0, 30, 0, 250), []],
  ['VV364', undefined, []],
  ['', undefined, []],
])('parses configuration "%s" by cabin', (text, expected, freightClasses) => {
  expect(parseConfiguration(text)).toEqual({ seats: expected, freightClasses });
});

test.each(['Q20', 'Y', '200Y', 'Y2000', 'y200', 'J30-Y200', 'XX'])('rejects configuration "%s"', (text) => {
  expect(parseConfiguration(text)).toBeUndefined();
});

test('over several legs the least of each cabin counts, and their sum', () => {
  expect(computeMinSeats([seats(8, 40, 0, 200), seats(0, 50, 20, 180)])).toEqual(seats(0, 40, 0, 180));
});

test('a cabin unknown on one leg is unknown on all, and the total is then the least total', () => {
  const unknown: Seats = {
    first: undefined,
    business: undefined,
    premiumEconomy: undefined,
    economyPlus: undefined,
    economy: undefined,
    total: 90,
  };
  expect(computeMinSeats([seats(0, 10, 0, 100), unknown])).toEqual(unknown);
});

test('freight capacity over several legs has the kinds common to all legs, at its least', () => {
  const pallets = (quantity: string) => ({ code: 'PP', quantity });
  expect(computeMinFreight([[pallets('10'), { code: 'LL', quantity: '4' }], [pallets('9')]])).toEqual([pallets('9')]);
  expect(computeMinFreight([[], [pallets('9')]])).toEqual([]);
});
