import { setTimeout as delay } from 'node:timers/promises';
import { startWorker, type StartedWorker, type WorkerOutput } from './start-worker.ts';
import type { WorkerOrder } from './worker-orders.ts';

export type WorkersWanted = {
  readonly count: number;
  readonly task: WorkerOrder;
  readonly output: WorkerOutput;
  /** Hears of each worker that ended by itself. */
  readonly onLost: (error: unknown) => void;
};

export type KeptWorkers = {
  /** The port they listen on, all of them. */
  readonly port: number;
  /** Lets all of them go on for so many milliseconds, then answer what is under way, and end. */
  readonly drain: (waitMs: number) => Promise<void>;
};

/** A worker that lived so long did not end because of how it was started. */
const LONG_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;
/** Longer than a worker gives the answers under way, and what it keeps up to date. */
const LONGEST_END_MS = 20_000;

/** How long to wait before the place of a worker is taken again, after so many in a row that lived briefly, milliseconds. */
const pauseAfter = (short: number): number => (short < 2 ? 0 : Math.min(250 * 2 ** short, LONGEST_PAUSE_MS));

/**
 * Starts workers and waits until all of them listen. From then on one that ends is replaced: at once, and ever later where its
 * successors do not last either, once in 30 s at the most.
 */
export const keepWorkers = async ({ count, task, output, onLost }: WorkersWanted): Promise<KeptWorkers> => {
  const stopping = new AbortController();
  const running = new Set<StartedWorker>();
  const start = (): StartedWorker => {
    const worker = startWorker(task, output);
    running.add(worker);
    void worker.ended.then(() => running.delete(worker));
    return worker;
  };
  const killAll = (): void => {
    for (const worker of running) worker.kill();
  };
  const keepPlace = async (first: StartedWorker): Promise<void> => {
    let [worker, short] = [first, 0];
    for (;;) {
      const startedAt = performance.now();
      const failure = worker.listening.then(
        () => '',
        (error: unknown) => (error instanceof Error ? `: ${error.message}` : ''),
      );
      const how = await worker.ended;
      if (stopping.signal.aborted) return;
      short = performance.now() - startedAt < LONG_MS ? short + 1 : 0;
      const pauseMs = pauseAfter(short);
      const next = pauseMs === 0 ? 'now' : `in ${pauseMs / 1000} s`;
      onLost(new Error(`worker ${worker.pid} ended with ${how}${await failure}; another takes its place ${next}`));
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      worker = start();
    }
  };

  const first = Array.from({ length: count }, start);
  const ports = await Promise.all(first.map(({ listening }) => listening)).catch((error: unknown) => {
    killAll();
    throw error;
  });
  const kept = Promise.all(first.map(keepPlace));
  return {
    port: ports[0] ?? 0,
    drain: async (waitMs) => {
      stopping.abort();
      for (const { order } of running) order({ kind: 'drain', waitMs });
      const late = setTimeout(killAll, waitMs + LONGEST_END_MS);
      await Promise.all([...running].map(({ ended }) => ended));
      await kept;
      clearTimeout(late);
    },
  };
};
