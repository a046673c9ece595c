import { formatDate, parseDate, type LocalDate } from '../time/dates.ts';
import type { CodeSystem } from './directory.ts';
import type { Position } from './distance.ts';
import type { Location } from './master-data.ts';
import { type City, isValidOn, type LocationFacts, type LocationType } from './master-data-facts.ts';
import { buildMetropolitanAreas, type AreaWithAirports } from './metropolitan-areas.ts';
import { buildCodeIndex } from './code-index.ts';
import { createSearchResult, createNearestResult, listPositions, type SearchResult } from './search-result.ts';
import { buildKeyIndex, matchKeys, type EntryMask } from './key-index.ts';
import { matchNames, listWords } from './name-words.ts';
import { computeDistances, createPointIndex } from './point-index.ts';

/** A location with its facts, or a metropolitan area with its airports. */
export type LocationEntry = {
  /** The ID is stable over loads; that of an area is negative and derived from its code. */
  readonly location: Location;
  readonly facts: LocationFacts;
  /** Name of the city it serves, '' when unknown. */
  readonly cityName: string;
  readonly area: AreaWithAirports | undefined;
};

/** Criteria for locations; an undefined member does not filter. Codes are in capitals. */
export type LocationFilter = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly CodeSystem[] | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly cities?: readonly string[] | undefined;
  readonly types?: readonly (LocationType | 'MetropolitanArea')[] | undefined;
  readonly name?: string | undefined;
  readonly near?: { readonly point: Position; readonly withinMetres: number } | undefined;
};

/** All locations in memory, indexed for searches: 30,000 in about a millisecond. */
export type LocationRecords = {
  /** Finds the matching entries on a day, by code and rank or, with a point, by distance. */
  readonly find: (filter: LocationFilter, day: LocalDate) => SearchResult<LocationEntry>;
  /** Lists the owners of a code on a day, the preferred one first; without a day, on any day. */
  readonly listOwners: (system: CodeSystem, code: string, day?: LocalDate) => readonly LocationEntry[];
  /** Lists the IATA codes of the airports that an area serves on a day, sorted. */
  readonly listServedAirports: (area: AreaWithAirports, day: LocalDate) => readonly string[];
  /** Lists all IANA zones of locations. */
  readonly listZones: () => readonly string[];
};

export const noLocationFacts: LocationFacts = {
  type: '',
  cityName: '',
  region: { code: '', name: '' },
  validity: { from: '', to: '' },
  provenance: {},
};

const systems = ['iata', 'icao', 'faa'] as const;

/** Returns the code by which an entry is sorted and ranked. */
export const getPrimaryCode = (location: Location): { readonly system: CodeSystem; readonly code: string } => {
  const system = systems.find((one) => location[one] !== '') ?? 'faa';
  return { system, code: location[system] };
};

const sortText = (location: Location): string => {
  const { system, code } = getPrimaryCode(location);
  return `${systems.indexOf(system)}${code}`;
};

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const toAreaEntry = (area: AreaWithAirports): LocationEntry => {
  const { code, name, countryCode, latitude, longitude, zone, provenance } = area.city;
  const codes = { iata: code, icao: '', faa: '', cityCode: code };
  return {
    location: { id: -Number.parseInt(code, 36), ...codes, name, countryCode, latitude, longitude, zone },
    facts: { ...noLocationFacts, provenance },
    cityName: name,
    area,
  };
};

/** Validities as day numbers, so that 30,000 are checked in some 50 µs. */
const indexValidities = (entries: readonly LocationEntry[]) => {
  const from = new Int32Array(entries.length).fill(-0x8000_0000);
  const to = new Int32Array(entries.length).fill(0x7fff_ffff);
  for (const [position, { facts }] of entries.entries()) {
    from[position] = parseDate(facts.validity.from) ?? -0x8000_0000;
    to[position] = parseDate(facts.validity.to) ?? 0x7fff_ffff;
  }
  return { from, to };
};

/** The entries valid on a day, in two forms, cached because most searches are for today. */
type ValidEntries = { readonly mask: EntryMask; readonly positions: Uint32Array };

const MAX_CACHED_DAYS = 8;

/**
 * Creates the index of locations, which must be sorted by preference among owners of one code; areas follow the locations of their code. `factsOf` is
 * by ID; locations cached only from schedules have none.
 */
