import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerCommand } from './worker-messages.ts';
import { startWorker, type WorkerProcess, type WorkerOutput } from './worker-process.ts';

export type WorkerPoolOptions = {
  readonly count: number;
  readonly firstCommand: WorkerCommand;
  readonly output: WorkerOutput;
  /** Called for each worker that ends without a drain command. */
  readonly onLost: (error: unknown) => void;
};

export type WorkerPool = {
  /** The port on which all workers listen. */
  readonly port: number;
  /** Lets all workers serve for `waitMs`, then finish open requests and end. */
  readonly drain: (waitMs: number) => Promise<void>;
};

/** A worker that ran for this long did not fail at its start. */
const STABLE_AFTER_MS = 60_000;
const MAX_RESTART_DELAY_MS = 30_000;
/** More than a worker needs for open requests (10 s) and to close what it opened. */
const KILL_AFTER_MS = 20_000;

/** Returns the delay before a worker is restarted: exponential from the second failure in a row, up to 30 s. */
const restartDelayMs = (failures: number): number =>
  failures < 2 ? 0 : Math.min(250 * 2 ** failures, MAX_RESTART_DELAY_MS);

/** Starts workers, waits until all listen, and restarts each one that ends, with exponential backoff when restarts fail. */
export const startWorkerPool = async (options: WorkerPoolOptions): Promise<WorkerPool> => {
  const { count, firstCommand, output, onLost } = options;
  const stopping = new AbortController();
  const running = new Set<WorkerProcess>();
  const start = (): WorkerProcess => {
    const worker = startWorker(firstCommand, output);
    running.add(worker);
    void worker.ended.then(() => running.delete(worker));
    return worker;
  };
  const killAll = (): void => {
    for (const worker of running) worker.kill();
  };
  const keepRunning = async (first: WorkerProcess): Promise<void> => {
    let [worker, failures] = [first, 0];
    for (;;) {
      const startedAt = performance.now();
      const startError = worker.listening.then(
        () => '',
        (error: unknown) => (error instanceof Error ? `: ${error.message}` : ''),
      );
      const exitStatus = await worker.ended;
      if (stopping.signal.aborted) return;
      failures = performance.now() - startedAt < STABLE_AFTER_MS ? failures + 1 : 0;
      const delayMs = restartDelayMs(failures);
      const when = delayMs === 0 ? 'now' : `in ${delayMs / 1000} s`;
      onLost(
        new Error(`worker ${worker.pid} ended with ${exitStatus}${await startError}; a replacement starts ${when}`),
      );
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      worker = start();
    }
  };

  const workers = Array.from({ length: count }, start);
  const ports = await Promise.all(workers.map(({ listening }) => listening)).catch(async (error: unknown) => {
    killAll();
    await Promise.all(workers.map(({ ended }) => ended));
    throw error;
  });
  const allEnded = Promise.all(workers.map(keepRunning));
  return {
    port: ports[0] ?? 0,
    drain: async (waitMs) => {
      stopping.abort();
      for (const { send } of running) send({ kind: 'drain', waitMs });
      const killTimer = setTimeout(killAll, waitMs + KILL_AFTER_MS);
      await Promise.all([...running].map(({ ended }) => ended));
      await allEnded;
      clearTimeout(killTimer);
    },
  };
};
