import { localDate, type LocalDate } from '#domain/time/dates.ts';

/** One operation of one document. `path` is a template such as `/flight-instances/{departureDate}`; public operations need no key. */
export type CatalogOperation = {
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  readonly path: string;
  readonly isPublic: boolean;
  /** Media types of its response besides `application/json`; absent where there are none. */
  readonly mediaTypes?: readonly string[];
  /** Whether its 200 has an entity tag, so that a conditional request may get a 304. */
  readonly isConditional?: true;
  /** Whether it requires a body: JSON, or one of `bodyTypes`. */
  readonly hasBody?: true;
  /** The media types of its body where that is not JSON. */
  readonly bodyTypes?: readonly string[];
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  /** Names that it does not have, with what to send instead. */
  readonly otherNames?: Readonly<Record<string, string>>;
  /** Names that it ignores although another operation has them, because programs send them. */
  readonly ignoredNames?: readonly string[];
  /** Names of the properties of its responses, in lower case; absent where there are none. */
  readonly properties?: readonly string[];
};

/** One version of a product and its dates (`YYYY-MM-DD`, UTC), as its document states them. */
export type CatalogVersion = {
  readonly version: string;
  /** Other values of `version` that mean this one, e.g. `1.0`. */
  readonly aliases: readonly string[];
  readonly releasedOn: string;
  readonly deprecatedOn?: string;
  /** The first day on which the version is no longer available. */
  readonly sunsetOn?: string;
  readonly successor?: string;
  readonly operations: readonly CatalogOperation[];
};

/** A product and its versions, oldest first. */
export type CatalogProduct = {
  readonly product: string;
  readonly title: string;
  /** Whether it receives data: its keys are for sending only. */
  readonly isIngest?: true;
  readonly versions: readonly CatalogVersion[];
};

/** Lifecycle stage of a version on a day. */
export type VersionStage = 'unreleased' | 'current' | 'deprecated' | 'removed';

type LifecycleDates = Pick<CatalogVersion, 'releasedOn' | 'deprecatedOn' | 'sunsetOn'>;

/** Returns the stage of a version on a UTC date; each date is the first day of its stage. Throws RangeError for an invalid date. */
export const getStage = ({ releasedOn, deprecatedOn, sunsetOn }: LifecycleDates, today: LocalDate): VersionStage => {
  if (sunsetOn !== undefined && today >= localDate(sunsetOn)) return 'removed';
  if (today < localDate(releasedOn)) return 'unreleased';
  if (deprecatedOn !== undefined && today >= localDate(deprecatedOn)) return 'deprecated';
  return 'current';
};

/**
 * Finds the version for requests that name none: the newest current one. Between a version's deprecation and its successor's release it is
 * the newest deprecated one.
 */
export const findCurrentVersion = (product: CatalogProduct, today: LocalDate): CatalogVersion | undefined =>
  product.versions.findLast((version) => getStage(version, today) === 'current') ??
  product.versions.findLast((version) => getStage(version, today) === 'deprecated');
