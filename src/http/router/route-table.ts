import type { CatalogOperation, CatalogProduct } from './version-lifecycle.ts';

/** What is at one path: its product, and the operations of each version by HTTP method in capitals. */
export type RouteEntry = {
  readonly product: CatalogProduct;
  readonly operations: ReadonlyMap<string, ReadonlyMap<string, CatalogOperation>>;
};

/** An entry and the normalized path of the request: single slashes, segments percent-encoded. */
export type RouteMatch = { readonly entry: RouteEntry; readonly path: string };

type PathTemplate = { readonly segments: readonly (string | undefined)[]; readonly entry: RouteEntry };
type MutableEntry = {
  readonly product: CatalogProduct;
  readonly operations: Map<string, Map<string, CatalogOperation>>;
};

const splitPath = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Groups the operations of a catalog by path; names of parameters make no difference. */
const groupByPath = (catalog: readonly CatalogProduct[]): ReadonlyMap<string, MutableEntry> => {
  const entries = new Map<string, MutableEntry>();
  for (const product of catalog) {
    for (const { version, operations } of product.versions) {
      for (const operation of operations) {
        const shape = operation.path.replaceAll(/\{.+?\}/g, '{}');
        const entry: MutableEntry = entries.get(shape) ?? { product, operations: new Map() };
        if (entry.product !== product)
          throw new Error(`${operation.path} belongs to both ${entry.product.product} and ${product.product}`);
        entries.set(shape, entry);
        const methods = entry.operations.get(version) ?? new Map<string, CatalogOperation>();
        entry.operations.set(version, methods.set(operation.method.toUpperCase(), operation));
      }
    }
  }
  return entries;
};

/** Returns the decoded segments of a path, or undefined when one of them is badly encoded. */
const decodeSegments = (path: string): readonly string[] | undefined => {
  const segments = splitPath(path);
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
};

const matchesTemplate = ({ segments }: PathTemplate, path: readonly string[]): boolean =>
  segments.every((segment, index) => segment === undefined || segment === path[index]);

const countParameters = ({ segments }: PathTemplate): number =>
  segments.filter((segment) => segment === undefined).length;

/**
 * Returns a function from the path of a request to its entry, for all products of a catalog; it returns undefined for unknown and
 * badly encoded paths. Throws when two products claim one path.
 */
export const createRouteTable = (catalog: readonly CatalogProduct[]): ((path: string) => RouteMatch | undefined) => {
  const literal = new Map<string, RouteMatch>();
  const templates = new Map<number, PathTemplate[]>();
  for (const [shape, entry] of groupByPath(catalog)) {
    const segments = splitPath(shape).map((segment) => (isParameter(segment) ? undefined : segment));
    if (!segments.includes(undefined)) literal.set(shape, { entry, path: shape });
    templates.set(segments.length, [...(templates.get(segments.length) ?? []), { segments, entry }]);
  }
  // Where two templates match, the one with fewer parameters wins.
  for (const list of templates.values()) list.sort((a, b) => countParameters(a) - countParameters(b));
  return (path) => {
    const exact = literal.get(path);
    if (exact) return exact;
    const segments = decodeSegments(path);
    const template = segments && templates.get(segments.length)?.find((one) => matchesTemplate(one, segments));
    return template && { entry: template.entry, path: `/${segments.map(encodeURIComponent).join('/')}` };
  };
};
