import { compareTexts } from '#lib/compare-texts.ts';
import { formatDate, type LocalDate, parseDate } from '../time/dates.ts';
import { buildCodeIndex, type CodeIndex } from './code-index.ts';
import type { Position } from './distance.ts';
import { buildKeyIndex, type EntryMask, type KeyIndex, matchKeys } from './key-index.ts';
import { type City, isValidOn, type LocationFacts, type LocationType, type Validity } from './master-data-facts.ts';
import type { LocationTerminals } from './location-terminals.ts';
import type { CodeSystem } from './master-data-index.ts';
import type { Location } from './master-data.ts';
import { listWords, matchNames } from './name-words.ts';
import { computeDistances, createPointIndex, type PointIndex } from './point-index.ts';
import { createNearestResult, createSearchResult, listPositions, type SearchResult } from './search-result.ts';

/** A city code that can stand for several airports. Whether it is an area on a day depends on its airports. */
type AreaWithAirports = {
  readonly city: City;
  /** The airports that serve it, with their validity. */
  readonly airports: readonly { readonly code: string; readonly validity: Validity }[];
  /** Validity of the locations whose own code is that of the area. */
  readonly namesakes: readonly Validity[];
};

type LocationWithFacts = { readonly location: Location; readonly facts: LocationFacts };

/** Railway and bus stations serve a city, but its code does not stand for them. */
const isAirport = ({ facts: { type } }: LocationWithFacts): boolean =>
  ['Airport', 'Heliport', 'SeaplaneBase', ''].includes(type);

/** Builds the metropolitan areas: cities with an airport of another code on some day. */
const buildMetropolitanAreas = (
  cities: readonly City[],
  locations: readonly LocationWithFacts[],
): readonly AreaWithAirports[] => {
  const stations = locations.filter(({ location }) => location.iata !== '');
  const byCity = Map.groupBy(stations.filter(isAirport), ({ location }) => location.cityCode);
  const byCode = Map.groupBy(stations, ({ location }) => location.iata);
  return cities.flatMap((city) => {
    const airportsOfCity = byCity.get(city.code) ?? [];
    if (airportsOfCity.every(({ location }) => location.iata === city.code)) return [];
    const airports = airportsOfCity.map(({ location, facts }) => ({ code: location.iata, validity: facts.validity }));
    return [{ city, airports, namesakes: (byCode.get(city.code) ?? []).map(({ facts }) => facts.validity) }];
  });
};

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

export type LocationRecordsOptions = {
  /** Sorted by preference among the owners of one code; areas follow the locations of their code. */
  readonly locations: readonly Location[];
  /** By ID; locations known only from schedules have none. */
  readonly factsOf: ReadonlyMap<number, LocationFacts>;
  readonly cities: readonly City[];
  /** Returns the terminals of a location, by its ID; undefined if none is known. */
  readonly terminalsOf: (id: number) => LocationTerminals | undefined;
};

