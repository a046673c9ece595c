import type { CatalogProduct } from '../router/version-lifecycle.ts';
import { createApiCatalogPage } from './api-catalog.ts';
import { createDocumentPages } from './document-pages.ts';
import { createDocumentationPage } from './documentation-page.ts';
import type { PublicPage } from '../router/router.ts';
import { createStaticFilePages, type StaticFile } from './static-files.ts';

export type PublishedPagesOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** The portal below `/docs/`; documents below `/openapi/` and `/asyncapi/`, which get the URL of the service. */
  readonly files: readonly StaticFile[];
  /** Change log of each product, by its name; shown where no portal was built. */
  readonly changes: Readonly<Record<string, string>>;
  /** Scheme, host and any path prefix of the service; by default those of each request. */
  readonly publicUrl?: string | undefined;
};

/** Creates the public pages of the service: portal, documents and API catalog. */
export const createPublishedPages = ({
  catalog,
  files,
  changes,
  publicUrl,
}: PublishedPagesOptions): readonly PublicPage[] => [
  createStaticFilePages('/docs/', files),
  ...['/openapi/', '/asyncapi/'].map((prefix) => createDocumentPages(prefix, files, publicUrl)),
  createApiCatalogPage({ catalog, publicUrl, documents: new Set(files.map(({ path }) => path)) }),
  createDocumentationPage(changes),
];
