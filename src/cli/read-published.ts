import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServedFile } from '../http/static/static-files.ts';

/** The first of some folders, relative to this file, that has a file: built, this one lies deeper than in a checkout. */
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

/** The server that the documents name: that of a checkout. */
const DOCUMENTED_SERVER = 'http://localhost:8080';

/** The bundled documents, at `/openapi/{product}/{version}.yaml` and `/asyncapi/{product}/{version}.yaml`. */
export const readDocuments = (): readonly ServedFile[] => {
  const folder = folderWith(DOCUMENTS, ['../../generated/', '../../../generated/']);
  if (folder === undefined) return [];
  return globSync(DOCUMENTS, { cwd: folder }).map((file) => {
    const [product = '', version = '', name = ''] = file.split('/');
    const path = `/${name.replace('.yaml', '')}/${product}/${version}.yaml`;
    return { path, bytes: readFileSync(`${folder}${file}`), mediaType: mediaTypeOf(file) };
  });
};

/** How callers write an address in a page: without a slash at its end; a server that listens everywhere is at least here. */
const shownBase = (base: string): string =>
  new URL(base).href.replace(/\/+$/, '').replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, 'http://localhost');

/**
 * The portal as it was built, below `/docs/`; nothing where it was not. A page is asked for without its `.html`. Where `base` is given, its
 * calls to try go to that server.
 */
export const readPortal = (
  base?: string,
  folder = folderWith('index.html', ['../../dist/portal/', '../../portal/']),
): readonly ServedFile[] => {
  if (folder === undefined) return [];
  const shown = base === undefined ? undefined : shownBase(base);
  return globSync('**/*.*', { cwd: folder }).map((file) => {
    const path = `/docs/${file.replace(/(?:^|\/)index\.html$/, '').replace(/\.html$/, '')}`;
    const bytes = readFileSync(`${folder}/${file}`);
    const mediaType = mediaTypeOf(file);
    if (shown === undefined || !/\.html$|\.reference\.js$/.test(file)) return { path, mediaType, bytes };
    return { path, mediaType, bytes: Buffer.from(bytes.toString().replaceAll(DOCUMENTED_SERVER, () => shown)) };
  });
};
