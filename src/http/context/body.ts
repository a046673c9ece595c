import type { Context, TypedResponse } from 'hono';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import type { JSONParsed } from 'hono/utils/types';
import { compressBody } from '../response/content-negotiation.ts';
import type { Env, ResponseBody } from './env.ts';

/** Whether the bytes can be a response body without a copy; true for all buffers of Node. */
const isSendable = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;

export const createBody = (bytes: Uint8Array): ResponseBody => ({
  bytes: isSendable(bytes) ? bytes : new Uint8Array(bytes),
  compress: compressBody,
});

/** Returns a response with a finished body, sent as it is. */
export const sendBody = (
  c: Context<Env>,
  body: ResponseBody,
  { status = 200, headers = {} }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Response => {
  c.set('body', body);
  return c.body(body.bytes, status as ContentfulStatusCode, headers);
};

/**
 * Returns a 200 with finished JSON bytes as the typed response of an operation. The caller guarantees that they are the UTF-8 JSON text of
 * a `Content`.
 */
export const sendRendered = <Content>(
  c: Context<Env>,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Response & TypedResponse<JSONParsed<Content>, 200, 'json'> =>
  sendBody(c, createBody(bytes), {
    headers: { 'Content-Type': 'application/json', ...headers },
  }) as Response & TypedResponse<JSONParsed<Content>, 200, 'json'>;

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

/** Returns the body of the response, which is read once where a handler used `c.json`; undefined for streams and without a body. */
export const readBody = async (c: Context<Env>): Promise<ResponseBody | undefined> => {
  const known = c.get('body');
  if (known || isStream(c.res) || [204, 304].includes(c.res.status)) return known;
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  const body = bytes.byteLength === 0 ? undefined : createBody(bytes);
  replaceResponse(c, bytes);
  c.set('body', body);
  return body;
};

/** Replaces body and status of the response and keeps its headers. */
export const replaceResponse = (
  c: Context<Env>,
  bytes: Uint8Array<ArrayBuffer> | null,
  status: StatusCode | number = c.res.status,
): void => {
  const { headers } = c.res;
  // Otherwise Hono merges the headers of both responses one by one.
  c.res = undefined;
  c.res = new Response(bytes, { status, headers });
};
