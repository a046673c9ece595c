import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

type Opened = { readonly pid: string; readonly system: string };

/** Sent once by the child process: the server it reached, or why it failed. */
export type ProcessMessage = { readonly opened?: Opened | undefined; readonly failed?: string | undefined };

export type EngineProcess = {
  /** The server it reached: process ID of PostgreSQL and the system identifier of the cluster. */
  readonly opened: Opened | undefined;
  /** Why it failed. */
  readonly failed: string | undefined;
  readonly close: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

export type ChildProcessOptions = { readonly role?: 'server' };

/** Opens the embedded engine of a data directory in a child process, which then waits to be closed or killed. */
export const openInOtherProcess = async (
  dataDir: string,
  { role }: ChildProcessOptions = {},
): Promise<EngineProcess> => {
  const script = fileURLToPath(new URL('./embedded-user.ts', import.meta.url));
  const child = fork(script, role ? [dataDir, role] : [dataDir], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { opened, failed } = await new Promise<ProcessMessage>((resolve) => {
    child.once('message', (message: ProcessMessage) => resolve(message));
    child.once('exit', () => resolve({ failed: 'it ended' }));
  });
  return {
    opened,
    failed,
    close: () => finish(child, () => child.disconnect()),
    kill: () => finish(child, () => child.kill('SIGKILL')),
  };
};

const finish = async (child: ChildProcess, step: () => void): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  step();
  await ended;
};
