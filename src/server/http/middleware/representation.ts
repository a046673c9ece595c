import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { readBody, replaceResponse } from '../context/body.ts';
import type { Env, ResponseBody, ResponseHeaders } from '../context/env.ts';
import { computeEntityTag, isNotModified, tagOfCoding } from '../response/conditional.ts';
import { selectCodingForSize } from '../response/content-negotiation.ts';
import { setDataAge } from './data-as-of.ts';

/** The headers that the contract declares for every 304; those that describe the body are not among them (RFC 9110, 15.4.5). */
const notModifiedHeaders =
  /^(?:cache-control|age|data-as-of|vary|etag|last-modified|link|api-version|deprecation|sunset|ignored-parameters|ratelimit(?:-policy)?|content-security-policy|referrer-policy|x-.*)$/;

const removeBodyHeaders = (headers: ResponseHeaders): void => {
  for (const name of Object.keys(headers)) if (!notModifiedHeaders.test(name)) delete headers[name];
};

/** Adds the common headers to a stream, which has its own already. */
const addHeaders = ({ headers }: Response, added: ResponseHeaders): void => {
  for (const [name, value] of Object.entries(added)) if (!headers.has(name)) headers.set(name, value);
};

/** Sets the entity tag of a response for which the contract declares a 304; returns whether the client has its body (RFC 9110, 13). */
const isAtClient = (c: Context<Env>, body: ResponseBody): boolean => {
  if (c.res.status !== 200 || !(c.get('operation')?.isConditional ?? c.get('isConditional'))) return false;
  const headers = c.get('headers');
  headers['etag'] = body.etag ??= computeEntityTag(body.bytes);
  return isNotModified(c.req.raw.headers, body.etag, headers['last-modified']);
};

/** Sends the bytes in the preferred coding; a 304 has the tag of that coding. */
const send = (c: Context<Env>, { bytes, compress }: ResponseBody, status: number): void | Promise<void> => {
  const headers = c.get('headers');
  const coding = selectCodingForSize(c.req.raw.headers.get('accept-encoding'), bytes.byteLength);
  const { vary = '', etag } = headers;
  if (!vary.includes('Accept-Encoding')) headers['vary'] = vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
  if (coding !== undefined && etag !== undefined) headers['etag'] = tagOfCoding(etag, coding);
  if (status === 304) return replaceResponse(c, null, status);
  const sendBytes = (sent: Uint8Array<ArrayBuffer>): void => {
    if (coding !== undefined) headers['content-encoding'] = coding;
    headers['content-length'] = String(sent.byteLength);
    replaceResponse(c, sent, status);
  };
  const coded = coding === undefined ? bytes : compress(bytes, coding);
  return coded instanceof Promise ? coded.then(sendBytes) : sendBytes(coded);
};

/**
 * Sends the response with the headers of the context, as the client prefers it: the age of stale data, the entity tag or a 304, and the body in
 * a content coding. Each coding has a tag of its own: the tag of the uncompressed bytes with the name of the coding.
 *
 * Of Hono, `compress` has neither zstd nor Brotli and makes strong tags weak, and `etag` hashes each response again: a cached page keeps its tag
 * and its compressed forms.
 *
 * @example app.use(representation())
 */
export const representation = () =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    if (c.get('dataAsOf')) setDataAge(c);
    const ignored = c.get('ignoredParameters');
    if (ignored !== undefined && c.res.ok) c.get('headers')['ignored-parameters'] = ignored;
    const body = c.get('body') ?? (await readBody(c));
    if (body === 'stream') return addHeaders(c.res, c.get('headers'));
    if (!body) return replaceResponse(c, null, c.res.status);
    if (!isAtClient(c, body)) return send(c, body, c.res.status);
    removeBodyHeaders(c.get('headers'));
    return send(c, body, 304);
  });
