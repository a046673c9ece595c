import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RandomDraw } from './random-draw.ts';

const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

/** Worker processes of one kind that compete for the same work and report each batch. */
export type Workers = ReturnType<typeof createWorkers>;

export const createWorkers = (kind: 'sequencer' | 'distributor' | 'push' | 'hub') => {
  const running = new Set<ChildProcess>();
  const batches: ChildProcess[] = [];
  let nextBatch = Promise.withResolvers<ChildProcess>();
  const end = async (child: ChildProcess, action: () => unknown): Promise<void> => {
    const exited = once(child, 'exit');
    action();
    await exited;
  };
  const kill = (child: ChildProcess): Promise<void> => end(child, () => child.kill('SIGKILL'));
  return {
    running: running as ReadonlySet<ChildProcess>,
    /** The processes of all batches, in order. */
    batches: batches as readonly ChildProcess[],
    /** Starts a worker and resolves when it is ready. */
    start: (url: string, settings: object): Promise<ChildProcess> => {
      const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
      const child = fork(script, [kind, url, JSON.stringify(settings)], { execArgv: [], stdio: [...stdio] });
      running.add(child);
      child.once('exit', () => running.delete(child));
      const ready = Promise.withResolvers<ChildProcess>();
      child.on('message', (message) => {
        if (message === 'ready') return ready.resolve(child);
        batches.push(child);
        return nextBatch.resolve(child);
      });
      return ready.promise;
    },
    /** Stops a worker after its work in progress. */
    stop: (child: ChildProcess): Promise<void> => end(child, () => child.send('stop')),
    kill,
    killAll: async (): Promise<void> => {
      await Promise.all(Array.from(running, kill));
    },
    /** Resolves with the process that completes the next batch. */
    waitForNextBatch: (): Promise<ChildProcess> => {
      nextBatch = Promise.withResolvers<ChildProcess>();
      return nextBatch.promise;
    },
  };
};

/** The longest delay of a kill after a batch, so that it hits any part of the next batches. */
const MAX_DELAY_MS = 20;

/** Repeatedly kills one of two workers (after `beforeKill`) and starts another. Returns the times to the next batch. */
export const killRepeatedly = async (
  { start, running, kill, waitForNextBatch }: Workers,
  options: {
    readonly url: string;
    readonly kills: number;
    readonly draw: RandomDraw;
    readonly beforeKill?: () => Promise<void>;
  },
): Promise<readonly number[]> => {
  const { url, kills, draw, beforeKill } = options;
  // A small batch: there is always work left. Subscriptions with more than 12 accounts are always behind.
  const startNext = (): unknown =>
    start(url, { batch: 5, standbyMs: 20, maxAddedOfSubscription: 12, maxAddedOfTurn: 12 });
  startNext();
  startNext();
  const takeoverMs: number[] = [];
  while (takeoverMs.length < kills) {
    const child = await waitForNextBatch();
    await delay(draw(MAX_DELAY_MS));
    await beforeKill?.();
    if (!running.has(child)) continue;
    const startedAt = performance.now();
    await kill(child);
    startNext();
    await waitForNextBatch();
    takeoverMs.push(performance.now() - startedAt);
  }
  return takeoverMs;
};
