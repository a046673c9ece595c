import type { Context } from 'hono';
import { Problem } from '../response/problem.ts';
import type { Env } from './env.ts';

/** Server-sent events as they are written. */
export type EventStream = {
  /** Yields chunks of whole events; must return when the signal aborts, because the client has disconnected. */
  readonly chunks: (signal: AbortSignal) => AsyncIterable<string>;
  /** Called once, when the stream has ended or was never started. */
  readonly onEnd: () => void;
  /** How long the client may take to read a chunk before the stream ends, milliseconds. */
  readonly stallMs: number;
};

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Disables the buffering of nginx and similar proxies.
  'X-Accel-Buffering': 'no',
} as const;

/** Yields encoded chunks until they end, fail, or one is not read in time. */
async function* encodeChunks(
  { chunks, stallMs }: EventStream,
  { signal, onError, onEnd }: { signal: AbortSignal; onError: (error: unknown) => void; onEnd: () => void },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const text of chunks(signal)) {
      timer = setTimeout(onEnd, stallMs).unref();
      yield encoder.encode(text);
      clearTimeout(timer);
      if (signal.aborted) return;
    }
  } catch (error) {
    onError(error);
  } finally {
    clearTimeout(timer);
    onEnd();
  }
}

/**
 * Returns a 200 whose body is a stream of server-sent events; a HEAD request gets its headers only. The next chunk is requested after the client
 * has read the one before, so a slow reader costs one chunk of memory. An error ends the stream like its end does: the client reconnects and
 * gets an error response. `streamSSE` of `hono/streaming` takes three chunks more than the client reads, and thus notices a client that reads
 * nothing only after three heartbeats.
 */
export const sendEventStream = (
  c: Context<Env>,
  stream: EventStream,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const allHeaders = { ...streamHeaders, ...headers };
  if (c.req.method === 'HEAD') {
    stream.onEnd();
    return c.body(null, 200, allHeaders);
  }
  const ended = new AbortController();
  const end = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    stream.onEnd();
    void encoded.return(undefined);
  };
  const encoded = encodeChunks(stream, {
    signal: ended.signal,
    onError: (error) => {
      // A Problem, such as a revoked key, is not an error of the service.
      if (!(error instanceof Problem)) c.get('logFailure')(error);
    },
    onEnd: end,
  });
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await encoded.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return c.body(body, 200, allHeaders);
};
