import { readFileSync } from 'node:fs';
import { parseDocument, isScalar } from 'yaml';
import { z } from 'zod';
import { parseDate } from '#domain/time/dates.ts';
import type { CatalogOperation, CatalogProduct, CatalogVersion } from '#http/router/version-lifecycle.ts';
import type { DocumentLocation } from './find-documents.ts';
import {
  isJsonObject,
  resolveReference,
  toJsonObject,
  toList,
  listOperations,
  type JsonObject,
  type OpenApiOperation,
} from '#lib/openapi-document.ts';

export type BundledDocument = { readonly location: DocumentLocation; readonly document: JsonObject };

const date = z.string().refine((text) => parseDate(text) !== undefined, 'must be a date, YYYY-MM-DD');

const head = z.looseObject({
  info: z.looseObject({ title: z.string(), version: z.string() }),
  'x-product': z.string(),
  'x-ingest': z.literal(true).optional(),
  'x-lifecycle': z.strictObject({
    releasedOn: date,
    deprecatedOn: date.optional(),
    sunsetOn: date.optional(),
    successor: z.string().optional(),
    aliases: z.array(z.string()).default([]),
  }),
});

/** Throws when a date is not quoted: YAML 1.1 readers turn it into a timestamp. */
const rejectUnquotedDates = (file: string): void => {
  const source = parseDocument(readFileSync(file, 'utf8'));
  for (const name of ['releasedOn', 'deprecatedOn', 'sunsetOn']) {
    const node = source.getIn(['x-lifecycle', name], true);
    if (isScalar(node) && node.type === 'PLAIN') throw new Error(`${file}: x-lifecycle.${name} must be quoted`);
  }
};

/** Media types of a 200 other than JSON. */
const findOtherMediaTypes = (document: JsonObject, operation: JsonObject): readonly string[] => {
  const ok = toJsonObject(resolveReference(document, toJsonObject(operation['responses'])['200']));
  return Object.keys(toJsonObject(ok['content'])).filter((mediaType) => mediaType !== 'application/json');
};

/** Media types of a request body that is not JSON. */
const findBodyTypes = (document: JsonObject, operation: JsonObject): readonly string[] => {
  const { content } = toJsonObject(resolveReference(document, operation['requestBody']));
  return Object.keys(toJsonObject(content)).filter((mediaType) => mediaType !== 'application/json');
};

const nameLists = z.looseObject({
  'x-other-names': z.record(z.string(), z.string()).default({}),
  'x-ignored-names': z.array(z.string()).default([]),
});

/** Adds the names of the properties of a schema, at any depth and in lower case. */
const collectProperties = (document: JsonObject, root: unknown): readonly string[] => {
  const names = new Set<string>();
  const visited = new Set<unknown>();
  const visit = (value: unknown): void => {
    const schema = resolveReference(document, value);
    if (!isJsonObject(schema) || visited.has(schema)) return;
    visited.add(schema);
    const properties = toJsonObject(schema['properties']);
    for (const name of Object.keys(properties)) names.add(name.toLowerCase());
    const parts = ['allOf', 'anyOf', 'oneOf', 'prefixItems'].flatMap((keyword) => toList(schema[keyword]));
    for (const part of [...Object.values(properties), ...parts, schema['items'], schema['additionalProperties']])
      visit(part);
  };
  visit(root);
  return [...names].toSorted();
};

/** Returns what decides whether a name in the query is a parameter, and if not, what to send instead. */
const readNames = (
  document: JsonObject,
  { operation, parameters }: OpenApiOperation,
): Pick<CatalogOperation, 'parameters' | 'otherNames' | 'ignoredNames' | 'properties'> => {
  const namesIn = (place: string): readonly string[] =>
    parameters.filter((parameter) => parameter['in'] === place).map(({ name }) => String(name));
  const { 'x-other-names': declared, 'x-ignored-names': ignoredNames } = nameLists.parse(operation);
  const ofHeaders = namesIn('header').map((name) => [name, `the header ${name}`]);
  const otherNames: Readonly<Record<string, string>> = { ...Object.fromEntries(ofHeaders), ...declared };
  const bodies = Object.entries(toJsonObject(operation['responses']))
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => toJsonObject(toJsonObject(resolveReference(document, response))['content']))
    .map((content) => toJsonObject(content['application/json'])['schema']);
  const properties = collectProperties(document, { anyOf: bodies });
  return {
    parameters: namesIn('query'),
    ...(Object.keys(otherNames).length > 0 && { otherNames }),
    ...(ignoredNames.length > 0 && { ignoredNames }),
    ...(properties.length > 0 && { properties }),
  };
};

