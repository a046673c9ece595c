import { Hono } from 'hono';
import type { Env } from '../context/env.ts';
import type { CatalogProduct } from '../router/version-lifecycle.ts';
import { API_CATALOG_PATH, apiCatalog } from './api-catalog.ts';
import { documentFiles } from './document-files.ts';
import { createDocumentationPages } from './documentation-page.ts';
import { staticFiles, unknownPage, type StaticFile } from './static-files.ts';

export type PublishedPagesOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** The portal below `/docs/`, the live page below `/live/`; documents below `/openapi/`, `/asyncapi/` and `/recipes/`, which get the URL of the service. */
  readonly files: readonly StaticFile[];
  /** Change log of each product, by its name; shown where no portal was built. */
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

/** Creates the public pages of the service: portal, documents and API catalog. */
export const createPublishedPages = ({ catalog, files, changes, publicUrl }: PublishedPagesOptions): PublicPages => {
  const pages = new Hono<Env>({ strict: true });
  const portal = files.filter(({ path }) => path.startsWith(PORTAL) && path !== UNKNOWN_PAGE);
  const missing = files.find(({ path }) => path === UNKNOWN_PAGE);
  pages.get('/docs/*', staticFiles(portal));
  const live = files.filter(({ path }) => path.startsWith(LIVE_PAGE));
  if (live.length > 0) {
    pages.get(`${LIVE_PAGE}*`, staticFiles(live));
    pages.get('/live', (c) => c.body(null, 302, { Location: 'live/', 'Content-Length': '0' }));
  }
  for (const prefix of documentPrefixes) pages.get(`${prefix}*`, documentFiles(prefix, files, publicUrl));
  pages.get(API_CATALOG_PATH, apiCatalog({ catalog, publicUrl, files }));
  for (const [path, location] of Object.entries(redirects))
    pages.get(path, (c) => c.body(null, 302, { Location: location, 'Content-Length': '0' }));
  if (missing) pages.get('/docs/*', unknownPage(PORTAL, missing));
  else {
    const documentation = createDocumentationPages(changes);
    for (const path of [PORTAL, '/docs/:product', '/docs/:product/:version']) pages.get(path, documentation);
  }
  return { prefixes: [PORTAL, LIVE_PAGE, ...documentPrefixes, '/.well-known/'], app: pages };
};
