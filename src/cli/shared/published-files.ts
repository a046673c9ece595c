import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StaticFile } from '../../http/static/static-files.ts';

/** Returns the first folder with a file. Paths are relative to this file, which is one folder deeper in a built package than in a checkout. */
const folderWith = (file: string, candidates: readonly string[]): string | undefined =>
  candidates
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => globSync(file, { cwd: path }).length > 0);

const DOCUMENTS = '*/*/{openapi,asyncapi}.yaml';

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  yaml: 'application/yaml',
};

const mediaTypeOf = (file: string): string => mediaTypes[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/** The server URL in the documents. */
const DOCUMENTED_SERVER = 'http://localhost:8080';

/** Reads the bundled documents, for `/openapi/{product}/{version}.yaml` and `/asyncapi/{product}/{version}.yaml`. */
export const readDocuments = (): readonly StaticFile[] => {
  const folder = folderWith(DOCUMENTS, ['../../../generated/', '../../../../generated/']);
  if (folder === undefined) return [];
  return globSync(DOCUMENTS, { cwd: folder }).map((file) => {
    const [product = '', version = '', name = ''] = file.split('/');
    const path = `/${name.replace('.yaml', '')}/${product}/${version}.yaml`;
    return { path, bytes: readFileSync(`${folder}${file}`), mediaType: mediaTypeOf(file) };
  });
};

/** Formats a base URL for pages: no trailing slash, and `localhost` for a server that listens on all addresses. */
const toDisplayUrl = (base: string): string =>
  new URL(base).href.replace(/\/+$/, '').replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, 'http://localhost');

/**
 * Reads the built portal, for paths below `/docs/` without `.html`; empty when the portal was not built. With `base`, example calls in
 * its pages go to that server.
 */
export const readPortal = (
  base?: string,
  folder = folderWith('index.html', ['../../../dist/portal/', '../../../portal/']),
): readonly StaticFile[] => {
  if (folder === undefined) return [];
  const shown = base === undefined ? undefined : toDisplayUrl(base);
  return globSync('**/*.*', { cwd: folder }).map((file) => {
    const path = `/docs/${file.replace(/(?:^|\/)index\.html$/, '').replace(/\.html$/, '')}`;
    const bytes = readFileSync(`${folder}/${file}`);
    const mediaType = mediaTypeOf(file);
    if (shown === undefined || !/\.html$|\.reference\.js$/.test(file)) return { path, mediaType, bytes };
    return { path, mediaType, bytes: Buffer.from(bytes.toString().replaceAll(DOCUMENTED_SERVER, () => shown)) };
  });
};
