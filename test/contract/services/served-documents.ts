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

/** The date of the services under test. */
export const WORLD_DAY = '2026-06-01';

/** A version of the catalog, and a date on which it is served. */
export type ServedDocument = {
  /** `<product>/<version>`. */
  readonly name: string;
  readonly version: string;
  readonly contract: Contract;
  /** `WORLD_DAY` or, for a removed version, its last date. */
  readonly day: string;
  /** Whether it is the default version on that date. */
  readonly isCurrent: boolean;
};

/** Every version of the catalog, removed ones included. */
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

/** Every operation of every version. */
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
  return toJsonObject(toJsonObject(resolveReference(contract.document, properties['paging']))['properties']);
};

/** Returns the schema of a record of a list. */
export const findRecordSchema = (contract: Contract, operation: OpenApiOperation): unknown => {
  const { data } = toJsonObject(findSuccessSchema(contract, operation)['properties']);
  return resolveReference(contract.document, toJsonObject(resolveReference(contract.document, data))['items']);
};

/** Returns whether the response of an operation is a page of a list. */
export const isList = ({ contract }: ServedDocument, operation: OpenApiOperation): boolean =>
  findPaging(contract, operation) !== undefined;

/** Returns whether the pages of a list have a `previous` link. */
export const hasPreviousPages = ({ contract }: ServedDocument, operation: OpenApiOperation): boolean =>
  'previous' in (findPaging(contract, operation) ?? {});
