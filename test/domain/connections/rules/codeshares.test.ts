import { expect, test } from 'vitest';
import { listCodeshares } from '../../../../src/domain/connections/rules/codeshares.ts';
import { fileOf, leg, load, secondLeg, segment } from '../../../feeds/ssim/build-file.ts';

const codeshares = async (...records: readonly string[]): Promise<readonly string[]> =>
  (await load(fileOf(...records))).itineraries
    .flatMap(listCodeshares)
    .map(([seller, operator]) => `${seller} sells ${operator}`);

test('a flight tells by whom it is sold besides, and by whom it is operated', async () => {
  expect(await codeshares(leg(), segment(10, 'YY 4101 /ZZ 0001 /XX 0900 '))).toEqual(['YY sells XX', 'ZZ sells XX']);
  expect(await codeshares(leg({ 149: 'L', 129: 'YY' }), segment(50, 'ZZ 4101 '))).toEqual([
    'XX sells ZZ',
    'XX sells YY',
  ]);
  expect(await codeshares(leg({ 149: 'Z' }), segment(127, 'WW /WIDE WORLD'), secondLeg())).toEqual(['XX sells WW']);
});

test('a flight that a carrier operates with crew or aircraft of another is its own', async () => {
  expect(await codeshares(leg({ 149: 'S', 129: 'YY' }))).toEqual([]);
  expect(await codeshares(leg({ 149: 'X' }), segment(127, 'WW /WIDE WORLD'))).toEqual([]);
  expect(await codeshares(leg({ 149: 'Z' }), segment(127, '/NAMELESS'))).toEqual([]);
});
