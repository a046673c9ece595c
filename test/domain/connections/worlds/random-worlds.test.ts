import { describe, expect, test } from 'vitest';
import { allConnections } from './oracle/all-connections.ts';
import { connectionText } from './oracle/judge.ts';
import type { World } from './oracle/world.ts';
import { foundTexts } from './found-texts.ts';
import type { WorldKind } from './random/random-world.ts';
import { setOfWorld } from './world-set.ts';
import { worldsFrom } from './worlds.ts';

const expectedTexts = (world: World): readonly string[] =>
  allConnections(world)
    .map(({ one, other, judged }) => connectionText(one, other, judged))
    .toSorted();

const compare = (first: number, count: number, kind: WorldKind): number => {
  let connections = 0;
  for (const { seed, world } of worldsFrom(first, count, kind)) {
    const expected = expectedTexts(world);
    connections += expected.length;
    const found = foundTexts(setOfWorld(world)).toSorted();
    if (found.join('\n') !== expected.join('\n')) expect(found, `seed ${seed} of kind ${kind}`).toEqual(expected);
  }
  return connections;
};

describe('a set has exactly the connections that plain loops over days and flights find, with all that is told of them', () => {
  test('in the weeks around a night on which clocks change', { timeout: 300_000 }, () => {
    expect(compare(1, 2000, 'weeks')).toBeGreaterThan(15_000);
  });
  test('with flights that take days, up to the last day of the set', { timeout: 300_000 }, () => {
    expect(compare(1, 200, 'slow')).toBeGreaterThan(2_000);
  });
  test('over a year', { timeout: 300_000 }, () => {
    expect(compare(1, 60, 'year')).toBeGreaterThan(3_000);
  });
});
