import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createChildProcesses, type ChildProcesses } from './child-processes.ts';

const script = fileURLToPath(new URL('./push-worker-process.ts', import.meta.url));

/** Delivery workers in child processes. */
export type PushProcesses = Pick<ChildProcesses, 'kill' | 'killAll'> & {
  /** Starts a worker and waits until it is ready. */
  readonly start: (url: string, settings: object) => Promise<ChildProcess>;
  /** Stops a worker after its attempts in progress. */
  readonly stop: (child: ChildProcess) => Promise<void>;
};

export const createPushProcesses = (): PushProcesses => {
  const { start, endAndWait, kill, killAll } = createChildProcesses(script);
  return {
    start: async (url, settings) => {
      const child = start(url, JSON.stringify(settings));
      await once(child, 'message');
      return child;
    },
    kill,
    stop: (child) => endAndWait(child, () => child.send('stop')),
    killAll,
  };
};
