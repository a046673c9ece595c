import { shortenInput } from '#lib/mask-keys.ts';
import { METHOD_NAME_ALL } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { localDate, toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import { invalidParameters, Problem } from '../response/problem.ts';
import { splitTarget, type RequestTarget } from './request-url.ts';
import {
  type CatalogOperation,
  type CatalogProduct,
  type CatalogVersion,
  findCurrentVersion,
  getStage,
  type VersionStage,
} from './version-lifecycle.ts';

/** What is at one path: its product, and the operations of each version by HTTP method in capitals. */
export type RouteEntry = {
  readonly product: CatalogProduct;
  readonly operations: ReadonlyMap<string, ReadonlyMap<string, CatalogOperation>>;
};

/** An entry and the normalized path of the request: single slashes, segments percent-encoded. */
export type RouteMatch = { readonly entry: RouteEntry; readonly path: string };

type MutableEntry = {
  readonly product: CatalogProduct;
  readonly operations: Map<string, Map<string, CatalogOperation>>;
};

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

/** Returns a path with single slashes, none at the end, and its segments percent-encoded; undefined when one of them is badly encoded. */
const normalizePath = (path: string): string | undefined => {
  const segments = path.split('/').filter((segment) => segment !== '');
  try {
    return `/${segments.map((segment) => encodeURIComponent(decodeURIComponent(segment))).join('/')}`;
  } catch {
    return undefined;
  }
};

/** Where two paths match, the one with fewer parameters wins: it is added first. */
const byParameters = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one.split('{}').length - other.split('{}').length;

/**
 * Returns a function from the path of a request to its entry, for all products of a catalog; it returns undefined for unknown and
 * badly encoded paths. Throws when two products claim one path.
 */
export const createRouteTable = (catalog: readonly CatalogProduct[]): ((path: string) => RouteMatch | undefined) => {
  const literal = new Map<string, RouteMatch>();
  const router = new TrieRouter<RouteEntry>();
  for (const [shape, entry] of [...groupByPath(catalog)].toSorted(byParameters)) {
    if (!shape.includes('{}')) literal.set(shape, { entry, path: shape });
    let parameters = 0;
    router.add(
      METHOD_NAME_ALL,
      shape.replaceAll('{}', () => `:p${(parameters += 1)}`),
      entry,
    );
  }
  return (sent) => {
    const exact = literal.get(sent);
    if (exact) return exact;
    const path = normalizePath(sent);
    const [[entry] = []] = path === undefined ? [] : router.match(METHOD_NAME_ALL, path)[0];
    return entry && path !== undefined ? { entry, path } : undefined;
  };
};

/** The released versions of a product on one day. */
type ProductOnDay = {
  /** By name and alias, in lower case. */
  readonly byName: ReadonlyMap<string, VersionOnDay>;
  /** Selected by requests without a version: the current one or, when none is left, the last that was removed. */
  readonly unnamed: VersionOnDay | undefined;
};

export type VersionOnDay = {
  readonly version: CatalogVersion;
  readonly stage: VersionStage;
  /** `API-Version`, and on a deprecated version `Deprecation` and `Sunset`. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Formats the first moment of a UTC date as an HTTP date. */
const formatHttpDate = (date: LocalDate): string => new Date(date * 86_400_000).toUTCString();

const headersOf = ({ version, sunsetOn }: CatalogVersion, stage: VersionStage): Readonly<Record<string, string>> => {
  if (stage !== 'deprecated') return { 'API-Version': version };
  const headers = { 'API-Version': version, Deprecation: 'true' };
  return sunsetOn === undefined ? headers : { ...headers, Sunset: formatHttpDate(localDate(sunsetOn)) };
};

const computeProductOnDay = (product: CatalogProduct, today: LocalDate): ProductOnDay => {
  const byName = new Map<string, VersionOnDay>();
  for (const version of product.versions) {
    const stage = getStage(version, today);
    if (stage === 'unreleased') continue;
    const onDay = { version, stage, headers: headersOf(version, stage) };
    for (const name of [version.version, ...version.aliases]) byName.set(name.toLowerCase(), onDay);
  }
  const unnamed =
    findCurrentVersion(product, today) ??
    product.versions.findLast((version) => getStage(version, today) === 'removed');
  return { byName, unnamed: unnamed && byName.get(unnamed.version.toLowerCase()) };
};

/** Returns a function from a product and a day to its versions. The result of the last day is cached: a clock seldom changes its day. */
const createVersionTable = (
  catalog: readonly CatalogProduct[],
): ((product: CatalogProduct, today: LocalDate) => ProductOnDay) => {
  let day: LocalDate | undefined;
  let products = new Map<CatalogProduct, ProductOnDay>();
  return (product, today) => {
    if (day !== today) {
      products = new Map(catalog.map((each) => [each, computeProductOnDay(each, today)]));
      day = today;
    }
    return products.get(product) ?? computeProductOnDay(product, today);
  };
};

/**
 * Returns the version that a request names, removed ones included. Throws Problem `unknown-version`, or `unknown-path` when none was
 * named and the product has no version yet: until its first release it does not exist.
 */
const selectVersion = (title: string, { byName, unnamed }: ProductOnDay, name: string | undefined): VersionOnDay => {
  const selected = name === undefined ? unnamed : byName.get(name);
  if (selected) return selected;
  if (unnamed === undefined) throw new Problem('unknown-path', `${title} has no released version on this date.`);
  const hint = unnamed.stage === 'removed' ? '' : ` Its current version is ${unnamed.version.version}.`;
  throw new Problem('unknown-version', `${title} has no version '${shortenInput(name ?? '')}'.${hint}`);
};

/** Returns the problem of a request that names several versions. */
const severalVersionsProblem = (names: readonly string[]): Problem => {
  const values = names.slice(0, 3).map((name) => `'${shortenInput(name)}'`);
  return invalidParameters({
    version: [`accepts one value, not ${names.length} different ones: ${values.join(', ')}`],
  });
};

const toRouteMethod = (method: string): string => (method === 'HEAD' ? 'GET' : method);

const formatAllow = (operations: ReadonlyMap<string, CatalogOperation>): string =>
  [...operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');

/** Returns the operation of a version for a method; throws the Problem that there is none. */
const selectOperation = (
  { entry, path }: RouteMatch,
  { version, stage }: VersionOnDay,
  method: string,
): CatalogOperation => {
  const { title } = entry.product;
  const { version: name, sunsetOn, successor } = version;
  if (stage === 'removed') {
    const hint = successor === undefined ? '' : ` Its successor is ${successor}.`;
    throw new Problem('version-removed', `Version ${name} of ${title} was removed on ${sunsetOn}.${hint}`);
  }
  const operations = entry.operations.get(name);
  if (!operations) throw new Problem('unknown-path', `Version ${name} of ${title} does not have the path ${path}.`);
  const operation = operations.get(toRouteMethod(method));
  if (operation) return operation;
  const allow = formatAllow(operations);
  throw new Problem('method-not-allowed', `${path} supports ${allow}, not ${method.slice(0, 16)}.`, {
    headers: { Allow: allow },
  });
};

/** The operation that a request selects, and how it got there. */
export type Selection = {
  readonly match: RouteMatch;
  readonly version: VersionOnDay;
  readonly operation: CatalogOperation;
};

/** Why a request selects no operation; with its path and version as far as they are known. */
export type SelectionFailure = {
  readonly problem: Problem;
  readonly match: RouteMatch;
  readonly version: VersionOnDay | undefined;
};

/** A request as `getPath` found it; without product and result when its path is of no product. */
export type SelectedRequest = {
  readonly request: Request;
  readonly target: RequestTarget;
  readonly product: string | undefined;
  readonly result: Selection | SelectionFailure | undefined;
};

/** Where the versions of products and the pages for people are mounted; no client sees these prefixes. */
export const VERSIONS = '/versions';
export const PAGES = '/pages';

/** Returns the path of a page where it is mounted. Hono mounts the page at `/` without the slash. */
const toPagePath = (path: string): string => (path === '/' ? PAGES : `${PAGES}${path}`);

/**
 * Selects operations by path, version and method. `getPath` is the option of Hono with which a request gets the path that it has in the mounted
 * version; Hono's router does the rest.
 */
export class OperationSelector {
  readonly #clock: (request: Request) => Date;
  readonly #findRoute: (path: string) => RouteMatch | undefined;
  readonly #versionsOn: ReturnType<typeof createVersionTable>;
  /**
   * The last request, between `getPath`, which has no context, and the first middleware, which Hono calls directly after it. A `WeakMap` of all
   * requests took 4 % of the processor time of a cached page, most of it in garbage collection.
   */
  #last: SelectedRequest | undefined;

  constructor(catalog: readonly CatalogProduct[], clock: (request: Request) => Date) {
    this.#clock = clock;
    this.#findRoute = createRouteTable(catalog);
    this.#versionsOn = createVersionTable(catalog);
  }

  /** Returns `/versions/<product>/<version><path>` for a request that selects an operation, else `/pages<path>`. */
  readonly getPath = (request: Request): string => {
    const target = splitTarget(request.url);
    const match = this.#findRoute(target.path);
    const result = match && this.#select(request, match, target.versions);
    this.#last = { request, target, product: match?.entry.product.product, result };
    if (!match || !result || 'problem' in result) return toPagePath(target.path);
    return `${VERSIONS}/${match.entry.product.product}/${result.version.version.version}${match.path}`;
  };

  /** Returns what `getPath` found for a request; only the first middleware may call it. */
  takeSelected(request: Request): SelectedRequest {
    const selected = this.#last;
    this.#last = undefined;
    if (selected?.request !== request) throw new Error('another request was selected since');
    return selected;
  }

  #select(request: Request, match: RouteMatch, names: readonly string[]): Selection | SelectionFailure {
    const onDay = this.#versionsOn(match.entry.product, toUtcDate(this.#clock(request)));
    if (names.length > 1) return { problem: severalVersionsProblem(names), match, version: onDay.unnamed };
    let version: VersionOnDay | undefined;
    try {
      version = selectVersion(match.entry.product.title, onDay, names[0]);
      return { match, version, operation: selectOperation(match, version, request.method) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { problem: error, match, version };
    }
  }
}
