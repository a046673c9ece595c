import type { CatalogProduct } from '../router/version-lifecycle.ts';
import { createApiCatalogPage } from './api-catalog.ts';
import { createDocumentationPage } from './documentation-page.ts';
import type { PublicPage } from '../router/router.ts';
import { createStaticFilePages, type StaticFile } from './static-files.ts';

export type PublishedPagesOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** The portal below `/docs/`; documents below `/openapi/` and `/asyncapi/`. */
  readonly files: readonly StaticFile[];
  /** What subscribers must know of each product, by its name, for whoever has no portal. */
  readonly changes: Readonly<Record<string, string>>;
  /** Scheme, host and any path prefix of the service; by default what each request itself says. */
  readonly publicUrl?: string | undefined;
};

/** What anyone may read of a service: its portal, its documents and where these are. */
export const createPublishedPages = ({
  catalog,
  files,
  changes,
  publicUrl,
}: PublishedPagesOptions): readonly PublicPage[] => [
  ...['/docs/', '/openapi/', '/asyncapi/'].map((prefix) => createStaticFilePages(prefix, files)),
  createApiCatalogPage({ catalog, publicUrl, documents: new Set(files.map(({ path }) => path)) }),
  createDocumentationPage(changes),
];
