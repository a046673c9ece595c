import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { createMiddleware } from 'hono/factory';
import { getErrorCode } from '#lib/error-code.ts';
import { shortenInput } from '#lib/mask-keys.ts';
import type { Env } from '../context/env.ts';
import { overloadedProblem } from '../rate-limit/load-shedder.ts';
import { bodyTooLargeProblem, MAX_FEED_BYTES, readBodyBytes, readBodyType } from '../request/body-text.ts';
import { Problem } from '../response/problem.ts';

/** Requests whose bodies a process holds at the same time: each can have twice the limit, and the messages read from it. */
const MAX_BODIES = 16;

const unzip = promisify(gunzip);

const decompress = async (bytes: Buffer): Promise<Buffer> => {
  try {
    return await unzip(bytes, { maxOutputLength: MAX_FEED_BYTES });
  } catch (cause) {
    if (getErrorCode(cause) === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLargeProblem(MAX_FEED_BYTES);
    throw new Problem('invalid-body', 'The body is not valid gzip.', { cause });
  }
};

/** Returns whether the body is compressed. Throws the Problem of another media type or compression. */
const checkMedia = (headers: Headers, bodyType: string): boolean => {
  const type = readBodyType(headers);
  if (type !== bodyType)
    throw new Problem('unsupported-media-type', `Send the body as ${bodyType}, not as '${shortenInput(type)}'.`);
  const encoding = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new Problem(
      'unsupported-media-type',
      `Send the body with Content-Encoding gzip or without compression, not with '${shortenInput(encoding)}'.`,
    );
  return encoding === 'gzip';
};

/**
 * Reads the body of an operation whose body is not JSON, up to 5 MiB, plain or gzip, into the variable `bodyBytes`. A process holds 16 such
 * bodies; further requests are rejected as `overloaded` before their body is read.
 *
 * @example app.use('/versions/*', feedBody())
 */
export const feedBody = () => {
  let bodies = 0;
  return createMiddleware<Env>(async (c, next) => {
    const { bodyType } = c.get('operation');
    if (bodyType === undefined) return next();
    const isCompressed = checkMedia(c.req.raw.headers, bodyType);
    if (bodies >= MAX_BODIES) throw overloadedProblem();
    bodies += 1;
    try {
      const sent = await readBodyBytes(c.req.raw, MAX_FEED_BYTES);
      const bytes = isCompressed && sent.length > 0 ? await decompress(sent) : sent;
      if (bytes.length === 0) throw new Problem('invalid-body', `A body is required. Send it as ${bodyType}.`);
      c.set('bodyBytes', bytes);
      await next();
    } finally {
      bodies -= 1;
    }
  });
};
