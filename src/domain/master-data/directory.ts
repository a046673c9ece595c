import type { Carrier, Equipment, Location } from './master-data.ts';

const upper = (codes: readonly string[]): readonly string[] => [...new Set(codes.map((code) => code.toUpperCase()))];

/** How a query names locations; a list that is undefined does not narrow. */
type LocationCriteria = {
  readonly codes?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly countries?: readonly string[] | undefined;
};

/**
 * The ids of the locations that a query means, codes in any letter case and in any of some systems; undefined when it names
 * none. Codes have many owners and countries many airports: only those that flights point at are worth asking for.
 */
export const listLocationIds = (
  { codes, countries }: LocationCriteria,
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
    countries && new Set(upper(countries).flatMap((code) => directory.locationsInCountry(code).map(({ id }) => id)));
  const found = byCode && byCountry ? byCode.intersection(byCountry) : (byCode ?? byCountry);
  return found && [...found].filter(directory.isLocationInUse);
};

/** The same for carriers. FAA has no carrier codes: codes are then read as IATA, unless ICAO is listed too. */
export const listCarrierIds = (
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

/** The systems a code can be meant in. */
export type CodeSystem = 'iata' | 'icao' | 'faa';

/** Master data by code, in memory: the owners of a code in the order in which they answer, none for a code nobody has. */
export type Directory = {
  readonly locations: (system: CodeSystem, code: string) => readonly Location[];
  readonly locationsInCountry: (countryCode: string) => readonly Location[];
  readonly location: (id: number) => Location | undefined;
  /** FAA has no carrier codes: none answer. */
  readonly carriers: (system: CodeSystem, code: string) => readonly Carrier[];
  readonly carrier: (id: number) => Carrier | undefined;
  /** By IATA code: types that have none are not in it. */
  readonly equipment: (iata: string) => Equipment | undefined;
  /** Whether flights point at a location or a carrier, by its id. */
  readonly isLocationInUse: (id: number) => boolean;
  readonly isCarrierInUse: (id: number) => boolean;
};

const indexBy = <T>(items: readonly T[], codeOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const index = new Map<string, T[]>();
  for (const item of items) {
    const code = codeOf(item);
    if (code === '') continue;
    const owners = index.get(code);
    if (owners) owners.push(item);
    else index.set(code, [item]);
  }
  return index;
};

/** Builds the directory; the items of each list must come in the order in which owners of one code answer. */
export const createDirectory = (data: {
  readonly locations: readonly Location[];
  readonly carriers: readonly Carrier[];
  readonly equipment: readonly Equipment[];
  readonly inUse: { readonly carriers: ReadonlySet<number>; readonly locations: ReadonlySet<number> };
}): Directory => {
  const locations = {
    iata: indexBy(data.locations, ({ iata }) => iata),
    icao: indexBy(data.locations, ({ icao }) => icao),
    faa: indexBy(data.locations, ({ faa }) => faa),
  };
  const carriers = {
    iata: indexBy(data.carriers, ({ iata }) => iata),
    icao: indexBy(data.carriers, ({ icao }) => icao),
    faa: new Map<string, readonly Carrier[]>(),
  };
  const countries = indexBy(data.locations, ({ countryCode }) => countryCode);
  const locationById = new Map(data.locations.map((location) => [location.id, location]));
  const carrierById = new Map(data.carriers.map((carrier) => [carrier.id, carrier]));
  const equipment = new Map(data.equipment.filter(({ iata }) => iata !== '').map((type) => [type.iata, type]));
  return {
    locations: (system, code) => locations[system].get(code) ?? [],
    locationsInCountry: (countryCode) => countries.get(countryCode) ?? [],
    location: (id) => locationById.get(id),
    carriers: (system, code) => carriers[system].get(code) ?? [],
    carrier: (id) => carrierById.get(id),
    equipment: (iata) => equipment.get(iata),
    isLocationInUse: (id) => data.inUse.locations.has(id),
    isCarrierInUse: (id) => data.inUse.carriers.has(id),
  };
};

/** The location a schedule means by a station code: the first owner of the IATA code. */
export const findStation = (directory: Directory, code: string): Location | undefined =>
  directory.locations('iata', code)[0];

/** The owners of a designator as a schedule files it, the first answering: two characters are IATA, three letters ICAO. */
export const listCarriers = (directory: Directory, designator: string): readonly Carrier[] =>
  directory.carriers(designator.length === 3 ? 'icao' : 'iata', designator);

/** The carrier a schedule means by a designator: its first owner. */
export const findCarrier = (directory: Directory, designator: string): Carrier | undefined =>
  listCarriers(directory, designator)[0];
