import { catalog } from '../../../generated/catalog.ts';
import {
  resolveReference,
  toJsonObject,
  type JsonObject,
  type OpenApiOperation,
} from '../../../src/lib/openapi-document.ts';
import { addDays, formatDate, localDate } from '../../../src/domain/time/dates.ts';
import { findCurrentVersion, getStage } from '../../../src/http/router/version-lifecycle.ts';
import { Contract } from '../contract.ts';

/** The day of the worlds that are served in tests. */
export const WORLD_DAY = '2026-06-01';

/** A version of the catalogue, and a day on which it answers. */
export type ServedDocument = {
  /** `<product>/<version>`. */
  readonly name: string;
  readonly version: string;
  readonly contract: Contract;
  /** The world's own day or, of a version that is gone by then, its last one. */
  readonly day: string;
  /** Whether it answers requests of that day that name no version. */
  readonly isCurrent: boolean;
};

/** Every version that is or has been served, in the order of the catalogue: a new document is in it by itself. */
export const servedDocuments: readonly ServedDocument[] = catalog.flatMap((product) =>
  product.versions.map((version) => {
    const today = localDate(WORLD_DAY);
    const isGone = version.sunsetOn !== undefined && getStage(version, today) === 'removed';
    const day = isGone ? addDays(localDate(version.sunsetOn), -1) : today;
    const name = `${product.product}/${version.version}`;
    const isCurrent = findCurrentVersion(product, day) === version;
    return { name, version: version.version, contract: new Contract(name), day: formatDate(day), isCurrent };
  }),
);

/** Every operation of them all. */
export const servedOperations: readonly (readonly [
  title: string,
  served: ServedDocument,
  operation: OpenApiOperation,
])[] = servedDocuments.flatMap((served) =>
  served.contract
    .operations()
    .map((operation) => [`${served.name} ${operation.method} ${operation.path}`, served, operation] as const),
);

const okSchema = ({ document }: Contract, { operation }: OpenApiOperation): JsonObject => {
  const ok = toJsonObject(resolveReference(document, toJsonObject(operation['responses'])['200']));
  return toJsonObject(
    resolveReference(document, toJsonObject(toJsonObject(ok['content'])['application/json'])['schema']),
  );
};

/** The properties of the paging of what an operation answers; undefined where that is no page of a list. */
const pagingOf = (contract: Contract, operation: OpenApiOperation): JsonObject | undefined => {
  const properties = toJsonObject(okSchema(contract, operation)['properties']);
  if (!('data' in properties) || !('paging' in properties)) return undefined;
  return toJsonObject(toJsonObject(resolveReference(contract.document, properties['paging']))['properties']);
};

/** The schema of a record of a list. */
export const findRecordSchema = (contract: Contract, operation: OpenApiOperation): unknown => {
  const { data } = toJsonObject(okSchema(contract, operation)['properties']);
  return resolveReference(contract.document, toJsonObject(resolveReference(contract.document, data))['items']);
};

/** Whether what an operation answers is a page of a list. */
export const isList = ({ contract }: ServedDocument, operation: OpenApiOperation): boolean =>
  pagingOf(contract, operation) !== undefined;

/** Whether the pages of a list lead back as well. */
export const hasPreviousPages = ({ contract }: ServedDocument, operation: OpenApiOperation): boolean =>
  'previous' in (pagingOf(contract, operation) ?? {});
