import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Processes of one script that do the same work in turns, and tell of each of their moves. */
export type Movers = {
  /** Those that live. */
  readonly children: ReadonlySet<ChildProcess>;
  readonly start: (...values: readonly string[]) => void;
  /** Ends one without a warning, and waits until it is gone. */
  readonly kill: (child: ChildProcess) => Promise<void>;
  readonly killAll: () => Promise<void>;
  /** The one that moves next, from now on. */
  readonly atWork: () => Promise<ChildProcess>;
  /** How many moves all of them have made. */
  readonly moves: () => number;
};

/** Starts none yet. `onMove` hears of each move. */
export const newMovers = (script: string, onMove: (child: ChildProcess) => void = () => {}): Movers => {
  const children = new Set<ChildProcess>();
  let moves = 0;
  let next = Promise.withResolvers<ChildProcess>();
  const start = (...values: readonly string[]): void => {
    const child = fork(script, values, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    child.on('message', () => {
      moves += 1;
      onMove(child);
      next.resolve(child);
    });
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    children,
    start,
    kill,
    killAll: async () => {
      await Promise.all(Array.from(children, kill));
    },
    atWork: () => {
      next = Promise.withResolvers<ChildProcess>();
      return next.promise;
    },
    moves: () => moves,
  };
};
