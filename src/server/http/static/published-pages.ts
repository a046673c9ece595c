import { Hono, type MiddlewareHandler } from 'hono';
import type { Env } from '../context/env.ts';
import type { CatalogProduct } from '../router/version-lifecycle.ts';
import { API_CATALOG_PATH, apiCatalog } from './api-catalog.ts';
import { documentFiles } from './document-files.ts';
import { createDocumentationPages } from './documentation-page.ts';
import { staticFiles, unknownPage, type StaticFile } from './static-files.ts';

export type PublishedPagesOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** The live page below `/live/`; documents below `/openapi/`, `/asyncapi/` and `/recipes/`, which get the URL of the service. */
  readonly files: readonly StaticFile[];
  /** Returns the portal below `/docs/`, or no files until it is built; the same list while it is the same portal. */
  readonly portal?: (() => readonly StaticFile[]) | undefined;
  /** Change log of each product, by its name; shown where no portal is built. */
  readonly changes: Readonly<Record<string, string>>;
  /** Scheme, host and any path prefix of the service; by default those of each request. */
  readonly publicUrl?: string | undefined;
};

/** Pages for people, outside the contract; they need no key. */
export type PublicPages = {
  /** The log hides the rest of paths below these prefixes, which can hold a secret. */
  readonly prefixes: readonly string[];
  readonly app: Hono<Env>;
};

const PORTAL = '/docs/';
const LIVE_PAGE = '/live/';
const documentPrefixes = ['/openapi/', '/asyncapi/', '/recipes/'] as const;
const UNKNOWN_PAGE = `${PORTAL}404`;

/** Where programs and browsers start; relative, because a prefix can precede the path. */
const redirects = {
  '/': 'docs/',
  '/docs': 'docs/',
  '/llms.txt': 'docs/llms.txt',
  '/sitemap.xml': 'docs/sitemap.xml',
} as const;

const noFiles: readonly StaticFile[] = [];
/** The portal of a service that has none. */
export const noPortal = (): readonly StaticFile[] => noFiles;

/** Serves the portal, with its page for unknown addresses, as soon as it is built. */
const portalPages = (portal: () => readonly StaticFile[]): MiddlewareHandler<Env> => {
  const createHandlers = (files: readonly StaticFile[]) => {
    const missing = files.find(({ path }) => path === UNKNOWN_PAGE);
    return {
      files,
      find: staticFiles(files.filter((file) => file !== missing)),
      rejectUnknown: missing && unknownPage(PORTAL, missing),
    };
  };
  let handlers = createHandlers(portal());
  return (c, next) => {
    const files = portal();
    if (files !== handlers.files) handlers = createHandlers(files);
    const { find, rejectUnknown } = handlers;
    return find(c, rejectUnknown ? async () => void (c.res = (await rejectUnknown(c, next)) as Response) : next);
  };
};

/** Creates the public pages of the service: portal, documents and API catalog. */
export const createPublishedPages = ({
  catalog,
  files,
  portal = noPortal,
  changes,
  publicUrl,
}: PublishedPagesOptions): PublicPages => {
  const pages = new Hono<Env>({ strict: true });
  pages.get('/docs/*', portalPages(portal));
  const live = files.filter(({ path }) => path.startsWith(LIVE_PAGE));
  if (live.length > 0) {
    pages.get(`${LIVE_PAGE}*`, staticFiles(live));
    pages.get('/live', (c) => c.body(null, 302, { Location: 'live/', 'Content-Length': '0' }));
  }
  for (const prefix of documentPrefixes) pages.get(`${prefix}*`, documentFiles(prefix, files, publicUrl));
  pages.get(API_CATALOG_PATH, apiCatalog({ catalog, publicUrl, files }));
  for (const [path, location] of Object.entries(redirects))
    pages.get(path, (c) => c.body(null, 302, { Location: location, 'Content-Length': '0' }));
  const documentation = createDocumentationPages(changes);
  for (const path of [PORTAL, '/docs/:product', '/docs/:product/:version']) pages.get(path, documentation);
  return { prefixes: [PORTAL, LIVE_PAGE, ...documentPrefixes, '/.well-known/'], app: pages };
};
