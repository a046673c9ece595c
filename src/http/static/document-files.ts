import type { MiddlewareHandler } from 'hono';
import type { Env } from '../context/env.ts';
import { splitTarget } from '../router/request-url.ts';
import { staticFiles, type StaticFile } from './static-files.ts';

/** The server of the bundled documents: its URL, in `servers` and in examples, and its description. */
const DOCUMENTED_SERVER = 'http://localhost:8080';
const LOCAL_SERVER = 'A local service, started with `make run`.';

const withServer = (file: StaticFile, base: string): StaticFile => {
  const text = Buffer.from(file.bytes)
    .toString()
    .replace(LOCAL_SERVER, 'This service.')
    .replaceAll(DOCUMENTED_SERVER, () => base);
  return { ...file, bytes: Buffer.from(text) };
};

/**
 * Serves the API documents whose paths start with `prefix`. They name this service in `servers` and in examples: by `publicUrl`, or by the origin
 * of the request. Without `publicUrl`, the last requested origin of each document is cached.
 *
 * @example pages.get('/openapi/*', documentFiles('/openapi/', readDocuments()))
 */
export const documentFiles = (
  prefix: string,
  files: readonly StaticFile[],
  publicUrl: string | undefined,
): MiddlewareHandler<Env> => {
  const documents = new Map(files.filter(({ path }) => path.startsWith(prefix)).map((file) => [file.path, file]));
  const cached = new Map<string, { readonly base: string; readonly serve: MiddlewareHandler<Env> }>();
  return async (c, next) => {
    const { path, origin } = splitTarget(c.req.url);
    const document = documents.get(path);
    if (!document) return next();
    const base = publicUrl ?? origin;
    let entry = cached.get(path);
    if (entry?.base !== base) {
      entry = { base, serve: staticFiles([withServer(document, base)], 'Accept-Encoding, Host') };
      cached.set(path, entry);
    }
    const response = await entry.serve(c, next);
    response?.headers.append('Vary', 'Host');
    return response;
  };
};
