import type { Context, TypedResponse } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { JSONParsed } from 'hono/utils/types';
import { compressBody } from '../response/content-negotiation.ts';
import type { Env, ResponseBody, ResponseHeaders } from './env.ts';

/** Whether the bytes can be a response body without a copy; true for all buffers of Node. */
const isSendable = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;

/** Returns a body of these bytes, without a copy where they are a buffer of Node; it is compressed when it is sent. */
export const createBody = (bytes: Uint8Array): ResponseBody => ({
  bytes: isSendable(bytes) ? bytes : new Uint8Array(bytes),
  compress: compressBody,
});

/** Sets headers of the response, in any spelling. */
export const setHeaders = (headers: ResponseHeaders, added: Readonly<Record<string, string>>): void => {
  for (const name in added) headers[name.toLowerCase()] = added[name] ?? '';
};

/** Returns a response with a finished body; the middleware `representation` sends it. */
export const sendBody = (
  c: Context<Env>,
  body: ResponseBody,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response => {
  c.set('body', body);
  setHeaders(c.get('headers'), headers);
  return c.body(null, status as ContentfulStatusCode);
};

/**
 * Returns a 200 with finished JSON bytes as the typed response of an operation. The caller guarantees that they are the UTF-8 JSON text of
 * a `Content`.
 */
export const sendRendered = <Content>(
  c: Context<Env>,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Response & TypedResponse<JSONParsed<Content>, 200, 'json'> => {
  c.get('headers')['content-type'] = 'application/json';
  return sendBody(c, createBody(bytes), { headers }) as Response & TypedResponse<JSONParsed<Content>, 200, 'json'>;
};

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

/**
 * Returns the body of the response: that of `sendBody`, or what a handler sent with `c.json` or `c.body`, which is read once. Undefined
 * without a body, and `stream` for a stream.
 */
export const readBody = async (c: Context<Env>): Promise<ResponseBody | 'stream' | undefined> => {
  const known = c.get('body');
  if (known) return known;
  if (isStream(c.res)) return 'stream';
  setHeaders(c.get('headers'), Object.fromEntries(c.res.headers));
  const bytes = Buffer.from(await c.res.arrayBuffer());
  const body = bytes.byteLength === 0 ? undefined : createBody(bytes);
  // It is read: the same status without a body.
  replaceResponse(c, null, c.res.status);
  c.set('body', body);
  return body;
};

/** Replaces the response by one with these bytes and the headers of the context. */
export const replaceResponse = (c: Context<Env>, bytes: Uint8Array<ArrayBuffer> | null, status: number): void => {
  // Otherwise Hono merges the headers of both responses one by one.
  c.res = undefined;
  c.res = new Response(bytes, { status, headers: c.get('headers') });
};
