import type { ChildProcess } from 'node:child_process';
import { createChildProcesses, type ChildProcesses } from '../support/child-processes.ts';

/** Processes of one script that do the same work in turns, and tell of each of their moves. */
export type WorkerProcesses = Pick<ChildProcesses, 'kill' | 'killAll'> & {
  /** Those that live. */
  readonly running: ReadonlySet<ChildProcess>;
  readonly start: (...values: readonly string[]) => void;
  /** The one that moves next, from now on. */
  readonly waitForNextMove: () => Promise<ChildProcess>;
  /** How many moves all of them have made. */
  readonly countMoves: () => number;
};

/** Starts none yet. `onMove` hears of each move. */
export const createWorkerProcesses = (
  script: string,
  onMove: (child: ChildProcess) => void = () => {},
): WorkerProcesses => {
  const { running: living, start, kill, killAll } = createChildProcesses(script);
  let moves = 0;
  let next = Promise.withResolvers<ChildProcess>();
  return {
    running: living,
    start: (...values) => {
      const child = start(...values);
      child.on('message', () => {
        moves += 1;
        onMove(child);
        next.resolve(child);
      });
    },
    kill,
    killAll,
    waitForNextMove: () => {
      next = Promise.withResolvers<ChildProcess>();
      return next.promise;
    },
    countMoves: () => moves,
  };
};
