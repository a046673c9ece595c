import { createMiddleware } from 'hono/factory';
import { readBody, replaceResponse } from '../context/body.ts';
import type { Env } from '../context/env.ts';
import { tagOfCoding } from '../response/conditional.ts';
import { selectCodingForSize } from '../response/content-negotiation.ts';

/**
 * Sends bodies in the preferred content coding. Each coding has an entity tag of its own: the tag of the uncompressed bytes with the name of the
 * coding. `hono/compress` has neither zstd nor Brotli, changes strong tags to weak ones, and compresses a cached page again each time.
 *
 * @example app.use(compression())
 */
export const compression = () =>
  createMiddleware<Env>(async (c, next) => {
    await next();
    const body = await readBody(c);
    if (!body) return;
    const { headers } = c.res;
    const coding = selectCodingForSize(c.req.raw.headers.get('accept-encoding'), body.bytes.byteLength);
    if (!headers.get('vary')?.includes('Accept-Encoding')) headers.append('Vary', 'Accept-Encoding');
    const etag = headers.get('etag');
    if (coding !== undefined && etag !== null) headers.set('ETag', tagOfCoding(etag, coding));
    if (c.res.status === 304) return;
    if (coding === undefined) {
      headers.set('Content-Length', String(body.bytes.byteLength));
      return;
    }
    const compressed = await body.compress(body.bytes, coding);
    headers.set('Content-Encoding', coding);
    headers.set('Content-Length', String(compressed.byteLength));
    replaceResponse(c, compressed);
  });
