import cluster from 'node:cluster';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { relayLines } from './relay-lines.ts';
import { isNews, type WorkerOrder } from './worker-orders.ts';

/** A process that answers requests beside others. */
export type StartedWorker = {
  readonly pid: number;
  /** The port it listens on; rejects with what kept it from listening. */
  readonly listening: Promise<number>;
  /** How it ended, once it has. */
  readonly ended: Promise<string>;
  /** What is ordered before it hears is told as soon as it does. */
  readonly order: (order: WorkerOrder) => void;
  readonly kill: () => void;
};

/** Where lines of workers go. */
export type WorkerOutput = { readonly out: (lines: string) => void; readonly err: (lines: string) => void };

/** Starts a worker and gives it its task. */
export const startWorker = (task: WorkerOrder, { out, err }: WorkerOutput): StartedWorker => {
  // A package holds this as JavaScript, a checkout as TypeScript: the worker runs what lies beside this file.
  const exec = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));
  // Workers take connections from the port themselves. Were they handed out by the first process, one that was on its way to a worker that
  // dies would stay open for ever, without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec, args: [], silent: true });
  const worker = cluster.fork();
  if (worker.process.stdout) relayLines(worker.process.stdout, out);
  if (worker.process.stderr) relayLines(worker.process.stderr, err);
  const listening = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<string>();
  // Whoever waits for it learns of it; of one that takes the place of another the end tells enough.
  listening.promise.catch(() => {});
  const orders: WorkerOrder[] = [task];
  let isReady = false;
  const tell = (): void => {
    if (isReady && worker.isConnected()) for (const order of orders.splice(0)) worker.send(order);
  };
  worker.on('message', (message: unknown) => {
    if (!isNews(message)) return;
    if (message.kind === 'ready') {
      isReady = true;
      tell();
    } else if (message.kind === 'listening') listening.resolve(message.port);
    else listening.reject(new Error(message.message));
  });
  // A channel that breaks while something is written to it: the end of the process tells the same.
  worker.on('error', () => {});
  worker.process.once('close', (code: number | null, signal: string | null) => {
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    listening.reject(new Error(`a worker ended with ${how} before it listened`));
    ended.resolve(how);
  });
  return {
    pid: worker.process.pid ?? 0,
    listening: listening.promise,
    ended: ended.promise,
    order: (order) => {
      orders.push(order);
      tell();
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
};
