import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./push-worker.ts', import.meta.url));

/** Workers in processes of their own. */
export type PushChildren = {
  /** Starts one on a database, and resolves once it pushes. */
  readonly start: (url: string, settings: object) => Promise<ChildProcess>;
  readonly kill: (child: ChildProcess) => Promise<void>;
  /** Lets it end what is under way. */
  readonly stop: (child: ChildProcess) => Promise<void>;
  readonly killAll: () => Promise<void>;
};

export const newPushChildren = (): PushChildren => {
  const children = new Set<ChildProcess>();
  const ending = async (child: ChildProcess, end: () => unknown): Promise<void> => {
    const ended = once(child, 'exit');
    end();
    await ended;
  };
  const kill = (child: ChildProcess): Promise<void> => ending(child, () => child.kill('SIGKILL'));
  return {
    start: async (url, settings) => {
      const child = fork(script, [url, JSON.stringify(settings)], {
        execArgv: [],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.add(child);
      child.once('exit', () => children.delete(child));
      await once(child, 'message');
      return child;
    },
    kill,
    stop: (child) => ending(child, () => child.send('stop')),
    killAll: async () => {
      for (const child of children) await kill(child);
    },
  };
};
