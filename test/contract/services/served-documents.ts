import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findDocuments } from '#contract/find-documents.ts';
import { root } from '#contract/run-tool.ts';
import { resolveReference, toJsonObject, toList } from '#lib/openapi-document.ts';
import type { JsonObject, OpenApiOperation } from '#lib/openapi-document.ts';
import { addDays, formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import { findCurrentVersion, type CatalogVersion } from '#http/router/version-lifecycle.ts';
import { Contract } from '../contract.ts';

export const WORLD_DAY = '2026-06-01';

/** A version of a product, and a date on which it is served. */
export type ServedDocument = {
  /** `<product>/<version>`. */
  readonly name: string;
  readonly version: string;
  readonly contract: Contract;
  readonly lifecycle: Lifecycle;
  /** `WORLD_DAY` or, for a removed version, its last date. */
  readonly day: string;
  /** Whether it is the default version on that date. */
  readonly isCurrent: boolean;
};

/** The dates of a version as its document in spec/ states them; each applies from its start. */
export type Lifecycle = Pick<CatalogVersion, 'releasedOn' | 'deprecatedOn' | 'sunsetOn'>;

/** The lifecycles by `<product>/<version>`. They are read from the documents: the generated catalog is under test. */
const lifecycles: ReadonlyMap<string, Lifecycle> = new Map(
  findDocuments(join(root, 'spec')).map(({ product, version, file }) => {
    const lifecycle = toJsonObject(toJsonObject(parse(readFileSync(file, 'utf8')))['x-lifecycle']);
    const date = (name: keyof Lifecycle): string | undefined => {
      const value = lifecycle[name];
      return typeof value === 'string' ? value : undefined;
    };
    const [releasedOn = '', deprecatedOn, sunsetOn] = [date('releasedOn'), date('deprecatedOn'), date('sunsetOn')];
    const dates = { releasedOn, ...(deprecatedOn && { deprecatedOn }), ...(sunsetOn && { sunsetOn }) };
    return [`${product}/${version}`, dates];
  }),
);

export const findLifecycle = (name: string): Lifecycle | undefined => lifecycles.get(name);

const findDefaultName = (product: string, day: LocalDate): string => {
  const versions = [...lifecycles]
    .filter(([name]) => name.startsWith(`${product}/`))
    .map(([name, dates]) => ({ ...dates, version: name, aliases: [], operations: [] }));
  return findCurrentVersion({ product, title: product, versions }, day)?.version ?? '';
};

/** Every version of every product, removed ones included. */
export const servedDocuments: readonly ServedDocument[] = [...lifecycles].map(([name, lifecycle]) => {
  const [product = '', version = ''] = name.split('/');
  const { releasedOn, sunsetOn } = lifecycle;
  if (releasedOn > WORLD_DAY)
    throw new Error(
      `spec/${name} has releasedOn ${releasedOn}, but the tests serve all versions on ${WORLD_DAY}: set that date until its release`,
    );
  const isRemoved = sunsetOn !== undefined && sunsetOn <= WORLD_DAY;
  const day = isRemoved ? addDays(localDate(sunsetOn), -1) : localDate(WORLD_DAY);
  const isCurrent = findDefaultName(product, day) === name;
  return { name, version, contract: new Contract(name), lifecycle, day: formatDate(day), isCurrent };
});

export const findDocument = (name: string): ServedDocument => {
  const served = servedDocuments.find((one) => one.name === name);
  if (!served) throw new Error(`there is no document ${name}`);
  return served;
};

export const servedOperations: readonly (readonly [
  title: string,
  served: ServedDocument,
  operation: OpenApiOperation,
])[] = servedDocuments.flatMap((served) =>
  served.contract
    .operations()
    .map((operation) => [`${served.name} ${operation.method} ${operation.path}`, served, operation] as const),
);

const findSuccessSchema = ({ document }: Contract, { operation }: OpenApiOperation): JsonObject => {
  const ok = toJsonObject(resolveReference(document, toJsonObject(operation['responses'])['200']));
  return toJsonObject(
    resolveReference(document, toJsonObject(toJsonObject(ok['content'])['application/json'])['schema']),
  );
};

/** Returns the properties of `paging` in the response of an operation; undefined when it is not a list. */
const findPaging = (contract: Contract, operation: OpenApiOperation): JsonObject | undefined => {
  const properties = toJsonObject(findSuccessSchema(contract, operation)['properties']);
  if (!('data' in properties) || !('paging' in properties)) return undefined;
  return listProperties(contract.document, properties['paging']);
};

const listProperties = (document: JsonObject, schema: unknown): JsonObject => {
  const node = toJsonObject(resolveReference(document, schema));
  const parts = toList(node['allOf']).map((part) => listProperties(document, part));
  return Object.assign({}, ...parts, toJsonObject(node['properties']));
};

export const isList = ({ contract }: ServedDocument, operation: OpenApiOperation): boolean =>
  findPaging(contract, operation) !== undefined;

export const hasPreviousPages = ({ contract }: ServedDocument, operation: OpenApiOperation): boolean =>
  'previous' in (findPaging(contract, operation) ?? {});
