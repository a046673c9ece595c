import { catalog } from '../../generated/catalog.ts';
import { follow, nodeOf, type Node, type Operation } from '../../src/lib/openapi-document.ts';
import { addDays, formatDate, localDate } from '../../src/domain/time/dates.ts';
import { currentVersion, stageOf } from '../../src/http/router/version-lifecycle.ts';
import { Contract } from './contract.ts';

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
    const isGone = version.sunsetOn !== undefined && stageOf(version, today) === 'removed';
    const day = isGone ? addDays(localDate(version.sunsetOn), -1) : today;
    const name = `${product.product}/${version.version}`;
    const isCurrent = currentVersion(product, day) === version;
    return { name, version: version.version, contract: new Contract(name), day: formatDate(day), isCurrent };
  }),
);

/** Every operation of them all. */
export const servedOperations: readonly (readonly [title: string, served: ServedDocument, operation: Operation])[] =
  servedDocuments.flatMap((served) =>
    served.contract
      .operations()
      .map((operation) => [`${served.name} ${operation.method} ${operation.path}`, served, operation] as const),
  );

const okSchema = ({ document }: Contract, { operation }: Operation): Node => {
  const ok = nodeOf(follow(document, nodeOf(operation['responses'])['200']));
  return nodeOf(follow(document, nodeOf(nodeOf(ok['content'])['application/json'])['schema']));
};

/** The properties of the paging of what an operation answers; undefined where that is no page of a list. */
const pagingOf = (contract: Contract, operation: Operation): Node | undefined => {
  const properties = nodeOf(okSchema(contract, operation)['properties']);
  if (!('data' in properties) || !('paging' in properties)) return undefined;
  return nodeOf(nodeOf(follow(contract.document, properties['paging']))['properties']);
};

/** The schema of a record of a list. */
export const recordSchema = (contract: Contract, operation: Operation): unknown => {
  const { data } = nodeOf(okSchema(contract, operation)['properties']);
  return follow(contract.document, nodeOf(follow(contract.document, data))['items']);
};

/** Whether what an operation answers is a page of a list. */
export const isList = ({ contract }: ServedDocument, operation: Operation): boolean =>
  pagingOf(contract, operation) !== undefined;

/** Whether the pages of a list lead back as well. */
export const leadsBack = ({ contract }: ServedDocument, operation: Operation): boolean =>
  'previous' in (pagingOf(contract, operation) ?? {});
