import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { evaluateConditions } from '../response/conditional.ts';
import { HttpResponse } from '../response/http-response.ts';
import type { PublicPage } from '../router/router.ts';

/** A public file in memory. `path` is its URL path, e.g. `/docs/errors`. */
export type StaticFile = { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string };

type ServableFile = StaticFile & {
  readonly policy: string;
  readonly compressed: () => Promise<Uint8Array<ArrayBuffer>>;
};

const compress = promisify(gzip);

/** Whether compression saves more than its header; images and fonts are compressed already. */
const isCompressible = ({ bytes, mediaType }: StaticFile): boolean =>
  bytes.length > 1024 && /^text\/|json|javascript|yaml/.test(mediaType);

/** Returns the content security policy that an HTML page declares itself; other files may load nothing. */
const readPolicy = ({ bytes, mediaType }: StaticFile): string => {
  if (!mediaType.startsWith('text/html')) return `default-src 'none'`;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString();
  return /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(head)?.[1] ?? `default-src 'none'`;
};

const toServable = (file: StaticFile): ServableFile => {
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return { ...file, policy: readPolicy(file), compressed: () => (compressed ??= compress(file.bytes)) };
};

const acceptsGzip = (request: Request): boolean =>
  (request.headers.get('accept-encoding') ?? '')
    .split(',')
    .some((one) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one));

const respondWith = async (file: ServableFile, request: Request): Promise<HttpResponse> => {
  const isCompressed = isCompressible(file) && acceptsGzip(request);
  const bytes = isCompressed ? await file.compressed() : file.bytes;
  const commonHeaders = {
    // The same for all clients, and revalidated each time, so that a replaced file is not read from caches.
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
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    },
  });
  return new HttpResponse({
    status: isNotModified ? 304 : 200,
    headers: { ...commonHeaders, ...headers },
    body: isNotModified ? null : bytes,
  });
};

/** Creates the pages for the files whose paths start with `prefix`. Files are in memory: the path of a request never reaches the file system. */
export const createStaticFilePages = (prefix: string, files: readonly StaticFile[]): PublicPage => {
  const servable = new Map(
    files.filter(({ path }) => path.startsWith(prefix)).map((file) => [file.path, toServable(file)]),
  );
  return {
    path: prefix,
    respond: async (request) => {
      const file = servable.get(new URL(request.url).pathname);
      return file && ['GET', 'HEAD'].includes(request.method) ? respondWith(file, request) : undefined;
    },
  };
};
