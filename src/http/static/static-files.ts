import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { evaluateConditions } from '../response/conditional.ts';
import { HttpResponse } from '../response/http-response.ts';
import type { PublicPage } from '../router/router.ts';

/** A file that anyone may read, held in memory. `path` is where it is asked for, e.g. `/docs/errors`. */
export type StaticFile = { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string };

type Kept = StaticFile & { readonly policy: string; readonly packed: () => Promise<Uint8Array<ArrayBuffer>> };

const compress = promisify(gzip);

/** Below this the head of an answer is longer than what is saved, and pictures and such do not get smaller. */
const isWorthPacking = ({ bytes, mediaType }: StaticFile): boolean =>
  bytes.length > 1024 && /^text\/|json|javascript|yaml/.test(mediaType);

/** What a page says that it may do; files that are no pages may do nothing, should they be opened as one. */
const policyIn = ({ bytes, mediaType }: StaticFile): string => {
  if (!mediaType.startsWith('text/html')) return `default-src 'none'`;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString();
  return /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(head)?.[1] ?? `default-src 'none'`;
};

const keep = (file: StaticFile): Kept => {
  let packed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return { ...file, policy: policyIn(file), packed: () => (packed ??= compress(file.bytes)) };
};

const acceptsGzip = (request: Request): boolean =>
  (request.headers.get('accept-encoding') ?? '')
    .split(',')
    .some((one) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one));

const answerWith = async (file: Kept, request: Request): Promise<HttpResponse> => {
  const isPacked = isWorthPacking(file) && acceptsGzip(request);
  const bytes = isPacked ? await file.packed() : file.bytes;
  const always = {
    // What is served is the same for all, and asked for again each time: nobody keeps reading what has been replaced.
    'Cache-Control': 'public, no-cache',
    Vary: 'Accept-Encoding',
    'Content-Security-Policy': `${file.policy}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
  const { isNotModified, headers } = evaluateConditions(request.headers, {
    bytes,
    headers: {
      'Content-Type': file.mediaType,
      'Content-Length': String(bytes.length),
      ...(isPacked && { 'Content-Encoding': 'gzip' }),
    },
  });
  return new HttpResponse({
    status: isNotModified ? 304 : 200,
    headers: { ...always, ...headers },
    body: isNotModified ? null : bytes,
  });
};

/** Answers with the files whose paths begin with `prefix`, and with nothing else: no path of a request ever reaches a disk. */
export const createStaticFilePages = (prefix: string, files: readonly StaticFile[]): PublicPage => {
  const kept = new Map(files.filter(({ path }) => path.startsWith(prefix)).map((file) => [file.path, keep(file)]));
  return {
    path: prefix,
    respond: async (request) => {
      const file = kept.get(new URL(request.url).pathname);
      return file && ['GET', 'HEAD'].includes(request.method) ? answerWith(file, request) : undefined;
    },
  };
};
