import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context, Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import { getErrorCode } from '#lib/error-code.ts';
import { shortenInput } from '#lib/mask-keys.ts';
import type { Env } from '../context/env.ts';
import { bodyTooLargeProblem, MAX_FEED_BYTES, MAX_JSON_BYTES, readBodyType } from '../request/body-bytes.ts';
import type { BodyMemory } from '../request/body-memory.ts';
import { validateJsonText } from '../request/json-text.ts';
import { Problem } from '../response/problem.ts';
import type { CatalogOperation } from '../router/version-lifecycle.ts';

const isJson = (type: string): boolean => /^application\/([a-z.-]+\+)?json$/.test(type);

const mediaTypeList = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const readEncoding = (headers: Headers): string => (headers.get('content-encoding') ?? 'identity').trim().toLowerCase();

/** Throws the Problem of a compression that the operation does not accept. */
const checkEncoding = (headers: Headers, { bodyTypes }: CatalogOperation): void => {
  const encoding = readEncoding(headers);
  if (encoding === 'identity' || (encoding === 'gzip' && bodyTypes !== undefined)) return;
  const accepted =
    bodyTypes === undefined ? 'without compression' : 'with Content-Encoding gzip or without compression';
  const sent = `${bodyTypes === undefined ? 'Content-Encoding ' : ''}'${shortenInput(encoding)}'`;
  throw new Problem('unsupported-media-type', `Send the body ${accepted}, not with ${sent}.`);
};

/** Throws the Problem of a body that is empty, or of another media type. */
const checkType = (headers: Headers, operation: CatalogOperation, isEmpty: boolean): void => {
  const type = readBodyType(headers);
  const isAccepted = operation.bodyTypes?.includes(type) ?? isJson(type);
  if (isAccepted && !isEmpty) return;
  const expected = mediaTypeList.format(operation.bodyTypes ?? ['application/json']);
  if (isEmpty) throw new Problem('invalid-body', `A body is required. Send it as ${expected}.`);
  throw new Problem('unsupported-media-type', `Send the body as ${expected}, not as '${shortenInput(type)}'.`);
};

/** Receives the body, and holds its memory until the response is ready. */
const receive = async (c: Context<Env>, next: Next, memory: BodyMemory): Promise<void> => {
  const operation = c.get('operation');
  const { raw } = c.req;
  checkEncoding(raw.headers, operation);
  const isFeed = operation.bodyTypes !== undefined;
  if (isFeed) checkType(raw.headers, operation, false);
  const arrival = { owner: c.get('key')?.subscriptionId ?? 0, maxBytes: isFeed ? MAX_FEED_BYTES : MAX_JSON_BYTES };
  await memory.receive(raw, arrival, (bytes) => {
    checkType(raw.headers, operation, bytes.length === 0);
    c.set('bodyBytes', bytes);
    return next();
  });
};

/**
 * Receives the body of an operation that has one into the variable `bodyBytes`: up to 1 MiB of JSON, or 5 MiB of a feed, plain or gzip. It waits
 * for slow clients, and so belongs above `fairAdmission`. `hono/body-limit` has no time limit and keeps every chunk: 1 MiB in pieces of one
 * byte takes 200 MB.
 *
 * @example app.post('/versions/*', receiveBody(new BodyMemory()))
 */
export const receiveBody = (memory: BodyMemory) => createMiddleware<Env>((c, next) => receive(c, next, memory));

const unzip = promisify(gunzip);

const decompress = async (bytes: Uint8Array): Promise<Buffer> => {
  try {
    return await unzip(bytes, { maxOutputLength: MAX_FEED_BYTES });
  } catch (cause) {
    if (getErrorCode(cause) === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLargeProblem(MAX_FEED_BYTES);
    throw new Problem('invalid-body', 'The body is not valid gzip.', { cause });
  }
};

const decompressFeed = async (c: Context<Env>, next: Next): Promise<void> => {
  const { headers } = c.req.raw;
  if (readEncoding(headers) !== 'identity') {
    const bytes = await decompress(c.get('bodyBytes'));
    checkType(headers, c.get('operation'), bytes.length === 0);
    c.set('bodyBytes', bytes);
  }
  return next();
};

/**
 * Parses a body that was received: decompresses a feed, and checks what a schema cannot in JSON, syntax and members that an object has twice.
 * Validation then finds the text in the cache of Hono. It takes a tenth of a second for a large body, and so belongs below `fairAdmission`.
 *
 * @example app.post('/versions/*', parseBody())
 */
export const parseBody = () =>
  createMiddleware<Env>((c, next) => {
    if (c.get('operation').bodyTypes !== undefined) return decompressFeed(c, next);
    const text = new TextDecoder().decode(c.get('bodyBytes'));
    validateJsonText(text);
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
    return next();
  });
