import { describe, expect, test } from 'vitest';
import { listConnections } from './oracle/list-connections.ts';
import { formatConnection } from './oracle/judge.ts';
import type { World } from './oracle/world.ts';
import { describeMatches } from './describe-connections.ts';
import type { WorldKind } from './random/random-world.ts';
import { buildWorldSet } from './world-set.ts';
import { createWorlds } from './random-worlds.ts';

const expectedTexts = (world: World): readonly string[] =>
  listConnections(world)
    .map(({ one, other, judged }) => formatConnection(one, other, judged))
    .toSorted();

const compare = (first: number, count: number, kind: WorldKind): number => {
  let connections = 0;
  for (const { seed, world } of createWorlds(first, count, kind)) {
    const expected = expectedTexts(world);
    connections += expected.length;
    const actual = describeMatches(buildWorldSet(world)).toSorted();
    if (actual.join('\n') !== expected.join('\n')) expect(actual, `seed ${seed} of kind ${kind}`).toEqual(expected);
  }
  return connections;
};

describe('a set has exactly the connections of nested loops over days and flights, with all their details', () => {
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
