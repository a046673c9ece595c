import { expect, test } from 'vitest';
import { createSeededRandom, interpolate, pick } from '#lib/seeded-random.ts';

const names = Array.from({ length: 2000 }, (_, index) => `name ${index}`);

test('the same seed and name give the same number, and others give different ones', () => {
  const random = createSeededRandom('seed');
  expect(names.map(createSeededRandom('seed'))).toEqual(names.map(random));
  expect(random('name 1')).not.toBe(random('name 2'));
  expect(random('name 1')).not.toBe(createSeededRandom('other seed')('name 1'));
});

test('numbers are evenly distributed from 0 up to 1', () => {
  const tenths = Map.groupBy(names.map(createSeededRandom('even')), (share) => Math.floor(share * 10));
  expect([...tenths.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const shares of tenths.values()) expect(Math.abs(shares.length - 200)).toBeLessThan(60);
});

test('interpolates between two numbers, and picks each element of a list', () => {
  expect([0, 0.5, 1].map((share) => interpolate(share, 10, 20))).toEqual([10, 15, 20]);
  expect([0, 0.4, 0.7, 0.999].map((share) => pick(share, ['a', 'b', 'c']))).toEqual(['a', 'b', 'c', 'c']);
});
