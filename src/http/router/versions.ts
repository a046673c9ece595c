import { localDate, type LocalDate } from '../../domain/time/dates.ts';
import { currentVersion, stageOf, type CatalogProduct, type CatalogVersion, type Stage } from './version-lifecycle.ts';
import { Problem } from '../response/problem.ts';

/** The versions of a product as they stand on one day; unreleased ones are not among them. */
export type ProductOnDay = {
  /** By name and alias, in lower case. */
  readonly byName: ReadonlyMap<string, VersionOnDay>;
  /** What a request means that names no version: the current one or, when none is left, the last that was removed. */
  readonly unnamed: VersionOnDay | undefined;
};

export type VersionOnDay = {
  readonly version: CatalogVersion;
  readonly stage: Stage;
  /** `API-Version`, and on a deprecated version `Deprecation` and `Sunset`. */
  readonly headers: Readonly<Record<string, string>>;
};

/** An HTTP date at the first moment of a UTC date. */
export const httpDate = (date: LocalDate): string => new Date(date * 86_400_000).toUTCString();

const headersOf = ({ version, sunsetOn }: CatalogVersion, stage: Stage): Readonly<Record<string, string>> => {
  if (stage !== 'deprecated') return { 'API-Version': version };
  const headers = { 'API-Version': version, Deprecation: 'true' };
  return sunsetOn === undefined ? headers : { ...headers, Sunset: httpDate(localDate(sunsetOn)) };
};

const productOn = (product: CatalogProduct, today: LocalDate): ProductOnDay => {
  const byName = new Map<string, VersionOnDay>();
  for (const version of product.versions) {
    const stage = stageOf(version, today);
    if (stage === 'unreleased') continue;
    const onDay = { version, stage, headers: headersOf(version, stage) };
    for (const name of [version.version, ...version.aliases]) byName.set(name.toLowerCase(), onDay);
  }
  const unnamed =
    currentVersion(product, today) ?? product.versions.findLast((version) => stageOf(version, today) === 'removed');
  return { byName, unnamed: unnamed && byName.get(unnamed.version.toLowerCase()) };
};

/** The stages of every product on a day. The answer for the last day asked for is kept: a clock seldom moves to another. */
export const stagesOf = (
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
 * The version a request means, removed ones included. Throws Problem `unknown-version`, or `unknown-path` when none was named
 * and the product has no version yet: until its first release it does not exist.
 */
export const chooseVersion = (
  title: string,
  { byName, unnamed }: ProductOnDay,
  asked: string | undefined,
): VersionOnDay => {
  const chosen = asked === undefined ? unnamed : byName.get(asked);
  if (chosen) return chosen;
  if (unnamed === undefined) throw new Problem('unknown-path', 'There is nothing at this path.');
  const hint = unnamed.stage === 'removed' ? '' : ` Its current version is ${unnamed.version.version}.`;
  throw new Problem('unknown-version', `${title} has no version '${(asked ?? '').slice(0, 64)}'.${hint}`);
};
