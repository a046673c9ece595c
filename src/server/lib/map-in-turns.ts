import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work in one turn of the event loop. */
const TURN_MS = 1;

/** Maps items in order, as `Array.map` does, and lets other work of the process run after each millisecond. Rejects with what `map` throws. */
export const mapInTurns = async <T, Result>(
  items: readonly T[],
  map: (item: T, index: number) => Result,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  let startedAt = performance.now();
  for (const [index, item] of items.entries()) {
    if (performance.now() - startedAt > TURN_MS) {
      await setImmediate();
      startedAt = performance.now();
    }
    results.push(map(item, index));
  }
  return results;
};
