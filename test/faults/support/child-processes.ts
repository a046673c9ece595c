import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Processes of one script, to be killed. */
export type ChildProcesses = {
  /** Those that live. */
  readonly running: ReadonlySet<ChildProcess>;
  readonly start: (...values: readonly string[]) => ChildProcess;
  /** Has one end in some way, and waits until it is gone. */
  readonly endAndWait: (child: ChildProcess, end: () => unknown) => Promise<void>;
  /** Ends one without a warning. */
  readonly kill: (child: ChildProcess) => Promise<void>;
  readonly killAll: () => Promise<void>;
};

/** Starts none yet. */
export const createChildProcesses = (script: string): ChildProcesses => {
  const living = new Set<ChildProcess>();
  const start = (...values: readonly string[]): ChildProcess => {
    const child = fork(script, values, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    living.add(child);
    child.once('exit', () => living.delete(child));
    return child;
  };
  const ending = async (child: ChildProcess, end: () => unknown): Promise<void> => {
    const ended = once(child, 'exit');
    end();
    await ended;
  };
  const kill = (child: ChildProcess): Promise<void> => ending(child, () => child.kill('SIGKILL'));
  const killAll = async (): Promise<void> => {
    await Promise.all(Array.from(living, kill));
  };
  return { running: living, start, endAndWait: ending, kill, killAll };
};
