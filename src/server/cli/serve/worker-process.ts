import cluster from 'node:cluster';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isWorkerEvent, type WorkerCommand } from './worker-messages.ts';

/** A child process that serves requests on the port of the server. */
export type WorkerProcess = {
  readonly pid: number;
  /** Resolves with the port it listens on; rejects with what kept it from listening. */
  readonly listening: Promise<number>;
  /** Resolves with the exit code or the signal, as text. */
  readonly ended: Promise<string>;
  /** Sends a command, once the worker is ready for messages. */
  readonly send: (command: WorkerCommand) => void;
  readonly kill: () => void;
};

/** Receives what workers write to standard output and standard error, in whole lines. */
export type WorkerOutput = { readonly out: (lines: string) => void; readonly err: (lines: string) => void };

const NEWLINE = 10;

/** Forwards a stream in whole lines: the output of several processes would otherwise mix within a line. */
const relayLines = (from: Readable, write: (lines: string) => void): void => {
  let partialLine: readonly Buffer[] = [];
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      write(Buffer.concat([...partialLine, chunk.subarray(0, end)]).toString());
      partialLine = [];
    }
    if (end < chunk.length) partialLine = [...partialLine, chunk.subarray(end)];
  });
  from.on('end', () => {
    if (partialLine.length > 0) write(`${Buffer.concat(partialLine).toString()}\n`);
  });
};

/** Starts a worker and sends it its first command. */
export const startWorker = (firstCommand: WorkerCommand, { out, err }: WorkerOutput): WorkerProcess => {
  // Runs the worker module beside this one: JavaScript in a package, TypeScript in a checkout.
  const exec = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));
  // Workers accept connections themselves. If the first process distributed them, a connection on its way to a worker that dies would
  // stay open without a response.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec, args: [], silent: true });
  const worker = cluster.fork();
  if (worker.process.stdout) relayLines(worker.process.stdout, out);
  if (worker.process.stderr) relayLines(worker.process.stderr, err);
  const listening = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<string>();
  // Of a replacement worker no caller awaits `listening`; its end is reported instead.
  listening.promise.catch(() => {});
  const pending: WorkerCommand[] = [firstCommand];
  let isReady = false;
  const sendPending = (): void => {
    if (isReady && worker.isConnected()) for (const command of pending.splice(0)) worker.send(command);
  };
  worker.on('message', (message: unknown) => {
    if (!isWorkerEvent(message)) return;
    if (message.kind === 'ready') {
      isReady = true;
      sendPending();
    } else if (message.kind === 'listening') listening.resolve(message.port);
    else listening.reject(Object.assign(new Error(message.message), { code: message.code }));
  });
  // A channel that breaks during a write: the `close` event of the process reports the same.
  worker.on('error', () => {});
  worker.process.once('close', (code: number | null, signal: string | null) => {
    const exitStatus = signal === null ? `exit code ${code}` : `signal ${signal}`;
    listening.reject(new Error(`a worker ended with ${exitStatus} before it was listening`));
    ended.resolve(exitStatus);
  });
  return {
    pid: worker.process.pid ?? 0,
    listening: listening.promise,
    ended: ended.promise,
    send: (command) => {
      pending.push(command);
      sendPending();
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
};
