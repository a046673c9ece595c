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

/** What is answered for locations: a place, or a metropolitan area with the airports it serves. */
export type LocationEntry = {
  /** Its id stays over every load. That of an area is below zero, made of its code. */
  readonly location: Location;
  readonly facts: LocationFacts;
  /** The name of the city it serves, '' when unknown. */
  readonly cityName: string;
  readonly area: AreaWithAirports | undefined;
};

/** What a search of locations is narrowed by; undefined does not narrow. Codes are in capitals. */
export type LocationFilter = {
  readonly codes?: readonly string[] | undefined;
  readonly systems?: readonly CodeSystem[] | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly cities?: readonly string[] | undefined;
  readonly types?: readonly (LocationType | 'MetropolitanArea')[] | undefined;
  readonly name?: string | undefined;
  readonly near?: { readonly point: Position; readonly withinMetres: number } | undefined;
};

/** All locations in memory, made to be searched: 30,000 in about a millisecond. */
export type LocationRecords = {
  /** The entries that fit on a day, by code and rank or, where a point is given, by distance. */
  readonly find: (wanted: LocationFilter, day: LocalDate) => SearchResult<LocationEntry>;
  /** The entries that have a code on a day, the one that answers first; without a day, on any. */
  readonly listOwners: (system: CodeSystem, code: string, day?: LocalDate) => readonly LocationEntry[];
  /** IATA codes of the airports that an area serves on a day, in the order of the alphabet. */
  readonly listServedAirports: (area: AreaWithAirports, day: LocalDate) => readonly string[];
  /** Every IANA zone that a location has. */
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

/** The code by which an entry is ordered and ranked. */
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

/** Validities as days, so that 30,000 are looked through in some 50 microseconds. */
const indexValidities = (entries: readonly LocationEntry[]) => {
  const from = new Int32Array(entries.length).fill(-0x8000_0000);
  const to = new Int32Array(entries.length).fill(0x7fff_ffff);
  for (const [place, { facts }] of entries.entries()) {
    from[place] = parseDate(facts.validity.from) ?? -0x8000_0000;
    to[place] = parseDate(facts.validity.to) ?? 0x7fff_ffff;
  }
  return { from, to };
};

/** The entries that hold on a day, twice: most searches are of today. */
type ValidEntries = { readonly marks: EntryMask; readonly places: Uint32Array };

const MAX_CACHED_DAYS = 8;

/**
 * Makes locations searchable. They must come in the order in which the owners of one code answer; areas answer after the
 * places that have their code. `factsOf` is by id; a location that only a schedule named has none.
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
  const places = locations.map((location): LocationEntry => {
    const facts = factsOf.get(location.id) ?? noLocationFacts;
    const city = cityOf.get(location.cityCode);
    // A place that had a code long ago, or has it elsewhere, is not in the city that the code names today.
    const cityName = facts.cityName || (city?.countryCode === location.countryCode ? city.name : '');
    return { location, facts, cityName, area: undefined };
  });
  const areas = buildMetropolitanAreas(cities, places);
  const ranked = [...places, ...areas.map(toAreaEntry)];
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
  const areaPlaces = [...entries.keys()].filter((place) => entries[place]?.area);
  const days = new Map<LocalDate, ValidEntries>();

  const owners = (system: CodeSystem, code: string, day?: LocalDate): readonly LocationEntry[] => {
    const places = codes.findPositions(system, code);
    const sorted =
      places.length < 2 ? places : places.toSorted((left, right) => (order[left] ?? 0) - (order[right] ?? 0));
    const valid = day === undefined ? undefined : validOn(day).marks;
    return sorted.flatMap((place) => (valid && valid[place] !== 1 ? [] : (entries[place] ?? [])));
  };
  const servedBy = ({ airports }: AreaWithAirports, day: LocalDate): readonly string[] => {
    const text = formatDate(day);
    const served = airports.filter(({ validity }) => isValidOn(validity, text)).map(({ code }) => code);
    return [...new Set(served)].toSorted();
  };
  /** An area with the code of a place is one only if it serves several airports: a town is not its airport's area. */
  const isAreaOn = (area: AreaWithAirports, day: LocalDate): boolean => {
    const text = formatDate(day);
    const isPlace = area.namesakes.some((validity) => isValidOn(validity, text));
    return servedBy(area, day).length >= (isPlace ? 2 : 1);
  };
  const validOn = (day: LocalDate): ValidEntries => {
    const known = days.get(day);
    if (known) return known;
    const marks = new Uint8Array(count);
    for (let place = 0; place < count; place++)
      if ((validities.from[place] ?? 0) <= day && day <= (validities.to[place] ?? 0)) marks[place] = 1;
    for (const place of areaPlaces) {
      const area = entries[place]?.area;
      if (area && !isAreaOn(area, day)) marks[place] = 0;
    }
    const [oldest] = days.size >= MAX_CACHED_DAYS ? days.keys() : [];
    if (oldest !== undefined) days.delete(oldest);
    const valid = { marks, places: listPositions(count, [marks]) };
    days.set(day, valid);
    return valid;
  };
  const markNear = (metres: Float64Array | undefined): EntryMask | undefined => {
    if (!metres) return undefined;
    const marks = new Uint8Array(count);
    for (let place = 0; place < count; place++) if (metres[place] !== Infinity) marks[place] = 1;
    return marks;
  };

  const find = (wanted: LocationFilter, day: LocalDate): SearchResult<LocationEntry> => {
    const metres = wanted.near && computeDistances(points, wanted.near.point, wanted.near.withinMetres);
    const valid = validOn(day);
    const filters = [
      codes.match(wanted),
      wanted.countries && matchKeys(countries, wanted.countries),
      wanted.cities && matchKeys(inCity, wanted.cities),
      wanted.types && matchKeys(types, wanted.types),
      wanted.name === undefined ? undefined : matchNames(names, [wanted.name]),
      markNear(metres),
    ].filter((marks) => marks !== undefined);
    const places = filters.length === 0 ? valid.places : listPositions(count, [valid.marks, ...filters]);
    const idOf = ({ location }: LocationEntry): number => location.id;
    return metres ? createNearestResult(entries, { places, metres }, idOf) : createSearchResult(entries, places, idOf);
  };
  const zones = (): readonly string[] => [...new Set(entries.flatMap(({ location }) => location.zone ?? []))];
  return { find, listOwners: owners, listServedAirports: servedBy, listZones: zones };
};
