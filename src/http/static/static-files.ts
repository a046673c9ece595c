import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { evaluateConditions } from '../response/conditional.ts';
import { HttpResponse } from '../response/http-response.ts';
import type { PublicPage } from '../router/router.ts';

/** A public file in memory. `path` is its URL path, e.g. `/docs/errors`. */
export type StaticFile = { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string };

type ServableFile = StaticFile & {
  readonly policy: string;
  /** Relative address of the page that replaced this one. */
  readonly movedTo: string | undefined;
  readonly compressed: () => Promise<Uint8Array<ArrayBuffer>>;
};

const compress = promisify(gzip);

/** Whether compression saves more than its header; images and fonts are compressed already. */
const isCompressible = ({ bytes, mediaType }: StaticFile): boolean =>
  bytes.length > 1024 && /^text\/|json|javascript|yaml/.test(mediaType);

/** Reads what an HTML page declares in its head: its content security policy (other files may load nothing) and its redirect. */
const readDeclarations = ({ bytes, mediaType }: StaticFile): Pick<ServableFile, 'policy' | 'movedTo'> => {
  const isPage = mediaType.startsWith('text/html');
  const head = isPage ? Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString() : '';
  const [, policy = `default-src 'none'`] =
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(head) ?? [];
  return { policy, movedTo: /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(head)?.[1] };
};

const toServable = (file: StaticFile): ServableFile => {
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return { ...file, ...readDeclarations(file), compressed: () => (compressed ??= compress(file.bytes)) };
};

const acceptsGzip = (request: Request): boolean =>
  (request.headers.get('accept-encoding') ?? '')
    .split(',')
    .some((one) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one));

const createCommonHeaders = ({ policy }: ServableFile) => ({
  // The same for all clients, and revalidated each time, so that a replaced file is not read from caches.
  'Cache-Control': 'public, no-cache',
  Vary: 'Accept-Encoding',
  'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});

const respondWith = async (file: ServableFile, request: Request): Promise<HttpResponse> => {
  const isCompressed = isCompressible(file) && acceptsGzip(request);
  const bytes = isCompressed ? await file.compressed() : file.bytes;
  const commonHeaders = createCommonHeaders(file);
  if (file.movedTo !== undefined)
    return new HttpResponse({
      status: 301,
      headers: { ...commonHeaders, Location: file.movedTo, 'Content-Length': '0' },
    });
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

/** Responds with the page for unknown addresses, whose relative links are adapted to the depth of the address. */
const respondNotFound = (page: ServableFile, depth: number): HttpResponse => {
  const up = depth === 0 ? './' : '../'.repeat(depth);
  const body = Buffer.from(Buffer.from(page.bytes).toString().replaceAll('="./', `="${up}`));
  const headers = {
    ...createCommonHeaders(page),
    'Content-Type': page.mediaType,
    'Content-Length': String(body.length),
  };
  return new HttpResponse({ status: 404, headers, body });
};

/**
 * Creates the pages for the files whose paths start with `prefix`. Files are in memory: the path of a request never reaches the file system.
 * If there is a file `{prefix}404`, it is the response to all other paths below the prefix.
 */
export const createStaticFilePages = (prefix: string, files: readonly StaticFile[]): PublicPage => {
  const servable = new Map(
    files.filter(({ path }) => path.startsWith(prefix)).map((file) => [file.path, toServable(file)]),
  );
  return {
    path: prefix,
    respond: async (request) => {
      const { pathname } = new URL(request.url);
      if (!['GET', 'HEAD'].includes(request.method) || !pathname.startsWith(prefix)) return undefined;
      const file = servable.get(pathname);
      const notFound = servable.get(`${prefix}404`);
      if (file !== undefined && file !== notFound) return respondWith(file, request);
      return notFound && respondNotFound(notFound, pathname.slice(prefix.length).split('/').length - 1);
    },
  };
};
