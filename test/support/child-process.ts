import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

type Opened = { readonly pid: string; readonly system: string };

/** What it says once, as soon as it knows. */
export type ProcessMessage = { readonly opened?: Opened | undefined; readonly failed?: string | undefined };

export type OtherProcess = {
  /** The server it reached: process id of PostgreSQL, and the number that tells one cluster from another. */
  readonly opened: Opened | undefined;
  /** Why it could not. */
  readonly failed: string | undefined;
  readonly close: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

export type OtherOptions = { readonly role?: 'server' };

/** Opens the embedded engine of a data directory in a process of its own, which then waits to be closed or killed. */
export const openInOtherProcess = async (dataDir: string, { role }: OtherOptions = {}): Promise<OtherProcess> => {
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