export const createLocationRecords = ({
  locations,
  factsOf,
  cities,
}: {
  readonly locations: readonly Location[];
  readonly factsOf: ReadonlyMap<number, LocationFacts>;
  readonly cities: readonly City[];
}): LocationRecords => {
  const cityOf = new Map(cities.map((city) => [city.code, city]));
  const located = locations.map((location): LocationEntry => {
    const facts = factsOf.get(location.id) ?? noLocationFacts;
    const city = cityOf.get(location.cityCode);
    // A location that had the code formerly or elsewhere is not in the city that the code names today.
    const cityName = facts.cityName || (city?.countryCode === location.countryCode ? city.name : '');
    return { location, facts, cityName, area: undefined };
  });
  const areas = buildMetropolitanAreas(cities, located);
  const ranked = [...located, ...areas.map(toAreaEntry)];
  const sortTexts = ranked.map(({ location }) => sortText(location));
  const order = [...ranked.keys()].toSorted((left, right) =>
    compareTexts(sortTexts[left] ?? '', sortTexts[right] ?? ''),
  );
  const entries = order.flatMap((rank) => ranked[rank] ?? []);
  const count = entries.length;
  const codes = buildCodeIndex(entries, systems, ({ location }, system) => [location[system]]);
  const countries = buildKeyIndex(entries, ({ location }) => [location.countryCode]);
  const inCity = buildKeyIndex(entries, ({ location }) => [location.cityCode]);
  const types = buildKeyIndex(entries, ({ facts, area }) => [area ? 'MetropolitanArea' : facts.type]);
  const names = buildKeyIndex(entries, ({ location, cityName }) => [
    ...listWords(location.name),
    ...listWords(cityName),
  ]);
  const points = createPointIndex(entries.map(({ location }) => location));
  const validities = indexValidities(entries);
  const areaPositions = [...entries.keys()].filter((position) => entries[position]?.area);
  const days = new Map<LocalDate, ValidEntries>();

  const owners = (system: CodeSystem, code: string, day?: LocalDate): readonly LocationEntry[] => {
    const positions = codes.findPositions(system, code);
    const sorted =
      positions.length < 2 ? positions : positions.toSorted((left, right) => (order[left] ?? 0) - (order[right] ?? 0));
    const valid = day === undefined ? undefined : findValidOn(day).mask;
    return sorted.flatMap((position) => (valid && valid[position] !== 1 ? [] : (entries[position] ?? [])));
  };
  const servedBy = ({ airports }: AreaWithAirports, day: LocalDate): readonly string[] => {
    const text = formatDate(day);
    const served = airports.filter(({ validity }) => isValidOn(validity, text)).map(({ code }) => code);
    return [...new Set(served)].toSorted();
  };
  /** An area with the code of a location is valid only with several airports: a town is not an area of its airport. */
  const isAreaOn = (area: AreaWithAirports, day: LocalDate): boolean => {
    const text = formatDate(day);
    const isLocation = area.namesakes.some((validity) => isValidOn(validity, text));
    return servedBy(area, day).length >= (isLocation ? 2 : 1);
  };
  const findValidOn = (day: LocalDate): ValidEntries => {
    const cached = days.get(day);
    if (cached) return cached;
    const mask = new Uint8Array(count);
    for (let position = 0; position < count; position++)
      if ((validities.from[position] ?? 0) <= day && day <= (validities.to[position] ?? 0)) mask[position] = 1;
    for (const position of areaPositions) {
      const area = entries[position]?.area;
      if (area && !isAreaOn(area, day)) mask[position] = 0;
    }
    const [oldest] = days.size >= MAX_CACHED_DAYS ? days.keys() : [];
    if (oldest !== undefined) days.delete(oldest);
    const valid = { mask, positions: listPositions(count, [mask]) };
    days.set(day, valid);
    return valid;
  };
  const matchNear = (metres: Float64Array | undefined): EntryMask | undefined => {
    if (!metres) return undefined;
    const mask = new Uint8Array(count);
    for (let position = 0; position < count; position++) if (metres[position] !== Infinity) mask[position] = 1;
    return mask;
  };

  const find = (filter: LocationFilter, day: LocalDate): SearchResult<LocationEntry> => {
    const metres = filter.near && computeDistances(points, filter.near.point, filter.near.withinMetres);
    const valid = findValidOn(day);
    const filters = [
      codes.match(filter),
      filter.countries && matchKeys(countries, filter.countries),
      filter.cities && matchKeys(inCity, filter.cities),
      filter.types && matchKeys(types, filter.types),
      filter.name === undefined ? undefined : matchNames(names, [filter.name]),
      matchNear(metres),
    ].filter((mask) => mask !== undefined);
    const positions = filters.length === 0 ? valid.positions : listPositions(count, [valid.mask, ...filters]);
    const idOf = ({ location }: LocationEntry): number => location.id;
    return metres
      ? createNearestResult(entries, { positions, metres }, idOf)
      : createSearchResult(entries, positions, idOf);
  };
  const zones = (): readonly string[] => [...new Set(entries.flatMap(({ location }) => location.zone ?? []))];
  return { find, listOwners: owners, listServedAirports: servedBy, listZones: zones };
};
