import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Problem } from '#http/response/problem.ts';
import type { RenderResult, RenderRequest } from './render-worker.ts';
import type { FlightMapSource } from './map-source.ts';

/** Renders the page of a flight at `now`, milliseconds since 1970, as HTML in UTF-8. */
export type RenderMapPage = (source: FlightMapSource, now: number) => Promise<Uint8Array<ArrayBuffer>>;

/** A worker thread that renders pages; it starts with the first one. */
export type MapRenderer = {
  readonly render: RenderMapPage;
  /** Stops the thread; pages in progress fail. A later `render` starts a new thread. */
  readonly stop: () => Promise<void>;
};

/** Limit of pages in progress and waiting: at about 200 ms each, the last one takes about 6 s. */
const MAX_WAITING = 32;
const RETRY_AFTER_SECONDS = 5;

type PendingRequest = {
  readonly resolve: (page: Uint8Array<ArrayBuffer>) => void;
  readonly reject: (reason: unknown) => void;
};
type RenderThread = { readonly worker: Worker; readonly pending: Map<number, PendingRequest> };

/** Returns the worker file beside this one: JavaScript in a package, TypeScript in a checkout. */
const findWorkerFile = (): URL => new URL(`./render-worker${extname(import.meta.url)}`, import.meta.url);

const startThread = (file: URL, onEnd: () => void): RenderThread => {
  const worker = new Worker(file, { name: 'maps', execArgv: [] });
  const pending = new Map<number, PendingRequest>();
  const end = (cause: unknown): void => {
    onEnd();
    for (const { reject } of pending.values())
      reject(new Error('the map rendering thread ended unexpectedly', { cause }));
    pending.clear();
  };
  worker.on('message', (result: RenderResult) => {
    const request = pending.get(result.number);
    pending.delete(result.number);
    if ('page' in result) request?.resolve(result.page);
    else request?.reject(result.error);
  });
  worker.on('error', end);
  worker.on('exit', (code) => end(`exit code ${code}`));
  // The thread must not keep the process alive.
  worker.unref();
  return { worker, pending };
};

const tooManyMapsProblem = (): Problem =>
  new Problem('unavailable', `Too many maps are being rendered. Retry in ${RETRY_AFTER_SECONDS} seconds.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });

/**
 * Opens a renderer that works in one thread, page by page: a page takes 0.1 to 0.4 s, the first one up to 1 s, which would
 * block the event loop. The thread starts with the first page, and again after it has failed.
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
        const { worker, pending } = thread;
        if (pending.size >= MAX_WAITING) throw tooManyMapsProblem();
        last += 1;
        const request: RenderRequest = { number: last, source, now };
        worker.postMessage(request, []);
        pending.set(last, { resolve, reject });
      }),
    stop: async () => {
      await thread?.worker.terminate();
    },
  };
};
