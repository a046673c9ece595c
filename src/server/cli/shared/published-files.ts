import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StaticFile } from '#http/static/static-files.ts';

/** Returns the first folder with a file. Paths are relative to this file, which is one folder deeper in a built package than in a checkout. */
const folderWith = (file: string, candidates: readonly string[]): string | undefined =>
  candidates.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((path) => existsSync(`${path}${file}`));

/** Lists the files below a folder whose paths match. Node.js 20, on which the mock runs too, has no `globSync`. */
const listFiles = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => pattern.test(path))
    .toSorted();

const DOCUMENTS = /^[^/]+\/[^/]+\/(?:openapi|asyncapi)\.json$/;
const RECIPES = /^recipes\/[^/]+\.json$/;

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
};

const mediaTypeOf = (file: string): string => mediaTypes[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/** The server URL in the documents. */
const DOCUMENTED_SERVER = 'http://localhost:8080';

/** The hub in the documents: its host, and the end of its description. */
const DOCUMENTED_HUB = 'localhost:4222';
const LOCAL_HUB = 'the actual URL. This one is that of a local server.';

/** Inserts the host of the hub, which the URL contains after any user. */
const insertHub = (bytes: Buffer<ArrayBuffer>, hubUrl: string): Buffer<ArrayBuffer> =>
  Buffer.from(
    bytes
      .toString()
      .replace(DOCUMENTED_HUB, () => new URL(hubUrl).host)
      .replace(LOCAL_HUB, 'the URL.'),
  );

/**
 * Reads the bundled documents, for `/openapi/{product}/{version}.json` and `/asyncapi/{product}/{version}.json`, and the recipes, for
 * `/recipes/{name}.json`. With `hubUrl`, `servers` of AsyncAPI documents contain its host.
 */
export const readDocuments = (hubUrl?: string): readonly StaticFile[] => {
  const folder = folderWith('recipes', ['../../../../generated/', '../../../../../generated/']);
  if (folder === undefined) return [];
  const recipes = listFiles(folder, RECIPES).map((file) => ({
    path: `/${file}`,
    bytes: readFileSync(`${folder}${file}`),
    mediaType: mediaTypeOf(file),
  }));
  const documents = listFiles(folder, DOCUMENTS).map((file) => {
    const [product = '', version = '', name = ''] = file.split('/');
    const [kind = ''] = name.split('.');
    const bytes = readFileSync(`${folder}${file}`);
    const isHub = kind === 'asyncapi' && hubUrl !== undefined;
    return {
      path: `/${kind}/${product}/${version}.json`,
      bytes: isHub ? insertHub(bytes, hubUrl) : bytes,
      mediaType: mediaTypeOf(file),
    };
  });
  return [...documents, ...recipes];
};

/** Formats a base URL for pages: no trailing slash, and `localhost` for a server that listens on all addresses. */
const toDisplayUrl = (base: string): string =>
  new URL(base).href.replace(/\/+$/, '').replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, 'http://localhost');

/** Expressions of code samples for the key, in pages and, with escaped quotes, in scripts. */
const keyExpressions: readonly (readonly [pattern: RegExp, before: string, after: string])[] = [
  [/\$SUBSCRIPTION_KEY/g, '', ''],
  [/process\.env\[(?:'|&#39;)SUBSCRIPTION_KEY(?:'|&#39;)\] \?\? ''/g, "'", "'"],
  [/os\.environ\[\\"SUBSCRIPTION_KEY\\"\]|os\.Getenv\(\\"SUBSCRIPTION_KEY\\"\)/g, '\\"', '\\"'],
];

const insertKey = (text: string, key: string): string =>
  keyExpressions.reduce((all, [pattern, before, after]) => all.replaceAll(pattern, () => before + key + after), text);

/**
 * Reads the built portal, for paths below `/docs/` without `.html`; empty when the portal was not built. With `base`, example calls in
 * its pages go to that server. With `key`, a public one, they contain that key.
 */
export const readPortal = (
  base?: string,
  folder = folderWith('index.html', ['../../../../dist/portal/', '../../../../portal/']),
  key?: string,
): readonly StaticFile[] => {
  if (folder === undefined || !existsSync(`${folder}/index.html`)) return [];
  const shown = base === undefined ? undefined : toDisplayUrl(base);
  return listFiles(folder, /\.[^/]+$/).map((file) => {
    const path = `/docs/${file.replace(/(?:^|\/)index\.html$/, '').replace(/\.html$/, '')}`;
    const bytes = readFileSync(`${folder}/${file}`);
    const mediaType = mediaTypeOf(file);
    if (shown === undefined || !/\.(?:html|md|txt|xml)$|\.reference\.js$|\.(?:postman|bruno)\.json$/.test(file))
      return { path, mediaType, bytes };
    const text = bytes.toString().replaceAll(DOCUMENTED_SERVER, () => shown);
    return { path, mediaType, bytes: Buffer.from(key === undefined ? text : insertKey(text, key)) };
  });
};

/** Returns a function that returns the portal, and reads it once: at its first call after the portal was built. */
export const createPortalReader = (...options: Parameters<typeof readPortal>): (() => readonly StaticFile[]) => {
  let files: readonly StaticFile[] = [];
  return () => {
    if (files.length > 0) return files;
    const built = readPortal(...options);
    if (built.length > 0) files = built;
    return files;
  };
};
