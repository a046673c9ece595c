import { createMiddleware } from 'hono/factory';
import { readBody, replaceResponse } from '../context/body.ts';
import type { Env } from '../context/env.ts';
import { computeEntityTag, isNotModified } from '../response/conditional.ts';

/** Headers that describe the body, which a 304 has not (RFC 9110, 15.4.5). */
const bodyHeaders = ['Content-Type', 'Content-Length'] as const;

/**
 * Adds an entity tag to the responses for which the contract declares a 304, and sends a 304 to a client that has the body (RFC 9110, 13).
 * `hono/etag` computes a SHA-1 of a clone of each body: 172 kB take 0.4 ms more than xxHash, and cached pages would pay it each time.
 *
 * @example app.use(conditional())
 */
export const conditional = () =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    if (c.res.status !== 200 || !c.get('isConditional')) return;
    const body = await readBody(c);
    if (!body) return;
    body.etag ??= computeEntityTag(body.bytes);
    const { headers } = c.res;
    headers.set('ETag', body.etag);
    if (!isNotModified(c.req.raw.headers, body.etag, headers.get('last-modified'))) return;
    for (const name of bodyHeaders) headers.delete(name);
    replaceResponse(c, null, 304);
  });
