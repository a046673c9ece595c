import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { singleFlight } from '#lib/single-flight.ts';
import { createRandom } from './seeded-random.ts';

const createHeldCall = () => {
  const runs: { readonly succeed: () => void; readonly fail: (error: Error) => void }[] = [];
  const call = singleFlight(() => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    runs.push({ succeed: resolve, fail: reject });
    return promise;
  });
  return { runs, call };
};

test('runs once for the callers of one turn', async () => {
  const { runs, call } = createHeldCall();
  const all = [call(), call(), call()];
  expect(runs).toHaveLength(0);
  await expect.poll(() => runs.length).toBe(1);
  runs[0]?.succeed();
  await Promise.all(all);
  expect(runs).toHaveLength(1);
});

test('runs again once for all callers that arrive during a run', async () => {
  const { runs, call } = createHeldCall();
  const first = call();
  await expect.poll(() => runs.length).toBe(1);
  const others = [call(), call(), call()];
  let isSettled = false;
  void others[0]?.then(() => {
    isSettled = true;
  });
  runs[0]?.succeed();
  await first;
  await expect.poll(() => runs.length).toBe(2);
  expect(isSettled).toBe(false);
  runs[1]?.succeed();
  await Promise.all(others);
  expect(runs).toHaveLength(2);
});

test.each(['during the failed run', 'after it'])(
  'rejects for the callers of a failed run and runs again for one %s',
  async (when) => {
    const { runs, call } = createHeldCall();
    const first = call();
    await expect.poll(() => runs.length).toBe(1);
    const early = when === 'after it' ? undefined : call();
    runs[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    const second = early ?? call();
    await expect.poll(() => runs.length).toBe(2);
    runs[1]?.succeed();
    await expect(second).resolves.toBeUndefined();
  },
);

test('resolves the callers of a run while the next run is in progress', async () => {
  const { runs, call } = createHeldCall();
  const first = call();
  await expect.poll(() => runs.length).toBe(1);
  const second = call();
  const runsStarted: number[] = [];
  void first.then(() => runsStarted.push(runs.length));
  runs[0]?.succeed();
  await first;
  expect(runsStarted).toEqual([2]);
  runs[1]?.succeed();
  await second;
});

const waitTurns = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
};

test('never returns the result of a run that started before the call', async () => {
  const random = createRandom(20261122);
  let [isRunning, started, overlapping] = [false, 0, 0];
  const call = singleFlight(async () => {
    if (isRunning) overlapping += 1;
    [isRunning, started] = [true, started + 1];
    await waitTurns(random.integer(0, 3));
    isRunning = false;
    if (random.integer(0, 9) === 0) throw new Error('away');
  });
  const early: string[] = [];
  const runCaller = async (): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      const before = started;
      await call().catch(() => {});
      if (started === before) early.push(`${before}`);
      if (random.integer(0, 2) === 0) await waitTurns(random.integer(0, 4));
    }
  };
  await Promise.all(random.times(20, runCaller));
  expect({ early, overlapping }).toEqual({ early: [], overlapping: 0 });
  expect(started).toBeLessThan(20 * 40);
});
