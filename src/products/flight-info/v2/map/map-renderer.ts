import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Problem } from '../../../../http/response/problem.ts';
import type { RenderResult, RenderRequest } from './render-worker.ts';
import type { FlightMapSource } from './map-source.ts';

/** Draws the page of a flight as it is at `now`, milliseconds since 1970: HTML in UTF-8. */
export type RenderMapPage = (source: FlightMapSource, now: number) => Promise<Uint8Array<ArrayBuffer>>;

/** A thread that draws, once something is to be drawn. */
export type MapRenderer = {
  readonly render: RenderMapPage;
  /** Ends the thread, and with it the drawings under way: they fail. What is wanted afterwards starts another thread. */
  readonly stop: () => Promise<void>;
};

/** Drawings under way and waiting; at some 200 ms each the last of them is out before its reader loses patience. */
const MAX_WAITING = 32;
const RETRY_AFTER_SECONDS = 5;

type PendingRequest = {
  readonly resolve: (page: Uint8Array<ArrayBuffer>) => void;
  readonly reject: (why: unknown) => void;
};
type RenderThread = { readonly worker: Worker; readonly readers: Map<number, PendingRequest> };

/** A package holds this as JavaScript, a checkout as TypeScript: the thread runs what lies beside this file. */
const findWorkerFile = (): URL => new URL(`./render-worker${extname(import.meta.url)}`, import.meta.url);

const startThread = (file: URL, onEnd: () => void): RenderThread => {
  const worker = new Worker(file, { name: 'maps', execArgv: [] });
  const readers = new Map<number, PendingRequest>();
  const end = (cause: unknown): void => {
    onEnd();
    for (const { reject } of readers.values()) reject(new Error('the thread that draws maps has died', { cause }));
    readers.clear();
  };
  worker.on('message', (drawn: RenderResult) => {
    const reader = readers.get(drawn.number);
    readers.delete(drawn.number);
    if ('page' in drawn) reader?.resolve(drawn.page);
    else reader?.reject(drawn.fault);
  });
  worker.on('error', end);
  worker.on('exit', (code) => end(`exit code ${code}`));
  // Maps are never a reason for a process to live on.
  worker.unref();
  return { worker, readers };
};

const tooManyMaps = (): Problem =>
  new Problem('unavailable', `Too many maps are being drawn. Try again in ${RETRY_AFTER_SECONDS} seconds.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });

/**
 * Draws maps in one thread of their own, one after the other: a map takes 0.1 to 0.4 s, the first one up to 1 s, for which
 * the event loop would answer nobody. The thread starts with the first map, and anew with the next one after it has died.
 */
export const openMapRenderer = (file = findWorkerFile()): MapRenderer => {
  let thread: RenderThread | undefined;
  let last = 0;
  const start = (): RenderThread => {
    const started = startThread(file, () => {
      if (thread === started) thread = undefined;
    });
    return started;
  };
  return {
    render: (source, now) =>
      new Promise((resolve, reject) => {
        thread ??= start();
        const { worker, readers } = thread;
        if (readers.size >= MAX_WAITING) throw tooManyMaps();
        last += 1;
        const wanted: RenderRequest = { number: last, source, now };
        worker.postMessage(wanted, []);
        readers.set(last, { resolve, reject });
      }),
    stop: async () => {
      await thread?.worker.terminate();
    },
  };
};
