import type { MiddlewareHandler } from 'hono';
import { DOCUMENTED_SERVER } from '#lib/openapi-document.ts';
import type { Env } from '../context/env.ts';
import { splitTarget } from '../router/request-url.ts';
import { staticFiles, type StaticFile } from './static-files.ts';

/** The description of `DOCUMENTED_SERVER`. */
const LOCAL_SERVER = 'A local service, started with `make run`.';

/** A JSON document, also as YAML, which is written at the first request for it: 0.1 s for the largest one. */
const addYaml = (file: StaticFile): readonly (readonly [path: string, read: () => Promise<StaticFile>])[] => {
  let yaml: Promise<StaticFile> | undefined;
  const path = file.path.replace(/json$/, 'yaml');
  const write = async (): Promise<StaticFile> => {
    const { stringify } = await import('yaml');
    const document: unknown = JSON.parse(Buffer.from(file.bytes).toString());
    // Readers of YAML 1.1 take an unquoted `no` or `2026-06-01` for something else.
    const text = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, version: '1.1' });
    return { path, bytes: Buffer.from(text), mediaType: 'application/yaml' };
  };
  return [
    [file.path, async () => file],
    [path, () => (yaml ??= write())],
  ];
};

const withServer = (file: StaticFile, base: string): StaticFile => {
  const text = Buffer.from(file.bytes)
    .toString()
    .replace(LOCAL_SERVER, 'This service.')
    .replaceAll(DOCUMENTED_SERVER, () => base);
  return { ...file, bytes: Buffer.from(text) };
};

/**
 * Serves the API documents whose paths start with `prefix`, as JSON and as YAML. They name this service in `servers` and in examples: by
 * `publicUrl`, or by the origin of the request. Without `publicUrl`, the last requested origin of each document is cached.
 *
 * @example pages.get('/openapi/*', documentFiles('/openapi/', readDocuments()))
 */
export const documentFiles = (
  prefix: string,
  files: readonly StaticFile[],
  publicUrl: string | undefined,
): MiddlewareHandler<Env> => {
  const documents = new Map(files.filter(({ path }) => path.startsWith(prefix)).flatMap(addYaml));
  const cached = new Map<string, { readonly base: string; readonly serve: MiddlewareHandler<Env> }>();
  return async (c, next) => {
    const { path, origin } = splitTarget(c.req.url);
    const read = documents.get(path);
    if (!read) return next();
    const base = publicUrl ?? origin;
    const document = await read();
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
