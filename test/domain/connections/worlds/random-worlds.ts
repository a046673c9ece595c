import type { World } from './oracle/world.ts';
import { createRandomWorld, type WorldKind } from './random/random-world.ts';

/** Factor for the number of worlds of a test: `RANDOM_WORLDS=20 vitest run test/domain/connections/worlds --testTimeout=0`. */
const times = Number(process.env['RANDOM_WORLDS'] ?? 1);

/** Creates the worlds of consecutive seeds. */
export function* createWorlds(
  first: number,
  count: number,
  kind: WorldKind = 'weeks',
): Generator<{ readonly seed: number; readonly world: World }> {
  for (let seed = first; seed < first + count * times; seed += 1) yield { seed, world: createRandomWorld(seed, kind) };
}
