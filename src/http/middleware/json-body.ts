import { shortenInput } from '#lib/mask-keys.ts';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import { readBodyText, readBodyType } from '../request/body-text.ts';
import { validateJsonText } from '../request/json-text.ts';
import { Problem } from '../response/problem.ts';

/** Throws the Problem of a body that is not uncompressed JSON. */
const rejectOtherMedia = (headers: Headers, text: string): void => {
  if (text === '') throw new Problem('invalid-body', 'A body is required. Send it as application/json.');
  const type = readBodyType(headers);
  if (!/^application\/([a-z.-]+\+)?json$/.test(type))
    throw new Problem('unsupported-media-type', `Send the body as application/json, not as '${shortenInput(type)}'.`);
};

/**
 * Reads the JSON body of an operation that has one, up to 1 MiB, and checks what a schema cannot: media type, syntax, and members that an object has
 * twice. Validation then finds the text in the cache of Hono. `hono/body-limit` has no time limit and keeps every chunk: 1 MiB in pieces of
 * one byte takes 200 MB.
 *
 * @example app.use('/versions/*', jsonBody())
 */
export const jsonBody = () =>
  createMiddleware<Env>(async (c, next) => {
    const { hasBody, bodyType } = c.get('operation');
    if (!hasBody || bodyType !== undefined) return next();
    const { headers } = c.req.raw;
    const encoding = headers.get('content-encoding') ?? 'identity';
    if (encoding.toLowerCase() !== 'identity')
      throw new Problem(
        'unsupported-media-type',
        `Send the body without compression, not with Content-Encoding '${shortenInput(encoding)}'.`,
      );
    const text = await readBodyText(c.req.raw);
    rejectOtherMedia(headers, text);
    validateJsonText(text);
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
    await next();
  });
