import type { Context, MiddlewareHandler } from 'hono';
import { serveStatic } from 'hono/serve-static';
import { createBody, sendBody } from '../context/body.ts';
import type { Env, ResponseBody } from '../context/env.ts';
import { compressBody, type ContentCoding } from '../response/content-negotiation.ts';
import { splitTarget } from '../router/request-url.ts';

/** A public file in memory. `path` is its URL path, e.g. `/docs/errors`. */
export type StaticFile = { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string };

/** A file with what is computed once: its entity tag, its compressed forms, and its content security policy. */
type ServableFile = {
  readonly mediaType: string;
  readonly body: ResponseBody;
  readonly policy: string;
};

/** Reads the content security policy that an HTML page declares in its head; other files may load nothing. */
const readPolicy = ({ bytes, mediaType }: StaticFile): string => {
  const isPage = mediaType.startsWith('text/html');
  const head = isPage ? Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString() : '';
  const [, policy = `default-src 'none'`] =
    /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]*)"\s*\/?>/.exec(head) ?? [];
  return policy;
};

const toServable = (file: StaticFile): ServableFile => {
  const compressed = new Map<ContentCoding, ReturnType<typeof compressBody>>();
  const compress: typeof compressBody = (bytes, coding) => {
    const result = compressed.get(coding) ?? compressBody(bytes, coding);
    compressed.set(coding, result);
    return result;
  };
  return { mediaType: file.mediaType, body: { ...createBody(file.bytes), compress }, policy: readPolicy(file) };
};

const setPageHeaders = (c: Context<Env>, { policy, mediaType }: ServableFile, vary: string): void => {
  c.set('isConditional', true);
  Object.assign(c.get('headers'), {
    'content-type': mediaType,
    // The same for all clients, and revalidated each time, so that a replaced file is not read from caches.
    'cache-control': 'public, no-cache',
    vary,
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
  });
};

/** Responds with the page for unknown addresses, whose relative links are adapted to the depth of the address. */
const sendNotFound = (c: Context<Env>, page: ServableFile, depth: number): Response => {
  const up = depth === 0 ? './' : '../'.repeat(depth);
  setPageHeaders(c, page, 'Accept-Encoding');
  return sendBody(c, createBody(Buffer.from(Buffer.from(page.body.bytes).toString().replaceAll('="./', `="${up}`))), {
    status: 404,
  });
};

/**
 * Serves files that are in memory: the path of a request never reaches the file system.
 *
 * @example pages.get('/docs/*', staticFiles(readPortal()))
 */
export const staticFiles = (files: readonly StaticFile[], vary = 'Accept-Encoding'): MiddlewareHandler<Env> => {
  const servable = new Map(files.map((file) => [file.path, toServable(file)]));
  return serveStatic<Env>({
    getContent: async (_path, c: Context<Env>) => {
      const file = servable.get(splitTarget(c.req.url).path);
      if (!file) return null;
      setPageHeaders(c, file, vary);
      return sendBody(c, file.body);
    },
  });
};

/**
 * Responds with a page for unknown addresses below `prefix`.
 *
 * @example pages.get('/docs/*', unknownPage('/docs/', page))
 */
export const unknownPage = (prefix: string, page: StaticFile): MiddlewareHandler<Env> => {
  const servable = toServable(page);
  return async (c) => sendNotFound(c, servable, splitTarget(c.req.url).path.slice(prefix.length).split('/').length - 1);
};
