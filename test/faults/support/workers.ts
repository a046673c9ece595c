import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

/** Worker processes of one kind that compete for the same work and report each batch. */
export type Workers = {
  /** The running processes. */
  readonly running: ReadonlySet<ChildProcess>;
  /** Starts a worker and resolves when it is ready. */
  readonly start: (url: string, settings: object) => Promise<ChildProcess>;
  /** Stops a worker after its work in progress. */
  readonly stop: (child: ChildProcess) => Promise<void>;
  /** Kills a worker with SIGKILL and waits until it has exited. */
  readonly kill: (child: ChildProcess) => Promise<void>;
  readonly killAll: () => Promise<void>;
  /** Resolves with the process that completes the next batch. */
  readonly waitForNextBatch: () => Promise<ChildProcess>;
  /** The processes of all batches, in order. */
  readonly batches: readonly ChildProcess[];
};

/** Creates the group without starting a process. `onBatch` is called for each batch. */
export const createWorkers = (
  kind: 'sequencer' | 'distributor' | 'push' | 'hub',
  onBatch: (child: ChildProcess) => void = () => {},
): Workers => {
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
    running,
    batches,
    start: (url, settings) => {
      const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
      const child = fork(script, [kind, url, JSON.stringify(settings)], { execArgv: [], stdio: [...stdio] });
      running.add(child);
      child.once('exit', () => running.delete(child));
      const ready = Promise.withResolvers<ChildProcess>();
      child.on('message', (message) => {
        if (message === 'ready') return ready.resolve(child);
        batches.push(child);
        onBatch(child);
        return nextBatch.resolve(child);
      });
      return ready.promise;
    },
    stop: (child) => end(child, () => child.send('stop')),
    kill,
    killAll: async () => {
      await Promise.all(Array.from(running, kill));
    },
    waitForNextBatch: () => {
      nextBatch = Promise.withResolvers<ChildProcess>();
      return nextBatch.promise;
    },
  };
};
