import { localDate, type LocalDate } from '../../domain/time/dates.ts';

/** One operation of one document. `path` is a template such as `/flight-instances/{departureDate}`; public operations need no key. */
export type CatalogOperation = {
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  readonly path: string;
  readonly isPublic: boolean;
  /** The forms it can answer in beside `application/json`; absent where there are none. */
  readonly mediaTypes?: readonly string[];
};

/** One version of a product and its dates (`YYYY-MM-DD`, UTC), as its document states them. */
export type CatalogVersion = {
  readonly version: string;
  /** Other values of `version` that mean this one, e.g. `1.0`. */
  readonly aliases: readonly string[];
  readonly releasedOn: string;
  readonly deprecatedOn?: string;
  /** The first day on which the version no longer answers. */
  readonly sunsetOn?: string;
  readonly successor?: string;
  readonly operations: readonly CatalogOperation[];
};

/** A product and its versions, oldest first. */
export type CatalogProduct = {
  readonly product: string;
  readonly title: string;
  readonly versions: readonly CatalogVersion[];
};

/** What a version is on a given day. */
export type VersionStage = 'unreleased' | 'current' | 'deprecated' | 'removed';

type Dates = Pick<CatalogVersion, 'releasedOn' | 'deprecatedOn' | 'sunsetOn'>;

/** The stage of a version on a UTC date; each date counts from its own day on. Throws RangeError when a date names no day. */
export const getStage = ({ releasedOn, deprecatedOn, sunsetOn }: Dates, today: LocalDate): VersionStage => {
  if (sunsetOn !== undefined && today >= localDate(sunsetOn)) return 'removed';
  if (today < localDate(releasedOn)) return 'unreleased';
  if (deprecatedOn !== undefined && today >= localDate(deprecatedOn)) return 'deprecated';
  return 'current';
};

/**
 * The version that answers a request which names none: the newest one that is current. Between a version's deprecation
 * and its successor's release it is the newest deprecated one; undefined when no version answers on that day.
 */
export const findCurrentVersion = (product: CatalogProduct, today: LocalDate): CatalogVersion | undefined =>
  product.versions.findLast((version) => getStage(version, today) === 'current') ??
  product.versions.findLast((version) => getStage(version, today) === 'deprecated');
