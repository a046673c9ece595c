import { expect, test } from 'vitest';
import { listCodeshares } from '../../../../src/domain/connections/rules/codeshares.ts';
import { buildFile, buildLeg, readFileText, buildSecondLeg, buildSegment } from '../../../feeds/ssim/build-file.ts';

const codeshares = async (...records: readonly string[]): Promise<readonly string[]> =>
  (await readFileText(buildFile(...records))).itineraries
    .flatMap(listCodeshares)
    .map(([seller, operator]) => `${seller} sells ${operator}`);

test('lists the sellers and the operator of a flight', async () => {
  expect(await codeshares(buildLeg(), buildSegment(10, 'YY 4101 /ZZ 0001 /XX 0900 '))).toEqual([
    'YY sells XX',
    'ZZ sells XX',
  ]);
  expect(await codeshares(buildLeg({ 149: 'L', 129: 'YY' }), buildSegment(50, 'ZZ 4101 '))).toEqual([
    'XX sells ZZ',
    'XX sells YY',
  ]);
  expect(await codeshares(buildLeg({ 149: 'Z' }), buildSegment(127, 'WW /WIDE WORLD'), buildSecondLeg())).toEqual([
    'XX sells WW',
  ]);
});

test('a flight with the crew or aircraft of another carrier belongs to its own carrier', async () => {
  expect(await codeshares(buildLeg({ 149: 'S', 129: 'YY' }))).toEqual([]);
  expect(await codeshares(buildLeg({ 149: 'X' }), buildSegment(127, 'WW /WIDE WORLD'))).toEqual([]);
  expect(await codeshares(buildLeg({ 149: 'Z' }), buildSegment(127, '/NAMELESS'))).toEqual([]);
});
