import type { CodeSystem, Directory } from './directory.ts';

const upper = (codes: readonly string[]): readonly string[] => [...new Set(codes.map((code) => code.toUpperCase()))];

/** How a query names locations; a list that is undefined does not narrow. */
export type AskedLocations = {
  readonly codes?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly countries?: readonly string[] | undefined;
};

/**
 * The ids of the locations that a query means, codes in any letter case and in any of some systems; undefined when it names
 * none. Codes have many owners and countries many airports: only those that flights point at are worth asking for.
 */
export const locationIdsOf = (
  { codes, countries }: AskedLocations,
  systems: readonly CodeSystem[],
  directory: Directory,
): readonly number[] | undefined => {
  const byCode =
    codes &&
    new Set(
      upper(codes).flatMap((code) =>
        systems.flatMap((system) => directory.locations(system, code).map(({ id }) => id)),
      ),
    );
  const byCountry =
    countries && new Set(upper(countries).flatMap((code) => directory.locationsIn(code).map(({ id }) => id)));
  const found = byCode && byCountry ? byCode.intersection(byCountry) : (byCode ?? byCountry);
  return found && [...found].filter(directory.isLocationInUse);
};

/** The same for carriers. FAA has no carrier codes: codes are then read as IATA, unless ICAO is listed too. */
export const carrierIdsOf = (
  codes: readonly string[] | undefined,
  systems: readonly CodeSystem[],
  directory: Directory,
): readonly number[] | undefined => {
  if (!codes) return undefined;
  const spoken = systems.filter((system) => system !== 'faa');
  const found = upper(codes).flatMap((code) =>
    (spoken.length === 0 ? (['iata'] as const) : spoken).flatMap((system) =>
      directory.carriers(system, code).map(({ id }) => id),
    ),
  );
  return [...new Set(found)].filter(directory.isCarrierInUse);
};
