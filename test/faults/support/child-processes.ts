import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Child processes of one script. */
export type ChildProcesses = {
  /** The running processes. */
  readonly running: ReadonlySet<ChildProcess>;
  readonly start: (...values: readonly string[]) => ChildProcess;
  /** Runs an action that ends a process and waits until it has exited. */
  readonly endAndWait: (child: ChildProcess, action: () => unknown) => Promise<void>;
  /** Kills a process with SIGKILL and waits until it has exited. */
  readonly kill: (child: ChildProcess) => Promise<void>;
  readonly killAll: () => Promise<void>;
};

/** Creates the group without starting a process. */
export const createChildProcesses = (script: string): ChildProcesses => {
  const running = new Set<ChildProcess>();
  const start = (...values: readonly string[]): ChildProcess => {
    const child = fork(script, values, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const endAndWait = async (child: ChildProcess, action: () => unknown): Promise<void> => {
    const exited = once(child, 'exit');
    action();
    await exited;
  };
  const kill = (child: ChildProcess): Promise<void> => endAndWait(child, () => child.kill('SIGKILL'));
  const killAll = async (): Promise<void> => {
    await Promise.all(Array.from(running, kill));
  };
  return { running, start, endAndWait, kill, killAll };
};
