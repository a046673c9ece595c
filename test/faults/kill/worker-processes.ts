import type { ChildProcess } from 'node:child_process';
import { createChildProcesses, type ChildProcesses } from '../support/child-processes.ts';

/** Child processes of one script that compete for the same work and report each batch (move). */
export type WorkerProcesses = Pick<ChildProcesses, 'kill' | 'killAll'> & {
  /** The running processes. */
  readonly running: ReadonlySet<ChildProcess>;
  readonly start: (...values: readonly string[]) => void;
  /** Resolves with the process that completes the next batch. */
  readonly waitForNextMove: () => Promise<ChildProcess>;
  /** The number of batches of all processes. */
  readonly countMoves: () => number;
};

/** Creates the group without starting a process. `onMove` is called for each batch. */
export const createWorkerProcesses = (
  script: string,
  onMove: (child: ChildProcess) => void = () => {},
): WorkerProcesses => {
  const { running, start, kill, killAll } = createChildProcesses(script);
  let moves = 0;
  let nextMove = Promise.withResolvers<ChildProcess>();
  return {
    running,
    start: (...values) => {
      const child = start(...values);
      child.on('message', () => {
        moves += 1;
        onMove(child);
        nextMove.resolve(child);
      });
    },
    kill,
    killAll,
    waitForNextMove: () => {
      nextMove = Promise.withResolvers<ChildProcess>();
      return nextMove.promise;
    },
    countMoves: () => moves,
  };
};
