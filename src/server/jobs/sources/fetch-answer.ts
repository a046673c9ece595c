import type http from 'node:http';
import { openResponse, TransferWatch, type DownloadRoute } from './download-file.ts';

/** An answer of a server to a request. */
export type FetchedAnswer = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
};

export type FetchAnswerOptions = {
  readonly route: DownloadRoute;
  readonly headers: http.OutgoingHttpHeaders;
  readonly maxBytes: number;
  /** Time for the whole answer, milliseconds. */
  readonly timeoutMs: number;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Fetches an answer into memory. Redirects lead to https or the mirror only. Throws when the server does not respond in time, when the connection is
 * lost, and when the answer exceeds `maxBytes`; a status other than 200 is no error.
 */
export const fetchAnswer = async (
  address: string,
  { route, headers, maxBytes, timeoutMs, signal }: FetchAnswerOptions,
): Promise<FetchedAnswer> => {
  const watch = new TransferWatch({ totalMs: timeoutMs, minBytes: 0, windowMs: timeoutMs }, signal);
  try {
    const { response, body, findLoss } = await openResponse(
      address,
      { 'accept-encoding': 'identity', ...headers },
      { route, watch },
    );
    try {
      const pieces: Buffer[] = [];
      let bytes = 0;
      const received: AsyncIterable<Buffer> = body;
      for await (const piece of received) {
        bytes += piece.length;
        if (bytes > maxBytes) throw new RangeError(`the answer is larger than the limit of ${maxBytes} bytes`);
        pieces.push(piece);
      }
      watch.signal.throwIfAborted();
      const cause = findLoss();
      if (cause !== undefined || !response.complete)
        throw new Error(`the connection was lost after ${bytes} bytes`, { cause });
      return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) };
    } finally {
      response.destroy();
    }
  } finally {
    watch.stop();
  }
};
