import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CatalogProduct, CatalogVersion } from '#http/router/version-lifecycle.ts';
import { toJsonObject, toList, type JsonObject } from '#lib/openapi-document.ts';
import { buildCatalog } from '../contract/generate-catalog.ts';
import { findDocuments } from '../contract/find-documents.ts';

/** One version of a product with its documents; `asyncapi` is undefined when it publishes no events to the hub. */
export type VersionSource = {
  readonly product: CatalogProduct;
  readonly version: CatalogVersion;
  /** The bundled OpenAPI document, as a file and parsed. */
  readonly file: string;
  readonly document: JsonObject;
  readonly asyncapi: JsonObject | undefined;
};

/** A guide: its path below `docs/` without `.md`, the title of its group, and its text. */
export type GuideSource = { readonly name: string; readonly group: string; readonly text: string };

/** Everything from which the portal is built. */
export type PortalSources = {
  readonly catalog: readonly CatalogProduct[];
  readonly versions: readonly VersionSource[];
  /** CHANGES.md by product. */
  readonly changes: ReadonlyMap<string, string>;
  /** In reading order. */
  readonly guides: readonly GuideSource[];
};

const readYaml = (file: string): JsonObject => toJsonObject(parse(readFileSync(file, 'utf8')));

/** Reads the guides that `docs/portal.yaml` lists, by group and in reading order. */
const readGuides = (folder: string): readonly GuideSource[] =>
  toList(readYaml(join(folder, 'portal.yaml'))['groups']).flatMap((one) => {
    const { title, pages } = toJsonObject(one);
    return toList(pages).map((page) => {
      const name = String(page);
      return { name, group: String(title), text: readFileSync(join(folder, `${name}.md`), 'utf8') };
    });
  });

/** Reads the sources of the portal, with the bundles in `generated/` as they are. */
export const readPortalSources = (root: string): PortalSources => {
  const bundles = findDocuments(join(root, 'generated')).map((location) => ({
    location,
    document: readYaml(location.file),
  }));
  const catalog = buildCatalog(bundles);
  const versions = bundles.flatMap(({ location, document }) => {
    const product = catalog.find((one) => one.product === location.product);
    const version = product?.versions.find((one) => one.version === location.version);
    if (!product || !version) return [];
    const channels = join(location.file, '../asyncapi.json');
    const asyncapi = existsSync(channels) ? readYaml(channels) : undefined;
    return [{ product, version, file: location.file, document, asyncapi }];
  });
  const changes = new Map(
    catalog.map(({ product }) => [product, readFileSync(join(root, 'spec', product, 'CHANGES.md'), 'utf8')]),
  );
  return { catalog, versions, changes, guides: readGuides(join(root, 'docs')) };
};