const catalogOperation = (document: JsonObject): readonly CatalogOperation[] =>
  listOperations(document).map((one) => {
    const { method, path, operation } = one;
    const security = operation['security'] ?? document['security'];
    const isPublic = Array.isArray(security) && security.length === 0;
    const mediaTypes = findOtherMediaTypes(document, operation);
    const bodyTypes = findBodyTypes(document, operation);
    return {
      operationId: String(operation['operationId']),
      method,
      path,
      isPublic,
      ...(mediaTypes.length > 0 && { mediaTypes }),
      ...('304' in toJsonObject(operation['responses']) && { isConditional: true as const }),
      ...('requestBody' in operation && { hasBody: true as const }),
      ...(bodyTypes.length > 0 && { bodyTypes }),
      ...readNames(document, one),
    };
  });

type ReadVersion = CatalogVersion & Pick<CatalogProduct, 'title' | 'isIngest'>;

const readVersion = ({ location, document }: BundledDocument): ReadVersion => {
  const { file, product, version } = location;
  const parsed = head.safeParse(document);
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  const { info, 'x-product': named, 'x-ingest': isIngest, 'x-lifecycle': lifecycle } = parsed.data;
  if (named !== product) throw new Error(`${file}: x-product is '${named}', its folder says '${product}'`);
  if (info.version !== version)
    throw new Error(`${file}: info.version is '${info.version}', its folder says '${version}'`);
  rejectUnquotedDates(file);
  const { releasedOn, deprecatedOn, sunsetOn, successor, aliases } = lifecycle;
  if (sunsetOn !== undefined && deprecatedOn === undefined)
    throw new Error(`${file}: a version with a sunsetOn needs a deprecatedOn: subscribers are notified before it ends`);
  const dates = [releasedOn, deprecatedOn, sunsetOn].filter((one) => one !== undefined);
  if (dates.some((one, index) => index > 0 && one <= (dates[index - 1] ?? '')))
    throw new Error(`${file}: x-lifecycle dates are out of order: ${dates.join(', ')}`);
  return {
    title: info.title,
    ...(isIngest && { isIngest }),
    version,
    aliases,
    releasedOn,
    ...(deprecatedOn !== undefined && { deprecatedOn }),
    ...(sunsetOn !== undefined && { sunsetOn }),
    ...(successor !== undefined && { successor }),
    operations: catalogOperation(document),
  };
};

const validateVersionNames = ({ product, versions }: CatalogProduct): void => {
  const names = versions.flatMap(({ version, aliases }) => [version, ...aliases]).map((name) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${product}: '${twice}' names two versions`);
  versions.forEach(({ version, successor, releasedOn }, index) => {
    if (successor !== undefined && !versions.slice(index + 1).some((later) => later.version === successor))
      throw new Error(`${product}/${version}: successor '${successor}' is not a later version of this product`);
    const before = versions[index - 1];
    if (before && before.releasedOn >= releasedOn)
      throw new Error(
        `${product}/${version}: released ${releasedOn}, not after ${before.version} (${before.releasedOn})`,
      );
  });
};

const toPathPattern = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');

/** Throws when two products have the same path: the router selects the product by the path alone. */
const rejectSharedPaths = (products: readonly CatalogProduct[]): void => {
  const owners = new Map<string, string>();
  for (const { product, versions } of products)
    for (const { path } of versions.flatMap((version) => version.operations)) {
      const owner = owners.get(toPathPattern(path));
      if (owner !== undefined && owner !== product)
        throw new Error(`'${path}' is claimed by ${owner} and by ${product}`);
      owners.set(toPathPattern(path), product);
    }
};

/** Builds the catalog of products and versions. Throws on the first contradiction within or between documents. */
export const buildCatalog = (documents: readonly BundledDocument[]): readonly CatalogProduct[] => {
  const products = Map.groupBy(documents, ({ location }) => location.product);
  const catalog = [...products].map(([product, ofProduct]) => {
    const versions = ofProduct.map(readVersion);
    const { title = product, isIngest } = versions.at(-1) ?? {};
    return {
      product,
      title,
      ...(isIngest && { isIngest }),
      versions: versions.map(({ title: _, isIngest: _ingest, ...version }) => version),
    };
  });
  catalog.forEach(validateVersionNames);
  rejectSharedPaths(catalog);
  return catalog;
};

/** Renders generated/catalog.ts. */
export const renderCatalog = (catalog: readonly CatalogProduct[]): string =>
  `// Generated from the documents under spec/ by \`make generate\`; do not edit.
import type { CatalogProduct } from '../src/server/http/router/version-lifecycle.ts';

export const catalog: readonly CatalogProduct[] = ${JSON.stringify(catalog, null, 2)};
`;
