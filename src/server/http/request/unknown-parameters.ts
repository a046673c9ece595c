import { isWithinEditDistance } from '#lib/edit-distance.ts';
import { decodeQueryText } from '#lib/query-text.ts';
import { memoizeText } from '#lib/text-memo.ts';
import type { ParameterErrors } from '../response/problem.ts';
import type { CatalogOperation, CatalogProduct } from '../router/version-lifecycle.ts';
import { toParameterKey } from '../router/query-names.ts';

/** Limit of names in the header and in a problem: a query can have thousands. */
const MAX_LISTED_NAMES = 20;
const MAX_NAME_CHARACTERS = 64;

/** Letter case and separators make no difference to what a name means: `departure_airport`. */
export const toComparedName = (name: string): string =>
  toParameterKey(name)
    .toLowerCase()
    .replaceAll(/[-_. ]/g, '');

/** Returns how many letters of a misspelled name may differ: short words differ by one letter and mean something else. */
export const editsAllowed = ({ length }: string): number => (length < 5 ? 0 : length < 8 ? 1 : 2);

export const truncate = (name: string): string =>
  name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;

/** What an operation knows about names that it does not have, by compared name. */
type Advice = {
  /** What to send instead. */
  readonly instead: ReadonlyMap<string, string>;
  readonly ignored: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
};

/** The unknown parameters of a query that have a value; those without one count as absent. */
export type UnknownParameters = {
  /** Distinct names as the client sent them, decoded. */
  readonly names: readonly string[];
  /** The query without any unknown parameter. */
  readonly knownQuery: string;
};

/** The names of the parameters of an operation, and advice for names that are meant as one. */
class OperationNames {
  /** As declared, and in lower case. */
  readonly #known: ReadonlySet<string>;
  readonly #operation: CatalogOperation;
  readonly #getOthers: () => ReadonlyMap<string, string>;
  /** Returns the unknown parameters of a query; undefined when there are none. */
  readonly findUnknown = memoizeText((query) => this.#findUnknown(query));
  /** Computed for the first unknown name. */
  #advice: Advice | undefined;

  constructor(operation: CatalogOperation, getOthers: () => ReadonlyMap<string, string>) {
    this.#known = new Set(operation.parameters.flatMap((name) => [name, name.toLowerCase()]));
    this.#operation = operation;
    this.#getOthers = getOthers;
  }

  /** Whether a name, as written in the URL, is that of a parameter. */
  has(text: string): boolean {
    return this.#known.has(text) || this.#known.has(toParameterKey(decodeQueryText(text)));
  }

  /** Returns what to send instead of an unknown name that is meant as a parameter; undefined for a name that means nothing here. */
  findAdvice(name: string): string | undefined {
    const { instead, ignored, properties } = (this.#advice ??= this.#createAdvice());
    const sent = toComparedName(name);
    if (sent === '' || ignored.has(sent)) return undefined;
    const here = instead.get(sent) ?? this.#findSimilar(sent, instead);
    if (here !== undefined) return `is not a parameter of this operation: send ${here}`;
    const elsewhere = this.#getOthers().get(sent);
    if (elsewhere !== undefined) return `is not a parameter of this operation, but of ${elsewhere}`;
    return properties.has(sent) ? 'is a property of the response, and not a parameter of this operation' : undefined;
  }

  #findUnknown(query: string): UnknownParameters | undefined {
    const names = new Set<string>();
    const kept: string[] = [];
    let hasUnknown = false;
    for (const piece of query.split('&')) {
      const equals = piece.indexOf('=');
      const name = equals === -1 ? piece : piece.slice(0, equals);
      if (name === '' || this.has(name)) {
        kept.push(piece);
        continue;
      }
      hasUnknown = true;
      if (equals !== -1 && decodeQueryText(piece.slice(equals + 1)).trim() !== '') names.add(decodeQueryText(name));
    }
    return hasUnknown ? { names: [...names], knownQuery: kept.join('&') } : undefined;
  }

  #findSimilar(sent: string, instead: ReadonlyMap<string, string>): string | undefined {
    for (const [other, here] of instead) if (isWithinEditDistance(sent, other, editsAllowed(other))) return here;
    return undefined;
  }

  #createAdvice(): Advice {
    const { parameters, otherNames = {}, ignoredNames = [], properties = [] } = this.#operation;
    const names = [...Object.entries(otherNames), ...parameters.map((own) => [own, own] as const)];
    return {
      instead: new Map(names.map(([other, here]) => [toComparedName(other), here])),
      ignored: new Set(ignoredNames.map(toComparedName)),
      properties: new Set(properties),
    };
  }
}

/** Describes where the names of parameters belong, by compared name: operations of the same product first, newest version first. */
const describeParameters = (catalog: readonly CatalogProduct[], own: CatalogProduct): ReadonlyMap<string, string> => {
  const places = new Map<string, string>();
  for (const { title, versions } of [own, ...catalog])
    for (const { version, operations } of versions.toReversed())
      for (const { path, parameters } of operations)
        for (const name of parameters) {
          const compared = toComparedName(name);
          if (!places.has(compared)) places.set(compared, `${path} in ${title} ${version}`);
        }
  return places;
};

/** Finds unknown parameters in the queries of every operation of a catalog. */
export class ParameterNames {
  readonly #byOperation = new Map<CatalogOperation, OperationNames>();

  constructor(catalog: readonly CatalogProduct[]) {
    for (const product of catalog) {
      let others: ReadonlyMap<string, string> | undefined;
      const getOthers = (): ReadonlyMap<string, string> => (others ??= describeParameters(catalog, product));
      for (const operation of product.versions.flatMap(({ operations }) => operations))
        this.#byOperation.set(operation, new OperationNames(operation, getOthers));
    }
  }

  #get(operation: CatalogOperation): OperationNames {
    const names = this.#byOperation.get(operation);
    if (!names) throw new Error(`${operation.operationId} is not in the catalog`);
    return names;
  }

  /** Returns the unknown parameters of a query, without its question mark; undefined when there are none, as for most requests. */
  findUnknown(operation: CatalogOperation, query: string): UnknownParameters | undefined {
    return query === '' ? undefined : this.#get(operation).findUnknown(query);
  }

  /**
   * Returns the errors of unknown names by name: with advice where a name is meant as a parameter, and for all others if `isStrict`. Long
   * names are cut, and beyond 20 names only their number is reported.
   */
  findErrors(operation: CatalogOperation, names: readonly string[], isStrict: boolean): ParameterErrors {
    const known = this.#get(operation);
    const errors = new Map<string, readonly string[]>();
    let others = 0;
    for (const name of names) {
      const message = known.findAdvice(name) ?? (isStrict ? 'is not a parameter of this operation' : undefined);
      if (message === undefined) continue;
      if (errors.size < MAX_LISTED_NAMES) errors.set(truncate(name), [message]);
      else others += 1;
    }
    if (others > 0) errors.set('', [`The query has ${others} more names that are not parameters`]);
    return Object.fromEntries(errors);
  }
}

/**
 * Formats names as a list of strings (RFC 9651), percent-encoded as UTF-8. Long names are cut and end in `%E2%80%A6`. Beyond 20 names, the
 * last has the parameter `more`, the number of names that are left out.
 */
export const formatNameList = (names: readonly string[]): string => {
  const listed = names
    .slice(0, MAX_LISTED_NAMES)
    .map((name) => `"${encodeURIComponent(truncate(name).toWellFormed())}"`);
  const rest = names.length - listed.length;
  return `${listed.join(', ')}${rest > 0 ? `;more=${rest}` : ''}`;
};
