import type { CatalogProduct } from '../router/version-lifecycle.ts';
import { apiCatalogPage } from './api-catalog.ts';
import { documentationPage } from './documentation-page.ts';
import type { Page } from '../router/router.ts';
import { servedFiles, type ServedFile } from './static-files.ts';

export type Published = {
  readonly catalog: readonly CatalogProduct[];
  /** The portal below `/docs/`; documents below `/openapi/` and `/asyncapi/`. */
  readonly files: readonly ServedFile[];
  /** What subscribers must know of each product, by its name, for whoever has no portal. */
  readonly changes: Readonly<Record<string, string>>;
  /** Scheme, host and any path prefix of the service; by default what each request itself says. */
  readonly publicUrl?: string | undefined;
};

/** What anyone may read of a service: its portal, its documents and where these are. */
export const publishedPages = ({ catalog, files, changes, publicUrl }: Published): readonly Page[] => [
  ...['/docs/', '/openapi/', '/asyncapi/'].map((prefix) => servedFiles(prefix, files)),
  apiCatalogPage({ catalog, publicUrl, documents: new Set(files.map(({ path }) => path)) }),
  documentationPage(changes),
];
