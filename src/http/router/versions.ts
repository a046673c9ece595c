import { localDate, type LocalDate } from '../../domain/time/dates.ts';
import { invalidParameters, Problem } from '../response/problem.ts';
import {
  findCurrentVersion,
  getStage,
  type CatalogProduct,
  type CatalogVersion,
  type VersionStage,
} from './version-lifecycle.ts';

/** The released versions of a product on one day. */
export type ProductOnDay = {
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

const productOn = (product: CatalogProduct, today: LocalDate): ProductOnDay => {
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
export const createVersionTable = (
  catalog: readonly CatalogProduct[],
): ((product: CatalogProduct, today: LocalDate) => ProductOnDay) => {
  let day: LocalDate | undefined;
  let products = new Map<CatalogProduct, ProductOnDay>();
  return (product, today) => {
    if (day !== today) {
      products = new Map(catalog.map((each) => [each, productOn(each, today)]));
      day = today;
    }
    return products.get(product) ?? productOn(product, today);
  };
};

/**
 * Returns the version that a request names, removed ones included. Throws Problem `unknown-version`, or `unknown-path` when none was
 * named and the product has no version yet: until its first release it does not exist.
 */
export const selectVersion = (
  title: string,
  { byName, unnamed }: ProductOnDay,
  name: string | undefined,
): VersionOnDay => {
  const selected = name === undefined ? unnamed : byName.get(name);
  if (selected) return selected;
  if (unnamed === undefined) throw new Problem('unknown-path', 'There is nothing at this path.');
  const hint = unnamed.stage === 'removed' ? '' : ` Its current version is ${unnamed.version.version}.`;
  throw new Problem('unknown-version', `${title} has no version '${(name ?? '').slice(0, 64)}'.${hint}`);
};

/** Returns the problem of a request that names several versions. */
export const severalVersionsProblem = (names: readonly string[]): Problem => {
  const values = names.slice(0, 3).map((name) => `'${name.slice(0, 64)}'`);
  return invalidParameters({
    version: [`takes one value, but was given ${names.length} different ones: ${values.join(', ')}`],
  });
};
