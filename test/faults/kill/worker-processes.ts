import type { ChildProcess } from 'node:child_process';
import { createChildProcesses, type ChildProcesses } from '../support/child-processes.ts';

/** Child processes of one script that compete for the same work and report each batch. */
export type WorkerProcesses = Pick<ChildProcesses, 'kill' | 'killAll'> & {
  /** The running processes. */
  readonly running: ReadonlySet<ChildProcess>;
  readonly start: (...values: readonly string[]) => void;
  /** Resolves with the process that completes the next batch. */
  readonly waitForNextBatch: () => Promise<ChildProcess>;
  /** The number of batches of all processes. */
  readonly countBatches: () => number;
};

/** Creates the group without starting a process. `onBatch` is called for each batch. */
export const createWorkerProcesses = (
  script: string,
  onBatch: (child: ChildProcess) => void = () => {},
): WorkerProcesses => {
  const { running, start, kill, killAll } = createChildProcesses(script);
  let batches = 0;
  let nextBatch = Promise.withResolvers<ChildProcess>();
  return {
    running,
    start: (...values) => {
      const child = start(...values);
      child.on('message', () => {
        batches += 1;
        onBatch(child);
        nextBatch.resolve(child);
      });
    },
    kill,
    killAll,
    waitForNextBatch: () => {
      nextBatch = Promise.withResolvers<ChildProcess>();
      return nextBatch.promise;
    },
    countBatches: () => batches,
  };
};
