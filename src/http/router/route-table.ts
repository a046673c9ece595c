import type { CatalogOperation, CatalogProduct } from './version-lifecycle.ts';

/** What stands at one path: its product, and the operations of each version by HTTP method in capitals. */
export type Place = {
  readonly product: CatalogProduct;
  readonly operations: ReadonlyMap<string, ReadonlyMap<string, CatalogOperation>>;
};

/** A place and the path by which it was found, without stray slashes. */
export type Found = { readonly place: Place; readonly path: string };

type Template = { readonly segments: readonly (string | undefined)[]; readonly place: Place };
type GrowingPlace = {
  readonly product: CatalogProduct;
  readonly operations: Map<string, Map<string, CatalogOperation>>;
};

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Puts the operations of a catalogue under their paths; parameters of one position are the same place, whatever their names. */
const placesOf = (catalog: readonly CatalogProduct[]): ReadonlyMap<string, GrowingPlace> => {
  const places = new Map<string, GrowingPlace>();
  for (const product of catalog) {
    for (const { version, operations } of product.versions) {
      for (const operation of operations) {
        const shape = operation.path.replaceAll(/\{.+?\}/g, '{}');
        const place: GrowingPlace = places.get(shape) ?? { product, operations: new Map() };
        if (place.product !== product)
          throw new Error(`${operation.path} belongs to both ${place.product.product} and ${product.product}`);
        places.set(shape, place);
        const methods = place.operations.get(version) ?? new Map<string, CatalogOperation>();
        place.operations.set(version, methods.set(operation.method.toUpperCase(), operation));
      }
    }
  }
  return places;
};

/** Decoded segments of a path; undefined when one of them is not well encoded. */
const decodedSegments = (path: string): readonly string[] | undefined => {
  const segments = segmentsOf(path);
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
};

const fits = ({ segments }: Template, asked: readonly string[]): boolean =>
  segments.every((segment, index) => segment === undefined || segment === asked[index]);

/**
 * A function from the path of a request to what stands there, for all products of a catalogue; undefined when nothing does or
 * the path is badly encoded. Throws when two products claim one path.
 */
export const routeTable = (catalog: readonly CatalogProduct[]): ((path: string) => Found | undefined) => {
  const places = placesOf(catalog);
  const literal = new Map<string, Found>();
  const templates = new Map<number, Template[]>();
  for (const [shape, place] of places) {
    const segments = segmentsOf(shape).map((segment) => (isParameter(segment) ? undefined : segment));
    if (!segments.includes(undefined)) literal.set(shape, { place, path: shape });
    templates.set(segments.length, [...(templates.get(segments.length) ?? []), { segments, place }]);
  }
  // Where two templates fit, the one with fewer parameters is meant.
  const freedom = ({ segments }: Template): number => segments.filter((segment) => segment === undefined).length;
  for (const list of templates.values()) list.sort((a, b) => freedom(a) - freedom(b));
  return (path) => {
    const exact = literal.get(path);
    if (exact) return exact;
    const asked = decodedSegments(path);
    const template = asked && templates.get(asked.length)?.find((candidate) => fits(candidate, asked));
    return template && { place: template.place, path: `/${asked.map(encodeURIComponent).join('/')}` };
  };
};