const noLocationFacts: LocationFacts = {
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

const listAirportsOn = ({ airports }: AreaWithAirports, day: string): readonly string[] => {
  const served = airports.filter(({ validity }) => isValidOn(validity, day)).map(({ code }) => code);
  return [...new Set(served)].toSorted();
};

/** An area with the code of a location is valid only with several airports: a town is not an area of its airport. */
const isAreaOn = (area: AreaWithAirports, day: string): boolean => {
  const isLocation = area.namesakes.some((validity) => isValidOn(validity, day));
  return listAirportsOn(area, day).length >= (isLocation ? 2 : 1);
};

const buildEntries = ({ locations, factsOf, cities }: LocationRecordsOptions): readonly LocationEntry[] => {
  const cityByCode = new Map(cities.map((city) => [city.code, city]));
  const located = locations.map((location): LocationEntry => {
    const facts = factsOf.get(location.id) ?? noLocationFacts;
    const city = cityByCode.get(location.cityCode);
    // A location that had the code formerly or elsewhere is not in the city that the code names today.
    const cityName = facts.cityName || (city?.countryCode === location.countryCode ? city.name : '');
    return { location, facts, cityName, area: undefined };
  });
  return [...located, ...buildMetropolitanAreas(cities, located).map(toAreaEntry)];
};

const maskWithin = (metres: Float64Array): EntryMask => {
  const mask = new Uint8Array(metres.length);
  for (let position = 0; position < metres.length; position++) if (metres[position] !== Infinity) mask[position] = 1;
  return mask;
};

/** All locations in memory, indexed for searches: 30,000 in about a millisecond. */
export class LocationRecords {
  readonly #entries: readonly LocationEntry[];
  /** Rank of each entry by preference. */
  readonly #ranks: readonly number[];
  readonly #codes: CodeIndex<CodeSystem>;
  readonly #countries: KeyIndex;
  readonly #cities: KeyIndex;
  readonly #types: KeyIndex;
  readonly #names: KeyIndex;
  readonly #points: PointIndex;
  readonly #validities: ReturnType<typeof indexValidities>;
  readonly #areaPositions: readonly number[];
  readonly #terminalsOf: LocationRecordsOptions['terminalsOf'];
  readonly #validByDay = new Map<LocalDate, ValidEntries>();

  constructor(options: LocationRecordsOptions) {
    this.#terminalsOf = options.terminalsOf;
    const ranked = buildEntries(options);
    const sortTexts = ranked.map(({ location }) => sortText(location));
    this.#ranks = [...ranked.keys()].toSorted((left, right) =>
      compareTexts(sortTexts[left] ?? '', sortTexts[right] ?? ''),
    );
    const entries = this.#ranks.flatMap((rank) => ranked[rank] ?? []);
    this.#entries = entries;
    this.#codes = buildCodeIndex(entries, systems, ({ location }, system) => [location[system]]);
    this.#countries = buildKeyIndex(entries, ({ location }) => [location.countryCode]);
    this.#cities = buildKeyIndex(entries, ({ location }) => [location.cityCode]);
    this.#types = buildKeyIndex(entries, ({ facts, area }) => [area ? 'MetropolitanArea' : facts.type]);
    this.#names = buildKeyIndex(entries, ({ location, cityName }) => [
      ...listWords(location.name),
      ...listWords(cityName),
    ]);
    this.#points = createPointIndex(entries.map(({ location }) => location));
    this.#validities = indexValidities(entries);
    this.#areaPositions = [...entries.keys()].filter((position) => entries[position]?.area);
  }

  /** Finds the matching entries on a day, by code and rank or, with a point, by distance. */
  find(filter: LocationFilter, day: LocalDate): SearchResult<LocationEntry> {
    const metres = filter.near && computeDistances(this.#points, filter.near.point, filter.near.withinMetres);
    const valid = this.#findValidOn(day);
    const masks = [
      this.#codes.match(filter),
      filter.countries && matchKeys(this.#countries, filter.countries),
      filter.cities && matchKeys(this.#cities, filter.cities),
      filter.types && matchKeys(this.#types, filter.types),
      filter.name === undefined ? undefined : matchNames(this.#names, [filter.name]),
      metres && maskWithin(metres),
    ].filter((mask) => mask !== undefined);
    const positions =
      masks.length === 0 ? valid.positions : listPositions(this.#entries.length, [valid.mask, ...masks]);
    const idOf = ({ location }: LocationEntry): number => location.id;
    return metres
      ? createNearestResult(this.#entries, { positions, metres }, idOf)
      : createSearchResult(this.#entries, positions, idOf);
  }

  /** Lists the owners of a code on a day, the preferred one first; without a day, on any day. */
  listOwners(system: CodeSystem, code: string, day?: LocalDate): readonly LocationEntry[] {
    const positions = this.#codes.findPositions(system, code);
    const sorted =
      positions.length < 2
        ? positions
        : positions.toSorted((left, right) => (this.#ranks[left] ?? 0) - (this.#ranks[right] ?? 0));
    const valid = day === undefined ? undefined : this.#findValidOn(day).mask;
    return sorted.flatMap((position) => (valid && valid[position] !== 1 ? [] : (this.#entries[position] ?? [])));
  }

  /** Lists the IATA codes of the airports that an area serves on a day, sorted. */
  listServedAirports(area: AreaWithAirports, day: LocalDate): readonly string[] {
    return listAirportsOn(area, formatDate(day));
  }

  /** Returns the terminals of a location; undefined if none is known. */
  findTerminals({ location }: LocationEntry): LocationTerminals | undefined {
    return this.#terminalsOf(location.id);
  }

  /** Lists all IANA zones of locations. */
  listZones(): readonly string[] {
    return [...new Set(this.#entries.flatMap(({ location }) => location.zone ?? []))];
  }

  #findValidOn(day: LocalDate): ValidEntries {
    const cached = this.#validByDay.get(day);
    if (cached) return cached;
    const count = this.#entries.length;
    const { from, to } = this.#validities;
    const mask = new Uint8Array(count);
    for (let position = 0; position < count; position++)
      if ((from[position] ?? 0) <= day && day <= (to[position] ?? 0)) mask[position] = 1;
    const text = formatDate(day);
    for (const position of this.#areaPositions) {
      const area = this.#entries[position]?.area;
      if (area && !isAreaOn(area, text)) mask[position] = 0;
    }
    const [oldest] = this.#validByDay.size >= MAX_CACHED_DAYS ? this.#validByDay.keys() : [];
    if (oldest !== undefined) this.#validByDay.delete(oldest);
    const valid = { mask, positions: listPositions(count, [mask]) };
    this.#validByDay.set(day, valid);
    return valid;
  }
}
