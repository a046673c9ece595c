import type { OperationTraits, ProductApi } from './create-api.ts';
import type { CatalogOperation, CatalogProduct } from '../router/version-lifecycle.ts';
import { VERSIONS } from '../router/select-operation.ts';

/** An operation and where Hono finds it: the method in capitals, and the mounted path such as `/versions/schedules/v1/schedules/:id`. */
export type MountedOperation = OperationTraits & {
  readonly operation: CatalogOperation;
  readonly method: string;
  readonly path: string;
};

/** The application of every version, by `<product>/<version>`. */
export type ProductVersions = Readonly<Record<string, ProductApi>>;

/** Returns a path template of the contract as Hono writes it. */
const toHonoPath = (path: string): string => path.replaceAll(/\{(.+?)\}/g, ':$1');

/** Returns the operations of every version that has an application. */
export const listMountedOperations = (
  catalog: readonly CatalogProduct[],
  versions: ProductVersions,
): readonly MountedOperation[] =>
  catalog.flatMap(({ product, versions: documents }) =>
    documents.flatMap(({ version, operations }) => {
      const name = `${product}/${version}`;
      const api = versions[name];
      if (!api) return [];
      return operations.map((operation) => ({
        operation,
        method: operation.method.toUpperCase(),
        path: `${VERSIONS}/${name}${toHonoPath(operation.path)}`,
        ...api.getTraits(operation.operationId),
      }));
    }),
  );

/** Names of parameters make no difference. */
const toAddress = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/:[^/]+/g, '{}')}`;

const assertVersionBound = (
  name: string,
  operations: readonly CatalogOperation[],
  api: ProductApi | undefined,
): void => {
  const bound = new Set(api?.routes.map(({ method, path }) => toAddress(method, path)));
  for (const { operationId, method, path } of operations)
    if (!bound.delete(toAddress(method, toHonoPath(path))))
      throw new Error(
        `${operationId} (${method.toUpperCase()} ${path}) of ${name} has no handler: bind it in its index.ts`,
      );
  const [address] = bound;
  if (address !== undefined) throw new Error(`${name} handles ${address}, which its document does not have`);
};

/** Throws for an operation without a handler and for a handler without an operation: the service starts with neither. */
export const assertOperationsBound = (catalog: readonly CatalogProduct[], versions: ProductVersions): void => {
  for (const { product, versions: documents } of catalog)
    for (const { version, operations } of documents)
      assertVersionBound(`${product}/${version}`, operations, versions[`${product}/${version}`]);
};
