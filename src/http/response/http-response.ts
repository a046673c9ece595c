import type { CompressBody } from './content-negotiation.ts';
import { toReadableStream, type EventStream } from './event-stream.ts';

type ResponseParts<Status extends number> = {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | EventStream | null;
  readonly etag?: string | undefined;
  readonly compress?: CompressBody | undefined;
};

/**
 * A response from handler to socket: handlers return it, the page cache stores it, the router adds headers and converts it once.
 * Reading and changing the headers of a fetch `Response` costs more than the rest of a short response.
 */
export class HttpResponse<Status extends number = number, Content = unknown> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | EventStream | null;
  /** Entity tag of the uncompressed body; only set where a conditional request may get a 304 instead. */
  readonly etag: string | undefined;
  /** Compresses the body; set by the page cache, which stores compressed bodies. */
  readonly compress: CompressBody | undefined;
  /** The contract's type of the JSON body, for the compiler only. */
  declare readonly content?: Content;

  constructor({ status, headers = {}, body = null, etag, compress }: ResponseParts<Status>) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.etag = etag;
    this.compress = compress;
  }

  /** Returns a copy with other parts. */
  with(changes: Partial<Omit<ResponseParts<Status>, 'status'>>): HttpResponse<Status, Content> {
    return new HttpResponse<Status, Content>({ ...this, ...changes });
  }

  /** Returns the body; throws where it is a stream. */
  getBytes(): Uint8Array {
    if (this.body === null) return new Uint8Array();
    if (this.body instanceof Uint8Array) return this.body;
    throw new TypeError('the body is a stream');
  }
}

/** Returns a response with a JSON body and a status of the operation's contract; an undefined body sends none. */
export const jsonResponse = <const Status extends number, Content>(
  status: Status,
  body: Content,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse<Status, Content> =>
  body === undefined
    ? new HttpResponse({ status, headers })
    : new HttpResponse({
        status,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: Buffer.from(JSON.stringify(body)),
      });

/** Returns a 200 with finished bytes, sent as they are. The caller guarantees that they are the UTF-8 JSON text of a `Content`. */
export const renderedResponse = <Content>(
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse<200, Content> =>
  new HttpResponse({ status: 200, headers: { 'Content-Type': 'application/json', ...headers }, body: bytes });

/** Returns a 200 whose body is a stream of server-sent events. */
export const eventStreamResponse = (
  stream: EventStream,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse<200, EventStream> =>
  new HttpResponse({
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Disables the buffering of nginx and similar proxies.
      'X-Accel-Buffering': 'no',
      ...headers,
    },
    body: stream,
  });

/** Whether the bytes can be a fetch body without a copy; true for all buffers of Node. */
const isSendable = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;

export type FetchResponseOptions = {
  readonly isHead?: boolean;
  /** Called with the error that ended an event stream early. */
  readonly onStreamError?: (error: unknown) => void;
};

/** Returns the response as the HTTP server takes it. A HEAD request gets the headers only, and starts no stream. */
export const toFetchResponse = (
  { status, headers, body }: HttpResponse,
  { isHead = false, onStreamError = () => {} }: FetchResponseOptions = {},
): Response => {
  if (body === null) return new Response(null, { status, headers });
  if (body instanceof Uint8Array) {
    const bytes = isSendable(body) ? body : new Uint8Array(body);
    return new Response(isHead ? null : bytes, { status, headers });
  }
  if (!isHead) return new Response(toReadableStream(body, onStreamError), { status, headers });
  body.onEnd();
  return new Response(null, { status, headers });
};
