import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { withTimeout } from '#lib/with-timeout.ts';
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
  /** Throws a Problem when the stream must end, e.g. because of a revoked key; called at this interval while the client does not read. */
  readonly access?: { readonly check: () => Promise<void>; readonly intervalMs: number };
};

/** Writes a chunk; returns false if the client has not read the one before in time. Throws the Problem of `access`. */
const writeChunk = async (
  stream: SSEStreamingApi,
  text: string,
  { stallMs, access }: Pick<EventStream, 'stallMs' | 'access'>,
): Promise<boolean> => {
  const written = stream.write(text);
  const intervalMs = access?.intervalMs ?? stallMs;
  for (let remainingMs = stallMs; remainingMs > 0; remainingMs -= intervalMs) {
    if (await withTimeout(Math.min(intervalMs, remainingMs), written)) return true;
    await access?.check();
  }
  return false;
};

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Disables the buffering of nginx and similar proxies.
  'X-Accel-Buffering': 'no',
} as const;

/**
 * Whether the client reads chunks, which HTTP/1.0 does not have. Without the header that says so, `serve` waits for a turn of the event loop
 * whether the stream ends at once.
 */
const readsChunks = ({ env }: Context<Env>): boolean => {
  const bindings: Env['Bindings'] | undefined = env;
  return bindings?.incoming?.httpVersion === '1.1';
};

/**
 * Returns a 200 whose body is a stream of server-sent events; a HEAD request gets its headers only. The next chunk is requested after the client
 * has read the one before, so a slow reader costs two chunks of memory. An error ends the stream like its end does: the client reconnects
 * and gets an error response.
 */
export const sendEventStream = (
  c: Context<Env>,
  { chunks, onEnd, ...limits }: EventStream,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const allHeaders = { ...streamHeaders, ...headers };
  if (c.req.method === 'HEAD') {
    onEnd();
    return c.body(null, 200, allHeaders);
  }
  const response = streamSSE(c, async (stream) => {
    const ended = new AbortController();
    stream.onAbort(() => ended.abort());
    try {
      for await (const text of chunks(ended.signal)) {
        const isWritten = await writeChunk(stream, text, limits).catch((error: unknown) => {
          // It would wait for the client to read.
          stream.abort();
          throw error;
        });
        if (ended.signal.aborted) return;
        if (!isWritten) return stream.abort();
      }
    } catch (error) {
      // A Problem, such as a revoked key, is not an error of the service.
      if (!(error instanceof Problem)) c.get('logFailure')(error);
    } finally {
      onEnd();
    }
  });
  for (const [name, value] of Object.entries(allHeaders)) response.headers.set(name, value);
  const common = c.get('headers');
  // The server decides: it closes connections while it drains.
  delete common['connection'];
  if (!readsChunks(c)) delete common['transfer-encoding'];
  return response;
};
