import type { PublicPage } from '../router/router.ts';
import { createStaticFilePages, type StaticFile } from './static-files.ts';

/** The server of the bundled documents, in `servers` and in examples. */
const DOCUMENTED_SERVER = 'http://localhost:8080';
const SERVERS = /^servers:\n {2}- url: http:\/\/localhost:8080\n {4}description: .*$/m;

const withServer = (file: StaticFile, base: string): StaticFile => {
  const text = Buffer.from(file.bytes)
    .toString()
    .replace(SERVERS, () => `servers:\n  - url: ${base}\n    description: This service.`)
    .replaceAll(DOCUMENTED_SERVER, () => base);
  return { ...file, bytes: Buffer.from(text) };
};

/**
 * Creates the pages for the API documents whose paths start with `prefix`. They name this service in `servers` and in examples: by
 * `publicUrl`, or by the origin of the request. Without `publicUrl`, the last requested origin of each document is cached.
 */
export const createDocumentPages = (prefix: string, files: readonly StaticFile[], publicUrl?: string): PublicPage => {
  const documents = new Map(files.filter(({ path }) => path.startsWith(prefix)).map((file) => [file.path, file]));
  const cached = new Map<string, { readonly base: string; readonly page: PublicPage }>();
  return {
    path: prefix,
    respond: async (request, now) => {
      const { pathname, origin } = new URL(request.url);
      const document = documents.get(pathname);
      if (document === undefined) return undefined;
      const base = publicUrl?.replace(/\/+$/, '') ?? origin;
      let entry = cached.get(pathname);
      if (entry?.base !== base) {
        entry = { base, page: createStaticFilePages(pathname, [withServer(document, base)]) };
        cached.set(pathname, entry);
      }
      const response = await entry.page.respond(request, now);
      return response?.with({ headers: { ...response.headers, Vary: 'Accept-Encoding, Host' } });
    },
  };
};
