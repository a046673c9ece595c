import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { readBody, replaceResponse } from '../context/body.ts';
import type { Env, ResponseBody, ResponseHeaders } from '../context/env.ts';
import { tagOfCoding } from '../response/conditional.ts';
import { selectCodingForSize } from '../response/content-negotiation.ts';

/** Adds the common headers to a stream, which has its own already. */
const addHeaders = ({ headers }: Response, added: ResponseHeaders): void => {
  for (const [name, value] of Object.entries(added)) if (!headers.has(name)) headers.set(name, value);
};

/** Sends the bytes in the preferred coding; a 304 has the tag of that coding. */
const sendCoded = async (c: Context<Env>, { bytes, compress }: ResponseBody): Promise<void> => {
  const headers = c.get('headers');
  const { status } = c.res;
  const coding = selectCodingForSize(c.req.raw.headers.get('accept-encoding'), bytes.byteLength);
  const { vary = '', etag } = headers;
  if (!vary.includes('Accept-Encoding')) headers['vary'] = vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
  if (coding !== undefined && etag !== undefined) headers['etag'] = tagOfCoding(etag, coding);
  if (status === 304) return replaceResponse(c, null, status);
  const coded = coding === undefined ? bytes : compress(bytes, coding);
  const sent = coded instanceof Promise ? await coded : coded;
  if (coding !== undefined) headers['content-encoding'] = coding;
  headers['content-length'] = String(sent.byteLength);
  replaceResponse(c, sent, status);
};

/**
 * Sends the response: its body in the preferred content coding, with the headers of the context. Each coding has an entity tag of its own: the
 * tag of the uncompressed bytes with the name of the coding. `hono/compress` has neither zstd nor Brotli, changes strong tags to weak
 * ones, and compresses a cached page again each time.
 *
 * @example app.use(compression())
 */
export const compression = () =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    const body = c.get('body') ?? (await readBody(c));
    if (body === 'stream') return addHeaders(c.res, c.get('headers'));
    if (body) return sendCoded(c, body);
    replaceResponse(c, null, c.res.status);
  });
