import type { CabinLetters } from './cabin-letters.ts';
import type { Carrier, Equipment, Location } from './master-data.ts';

/** The systems of location codes. */
export type CodeSystem = 'iata' | 'icao' | 'faa';

/** Master data by code, in memory: the owners of a code in order of preference; empty for an unknown code. */
export type MasterDataIndex = {
  readonly locations: (system: CodeSystem, code: string) => readonly Location[];
  readonly locationsInCountry: (countryCode: string) => readonly Location[];
  /** The locations of a city or metropolitan area, by its IATA code. */
  readonly locationsInCity: (cityCode: string) => readonly Location[];
  readonly location: (id: number) => Location | undefined;
  /** Empty for FAA, which has no carrier codes. One that only status messages name comes last. */
  readonly carriers: (system: CodeSystem, code: string) => readonly Carrier[];
  readonly carrier: (id: number) => Carrier | undefined;
  /** How a carrier uses the letters of its aircraft configurations; undefined when as in SSIM. */
  readonly cabinLetters: (carrierId: number) => CabinLetters | undefined;
  /** By IATA code; types without one are not included. */
  readonly equipment: (iata: string) => Equipment | undefined;
  /** Whether flights refer to a location or carrier, by its ID. */
  readonly isLocationInUse: (id: number) => boolean;
  readonly isCarrierInUse: (id: number) => boolean;
  /** IDs of carriers with marketing flights that operating flights name. */
  readonly codeshareCarriers: () => ReadonlySet<number>;
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

const noIds: ReadonlySet<number> = new Set();

/** Carriers that only status messages name, by code and by ID. */
type UnconfirmedIndex = { readonly byCode: ReadonlyMap<string, Carrier>; readonly byId: ReadonlyMap<number, Carrier> };

/** Creates a function that indexes a list, and returns the same index for the same list: the list is replaced when one is added. */
const createUnconfirmedIndexer = (): ((list: readonly Carrier[]) => UnconfirmedIndex) => {
  let last: readonly Carrier[] | undefined;
  let index: UnconfirmedIndex = { byCode: new Map(), byId: new Map() };
  return (list) => {
    if (list === last) return index;
    last = list;
    index = {
      byCode: new Map(list.map((carrier) => [carrier.icao || carrier.iata, carrier])),
      byId: new Map(list.map((carrier) => [carrier.id, carrier])),
    };
    return index;
  };
};

const noCarriers: readonly Carrier[] = [];

/** Creates the master data index; the items of each list must be sorted by preference among owners of one code. */
export const createMasterDataIndex = (data: {
  readonly locations: readonly Location[];
  readonly carriers: readonly Carrier[];
  readonly equipment: readonly Equipment[];
  /** By ID of the carrier. */
  readonly cabinLetters?: ReadonlyMap<number, CabinLetters>;
  readonly inUse: {
    readonly carriers: ReadonlySet<number>;
    readonly locations: ReadonlySet<number>;
    readonly codeshareCarriers?: ReadonlySet<number>;
    /** Carriers that only status messages name. */
    readonly unconfirmedCarriers?: readonly Carrier[];
  };
}): MasterDataIndex => {
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
  const cities = indexBy(data.locations, ({ cityCode }) => cityCode);
  const locationById = new Map(data.locations.map((location) => [location.id, location]));
  const carrierById = new Map(data.carriers.map((carrier) => [carrier.id, carrier]));
  const indexUnconfirmed = createUnconfirmedIndexer();
  const unconfirmed = (): UnconfirmedIndex => indexUnconfirmed(data.inUse.unconfirmedCarriers ?? noCarriers);
  const equipment = new Map(data.equipment.filter(({ iata }) => iata !== '').map((type) => [type.iata, type]));
  return {
    locations: (system, code) => locations[system].get(code) ?? [],
    locationsInCountry: (countryCode) => countries.get(countryCode) ?? [],
    locationsInCity: (cityCode) => cities.get(cityCode) ?? [],
    location: (id) => locationById.get(id),
    carriers: (system, code) => {
      const known = carriers[system].get(code) ?? noCarriers;
      const other = unconfirmed().byCode.get(code);
      return other?.[system === 'icao' ? 'icao' : 'iata'] === code && system !== 'faa' ? [...known, other] : known;
    },
    carrier: (id) => carrierById.get(id) ?? unconfirmed().byId.get(id),
    cabinLetters: (carrierId) => data.cabinLetters?.get(carrierId),
    equipment: (iata) => equipment.get(iata),
    isLocationInUse: (id) => data.inUse.locations.has(id),
    isCarrierInUse: (id) => data.inUse.carriers.has(id),
    codeshareCarriers: () => data.inUse.codeshareCarriers ?? noIds,
  };
};

/** Finds the location of a station code in schedules: the first owner of the IATA code. */
export const findStation = (masterDataIndex: MasterDataIndex, code: string): Location | undefined =>
  masterDataIndex.locations('iata', code)[0];

/** Lists the owners of a designator as filed in schedules, the preferred one first: two characters are IATA, three letters ICAO. */
export const listCarriers = (masterDataIndex: MasterDataIndex, designator: string): readonly Carrier[] =>
  masterDataIndex.carriers(designator.length === 3 ? 'icao' : 'iata', designator);

/** Finds the carrier of a designator in schedules: its first owner. */
export const findCarrier = (masterDataIndex: MasterDataIndex, designator: string): Carrier | undefined =>
  listCarriers(masterDataIndex, designator)[0];

/** Returns a master data index with other carriers that only status messages name. */
export const withUnconfirmedCarriers = (
  masterDataIndex: MasterDataIndex,
  added: readonly Carrier[],
): MasterDataIndex => {
  const isNew = (list: readonly Carrier[], { id }: Carrier): boolean => !list.some((known) => known.id === id);
  return {
    ...masterDataIndex,
    carriers: (system, code) => {
      const known = masterDataIndex.carriers(system, code);
      const others = system === 'faa' ? [] : added.filter((one) => one[system] === code && isNew(known, one));
      return others.length === 0 ? known : [...known, ...others];
    },
    carrier: (id) => masterDataIndex.carrier(id) ?? added.find((one) => one.id === id),
  };
};

/** Finds the carrier of a designator in the reference data: its first owner that not only status messages name. */
export const findReferenceCarrier = (masterDataIndex: MasterDataIndex, designator: string): Carrier | undefined =>
  listCarriers(masterDataIndex, designator).find(({ isUnconfirmed }) => !isUnconfirmed);

const upper = (codes: readonly string[]): readonly string[] => [...new Set(codes.map((code) => code.toUpperCase()))];

/** Criteria for locations; an undefined list does not filter. */
type LocationCriteria = {
  readonly codes?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly countries?: readonly string[] | undefined;
};

/** Lists the owners of a code; an IATA code that no location has can be that of a city, then its locations are returned. */
const listOwners = (code: string, system: CodeSystem, masterDataIndex: MasterDataIndex): readonly Location[] => {
  const owners = masterDataIndex.locations(system, code);
  return owners.length === 0 && system === 'iata' ? masterDataIndex.locationsInCity(code) : owners;
};

/**
 * Lists the IDs of the matching locations, codes in any letter case and in any of some systems; undefined without criteria. Only locations in use are
 * returned: codes have many owners and countries many airports.
 */
export const listLocationIds = (
  { codes, countries }: LocationCriteria,
  systems: readonly CodeSystem[],
  masterDataIndex: MasterDataIndex,
): readonly number[] | undefined => {
  const byCode =
    codes &&
    new Set(
      upper(codes).flatMap((code) =>
        systems.flatMap((system) => listOwners(code, system, masterDataIndex).map(({ id }) => id)),
      ),
    );
  const byCountry =
    countries &&
    new Set(upper(countries).flatMap((code) => masterDataIndex.locationsInCountry(code).map(({ id }) => id)));
  const found = byCode && byCountry ? [...byCode].filter((id) => byCountry.has(id)) : (byCode ?? byCountry);
  return found && [...found].filter(masterDataIndex.isLocationInUse);
};

/** Lists the IDs of the matching carriers. FAA has no carrier codes: then codes are IATA, unless ICAO is listed too. */
export const listCarrierIds = (
  codes: readonly string[] | undefined,
  systems: readonly CodeSystem[],
  masterDataIndex: MasterDataIndex,
): readonly number[] | undefined => {
  if (!codes) return undefined;
  const carrierSystems = systems.filter((system) => system !== 'faa');
  const found = upper(codes).flatMap((code) =>
    (carrierSystems.length === 0 ? (['iata'] as const) : carrierSystems).flatMap((system) =>
      masterDataIndex.carriers(system, code).map(({ id }) => id),
    ),
  );
  const codeshareCarriers = masterDataIndex.codeshareCarriers();
  return [...new Set(found)].filter((id) => masterDataIndex.isCarrierInUse(id) || codeshareCarriers.has(id));
};
