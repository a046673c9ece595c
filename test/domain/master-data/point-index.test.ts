import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeGreatCircleMetres, type Position } from '#domain/master-data/distance.ts';
import { createNearestResult } from '#domain/master-data/search-result.ts';
import { computeDistances, createPointIndex, type PointIndex } from '#domain/master-data/point-index.ts';

const within = (points: PointIndex, from: Position, metres: number): readonly (readonly [number, number])[] =>
  [...computeDistances(points, from, metres).entries()].filter(([, far]) => far !== Infinity);

const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true });
const latitudes = fc.oneof(degrees(90), fc.constantFrom(-90, -89.999, 0, 89.999, 90));
const longitudes = fc.oneof(degrees(180), fc.constantFrom(-180, -179.99, 0, 179.99, 180));
const points: fc.Arbitrary<Position> = fc.record({ latitude: latitudes, longitude: longitudes });
const distances = fc.oneof(fc.double({ min: 1, max: 20_038, noNaN: true }), fc.constantFrom(1, 2, 20_015.1, 20_038));

test('points within a distance are those by the great circle, of all points', () => {
  fc.assert(
    fc.property(fc.array(points, { maxLength: 40 }), points, distances, (all, from, withinKm) => {
      const actual = within(createPointIndex(all), from, withinKm * 1000);
      const expected = all
        .map((position, index) => [index, computeGreatCircleMetres(from, position)] as const)
        .filter(([, metres]) => metres <= withinKm * 1000);
      expect(actual).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('a point at the exact distance is included, one of unknown position never', () => {
  fc.assert(
    fc.property(points, points, (one, from) => {
      const metres = computeGreatCircleMetres(from, one);
      const index = createPointIndex([one, { latitude: undefined, longitude: 5 }]);
      expect(within(index, from, metres)).toEqual([[0, metres]]);
    }),
    { numRuns: 300 },
  );
});

test('pages of the nearest are those of the whole sorted list, equal distances by position', () => {
  const fars = fc.array(fc.constantFrom(0, 1, 2, 2.5, 7, 100, Infinity), { maxLength: 60 });
  fc.assert(
    fc.property(fars, fc.integer({ min: 1, max: 12 }), (all, limit) => {
      const entries = all.map((_, index) => ({ id: 1000 - index }));
      const near = [...all.entries()].filter(([, far]) => far !== Infinity);
      const sorted = near.toSorted(([a, far], [b, other]) => far - other || a - b);
      const inOrder = sorted.map(([index]) => 1000 - index);
      const positions = Uint32Array.from(near.map(([index]) => index));
      const found = { positions, metres: Float64Array.from(all) };
      const actual = createNearestResult(entries, found, ({ id }) => id);
      const walked: number[] = [];
      for (let page = actual.page(limit); page; page = page.isLast ? undefined : actual.page(limit, walked.at(-1)))
        walked.push(...page.entries.map(({ id }) => id));
      expect([walked, actual.count]).toEqual([inOrder, inOrder.length]);
      expect(actual.page(limit, 5)).toBeUndefined();
    }),
  );
});
