import { groupConnections, listConnections } from './oracle/connections.ts';
import { createRandomWorld, type WorldKind } from './random/random-world.ts';
import { buildWorldRecords, buildWorldSet, describeMatches } from './world-set.ts';

/** Factor for the number of worlds: 1 finds every fault of planted-faults.test.ts, `RANDOM_WORLDS=10` is the full number. */
const factor = Number(process.env['RANDOM_WORLDS'] ?? 1);
const counts: Readonly<Record<WorldKind, number>> = { weeks: 200 * factor, slow: 20 * factor, year: 15 * factor };

const lazily = <T>(compute: () => T): (() => T) => {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: compute() }).value;
};

/** A world with the results of the service and of the oracle, computed on first use. */
const createCase = (seed: number, kind: WorldKind) => {
  const world = createRandomWorld(seed, kind);
  const records = lazily(() => buildWorldRecords(world));
  const set = lazily(() => buildWorldSet(world, records()));
  const groups = lazily(() => groupConnections(listConnections(world)));
  return { seed, world, records, set, groups, texts: lazily(() => describeMatches(set())) };
};

/** Tests share the worlds of the usual number; with more of them the memory would not suffice. */
const shared = new Map<string, ReturnType<typeof createCase>>();

/** Returns the worlds of seeds from 1 on, each with its results. */
export function* listWorlds(kind: WorldKind = 'weeks', count = counts[kind]) {
  for (let seed = 1; seed <= count; seed += 1) {
    const key = `${kind} ${seed}`;
    const item = shared.get(key) ?? createCase(seed, kind);
    if (seed <= 200) shared.set(key, item);
    yield item;
  }
}
