import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CatalogProduct, CatalogVersion } from '../http/router/version-lifecycle.ts';
import { toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
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

/** A guide: its file name without `.md`, and its text. */
export type GuideSource = { readonly name: string; readonly text: string };

/** Everything from which the portal is built. */
export type PortalSources = {
  readonly catalog: readonly CatalogProduct[];
  readonly versions: readonly VersionSource[];
  /** CHANGES.md by product. */
  readonly changes: ReadonlyMap<string, string>;
  /** In reading order. */
  readonly guides: readonly GuideSource[];
};

/** Reads the guides in the order of `order.txt`, one file name a line; others follow by name. */
const readGuides = (folder: string): readonly GuideSource[] => {
  if (!existsSync(folder)) return [];
  const list = join(folder, 'order.txt');
  const order = existsSync(list) ? readFileSync(list, 'utf8').split(/\s+/) : [];
  const rank = (file: string): number => (order.includes(file) ? order.indexOf(file) : order.length);
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return files
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map((file) => ({ name: file.slice(0, -'.md'.length), text: readFileSync(join(folder, file), 'utf8') }));
};

const readYaml = (file: string): JsonObject => toJsonObject(parse(readFileSync(file, 'utf8')));

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
    const channels = join(location.file, '../asyncapi.yaml');
    const asyncapi = existsSync(channels) ? readYaml(channels) : undefined;
    return [{ product, version, file: location.file, document, asyncapi }];
  });
  const changes = new Map(
    catalog.map(({ product }) => [product, readFileSync(join(root, 'spec', product, 'CHANGES.md'), 'utf8')]),
  );
  return { catalog, versions, changes, guides: readGuides(join(root, 'docs/guides')) };
};
