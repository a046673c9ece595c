import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CatalogProduct, CatalogVersion } from '../http/router/version-lifecycle.ts';
import { toJsonObject, type JsonObject } from '../lib/openapi-document.ts';
import { readCatalog } from '../contract/catalog.ts';
import { findDocuments } from '../contract/addresses.ts';

/** One version of a product with its documents. `asyncapi` is undefined where events have no channel of their own. */
export type VersionSource = {
  readonly product: CatalogProduct;
  readonly version: CatalogVersion;
  /** The bundle, as a file and as it reads. */
  readonly file: string;
  readonly document: JsonObject;
  readonly asyncapi: JsonObject | undefined;
};

/** A guide: the name of its file without `.md`, and its text. */
export type GuideSource = { readonly name: string; readonly text: string };

/** All that the portal is made from. */
export type PortalSources = {
  readonly catalog: readonly CatalogProduct[];
  readonly versions: readonly VersionSource[];
  /** The text of the CHANGES.md of each product, by its name. */
  readonly changes: ReadonlyMap<string, string>;
  /** In the order in which they are to be read. */
  readonly guides: readonly GuideSource[];
};

/** The guides of a folder in the order of its `order.txt`, one file name a line; those it does not name follow, by name. */
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

/** Reads what the portal is made from below the folder of the project; bundles are taken as they are in `generated/`. */
export const readSources = (root: string): PortalSources => {
  const found = findDocuments(join(root, 'generated')).map((address) => ({
    address,
    document: readYaml(address.file),
  }));
  const catalog = readCatalog(found);
  const versions = found.flatMap(({ address, document }) => {
    const product = catalog.find((one) => one.product === address.product);
    const version = product?.versions.find((one) => one.version === address.version);
    if (!product || !version) return [];
    const channels = join(address.file, '../asyncapi.yaml');
    const asyncapi = existsSync(channels) ? readYaml(channels) : undefined;
    return [{ product, version, file: address.file, document, asyncapi }];
  });
  const changes = new Map(
    catalog.map(({ product }) => [product, readFileSync(join(root, 'spec', product, 'CHANGES.md'), 'utf8')]),
  );
  return { catalog, versions, changes, guides: readGuides(join(root, 'docs/guides')) };
};
