import { expect, test } from 'vitest';
import { computeMinSeats, computeMinFreight, parseConfiguration } from '#domain/schedule/cabins.ts';
import type { Seats } from '#domain/schedule/schedule.ts';

const seats = (first: number, business: number, premiumEconomy: number, economy: number): Seats => ({
  first,
  business,
  premiumEconomy,
  economyPlus: undefined,
  economy,
  total: first + business + premiumEconomy + economy,
});

const freight = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((item) => ({ code: item.slice(0, 2), quantity: item.slice(2) }));

test.each([
  ['F10J10Y200', seats(10, 10, 0, 200), ''],
  ['J14W34Y316VV364', seats(0, 14, 34, 316), ''],
  ['W18Y112VVCGO', seats(0, 0, 18, 112), ''],
  ['P4F6A2C8D2I1Z1J20S10Y90', seats(12, 32, 0, 100), ''],
  ['Y150LL06PP02', seats(0, 0, 0, 150), 'LL06 PP02'],
  ['LL08PP04', undefined, 'LL08 PP04'],
  ['J30 Y250', seats(0, 30, 0, 250), ''],
  ['VV364', undefined, ''],
  ['', undefined, ''],
])('parses configuration "%s" by cabin', (text, expected, freightClasses) => {
  expect(parseConfiguration(text)).toEqual({ seats: expected, freightClasses: freight(freightClasses) });
});

test('a carrier can have a letter for economy plus; without one, economy plus is unknown', () => {
  const parsed = parseConfiguration('F8S24Y120', { S: 'economyPlus' });
  expect(parsed?.seats).toEqual({ ...seats(8, 0, 0, 120), economyPlus: 24, total: 152 });
  expect(parseConfiguration('Y150', { S: 'economyPlus' })?.seats?.economyPlus).toBe(0);
  expect(parseConfiguration('Y150', { A: 'business' })?.seats?.economyPlus).toBeUndefined();
});

test.each(['Q20', 'Y', '200Y', 'Y2000', 'y200', 'J30-Y200', 'XX'])('rejects configuration "%s"', (text) => {
  expect(parseConfiguration(text)).toBeUndefined();
});

test('a flight of several legs has the fewest seats of each cabin, and their sum', () => {
  expect(computeMinSeats([seats(8, 40, 0, 200), seats(0, 50, 20, 180)])).toEqual(seats(0, 40, 0, 180));
});

test('a cabin unknown on one leg is unknown for the flight, and the total is then the lowest total of the legs', () => {
  const cabins = ['first', 'business', 'premiumEconomy', 'economyPlus', 'economy'];
  const unknown = { ...seats(0, 0, 0, 0), ...Object.fromEntries(cabins.map((cabin) => [cabin, undefined])), total: 90 };
  expect(computeMinSeats([seats(0, 10, 0, 100), unknown])).toEqual(unknown);
});

test('the freight capacity of several legs has the kinds common to all legs, each with the lowest value', () => {
  expect(computeMinFreight([freight('PP10 LL4'), freight('PP9')])).toEqual(freight('PP9'));
  expect(computeMinFreight([[], freight('PP9')])).toEqual([]);
});
