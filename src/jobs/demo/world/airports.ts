import { computeGreatCircleMetres } from '#domain/master-data/distance.ts';
import type { City, Provenance } from '#domain/master-data/master-data-facts.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import { secondToMinute, type UtcSecond } from '#domain/status/instants.ts';
import { toDate, type LocalDate, type LocalMinute } from '#domain/time/dates.ts';
import { getUtcOffset } from '#domain/time/zones.ts';
import { readCsvTable } from '#lib/csv-table.ts';
import type { LocationUpdate } from '#store/master-data/locations.ts';

const rows = readCsvTable(
  new URL('data/airports.csv', import.meta.url),
  'iata,icao,faa,name,city_code,city,region_code,region,country_code,latitude,longitude,zone',
);

const terminals: ReadonlyMap<string, string> = new Map(
  readCsvTable(new URL('data/terminals.csv', import.meta.url), 'airport,carrier,terminal').map(
    ({ airport, carrier, terminal }) => [`${airport}/${carrier}`, terminal],
  ),
);

/** The airports of the demo world, numbered from 1. */
export const airports = rows.map((row, index) => ({
  id: index + 1,
  iata: row.iata,
  icao: row.icao,
  faa: row.faa,
  name: row.name,
  cityCode: row.city_code,
  countryCode: row.country_code,
  latitude: Number(row.latitude),
  longitude: Number(row.longitude),
  zone: row.zone,
})) satisfies readonly Location[];

/** Airports by each of their codes; no FAA code is the IATA code of another airport here. */
const byCode = new Map(
  airports.flatMap((airport) =>
    [airport.faa, airport.icao, airport.iata].filter((code) => code !== '').map((code) => [code, airport] as const),
  ),
);

/** Returns position, zone and country of an airport; throws RangeError for a code that the demo world does not have. */
export const getAirport = (code: string) => {
  const airport = byCode.get(code);
  if (!airport) throw new RangeError(`not an airport of the demo world: '${code}'`);
  const { latitude, longitude, zone, countryCode } = airport;
  return { latitude, longitude, zone, countryCode };
};

/** Returns the terminal that an airline uses at an airport, '' when the airport has one terminal or none. */
export const findTerminal = (airport: string, carrier: string): string =>
  terminals.get(`${airport}/${carrier}`) ?? terminals.get(`${airport}/`) ?? '';

/** Returns the provenance of the facts that have a value: the facts of the demo world are its own. */
export const toOwnProvenance = (facts: Readonly<Record<string, string | number>>): Provenance =>
  Object.fromEntries(Object.entries(facts).flatMap(([field, value]) => (value === '' ? [] : [[field, 'own']])));

const toPlaceFacts = ({ latitude, longitude, zone }: Pick<Location, 'latitude' | 'longitude' | 'zone'>) => ({
  'place.latitude.decimalDegrees': latitude ?? '',
  'place.longitude.decimalDegrees': longitude ?? '',
  'timezone.name': zone ?? '',
});

/** Returns a location with its facts; a code may have belonged to it for some dates only. */
const toRecord = ({ id, ...location }: (typeof airports)[number], validity = { from: '', to: '' }): LocationUpdate => {
  const { city = '', region_code: code = '', region: name = '' } = rows[id - 1] ?? {};
  const provenance = toOwnProvenance({
    'code.iata': location.iata,
    'code.icao': location.icao,
    'code.faa': location.faa,
    type: 'Airport',
    name: location.name,
    'place.city.code': location.cityCode,
    'place.city.name': city,
    'place.region.code': code,
    'place.region.name': code,
    'place.country.code': location.countryCode,
    'place.country.name': location.countryCode,
    ...toPlaceFacts(location),
    'validity.from': validity.from,
    'validity.to': validity.to,
  });
  return {
    ...location,
    rank: 1,
    facts: { type: 'Airport', cityName: city, region: { code, name }, validity, provenance },
  };
};

/** The new airport of Istanbul took over the code of the former one on this day: a code that changed its owner. */
const currentLocations = airports.map((airport) =>
  toRecord(airport, airport.iata === 'IST' ? { from: '2019-04-06', to: '' } : undefined),
);
const ataturk = { icao: 'LTBA', name: 'Istanbul Atatürk', latitude: 40.977, longitude: 28.815 };
const formerLocations = airports
  .filter(({ iata }) => iata === 'IST')
  .map((airport) => ({ ...toRecord({ ...airport, ...ataturk }, { from: '', to: '2019-04-05' }), rank: 2 }));

/** The locations of the demo world with their facts, current owners of a code first. */
export const demoLocations: readonly LocationUpdate[] = [...currentLocations, ...formerLocations];

const cityCentres = new Map(
  readCsvTable(new URL('data/city-centres.csv', import.meta.url), 'city_code,latitude,longitude').map((row) => [
    row.city_code,
    { latitude: Number(row.latitude), longitude: Number(row.longitude) },
  ]),
);

/** The cities of the demo world. A city without a centre of its own has the position of its airport. */
export const demoCities: readonly City[] = [
  ...Map.groupBy(
    currentLocations.filter(({ cityCode }) => cityCode !== ''),
    ({ cityCode }) => cityCode,
  ).values(),
].flatMap(([airport]) => {
  if (!airport) return [];
  const { cityCode: code, countryCode, zone, facts } = airport;
  const name = facts?.cityName ?? '';
  const { latitude, longitude } = cityCentres.get(code) ?? airport;
  const place = { latitude, longitude, zone };
  const fields = { 'code.iata': code, name, 'place.country.code': countryCode, ...toPlaceFacts(place) };
  return [{ code, name, countryCode, ...place, provenance: toOwnProvenance(fields) }];
});

const englishNames = new Intl.DisplayNames('en', { type: 'region' });

/** English names of the countries of the demo world by their ISO 3166-1 codes. */
export const demoCountries: ReadonlyMap<string, string> = new Map(
  airports.map(({ countryCode }) => [countryCode, englishNames.of(countryCode) ?? countryCode]),
);

/** Returns the great-circle distance of two airports in metres; undefined for an airport outside the demo world. */
export const computeDistance = (from: string, to: string): number | undefined => {
  const [start, end] = [byCode.get(from), byCode.get(to)];
  return start && end ? computeGreatCircleMetres(start, end) : undefined;
};

/** Returns the local date at an airport; the UTC date for an airport outside the demo world. */
export const toLocalDate = (code: string, at: UtcSecond): LocalDate => {
  const minute = secondToMinute(at);
  return toDate((minute + getUtcOffset(byCode.get(code)?.zone ?? 'UTC', minute)) as LocalMinute);
};

/** The longest distance from the destination to an alternate airport, metres. */
const MAX_METRES = 1_500_000;
const MAX_ALTERNATES = 4;
/** Airports that are too small or too remote for diverted flights. */
const unsuitable: ReadonlySet<string> = new Set(['CHT', 'LDH', 'PUQ', 'TNM']);

const cachedNeighbours = new Map<string, readonly string[]>();

const listNeighbours = (station: string): readonly string[] => {
  const cached = cachedNeighbours.get(station);
  if (cached) return cached;
  const neighbours = airports
    .filter(({ iata }) => iata !== '' && iata !== station && !unsuitable.has(iata))
    .map(({ iata }) => ({ iata, metres: computeDistance(station, iata) ?? Infinity }))
    .filter(({ metres }) => metres <= MAX_METRES)
    .toSorted((a, b) => a.metres - b.metres)
    .map(({ iata }) => iata);
  // Only airports of the demo world have neighbours, so the cache stays small.
  if (neighbours.length > 0) cachedNeighbours.set(station, neighbours);
  return neighbours;
};

/** Returns the alternate airports of a flight, the nearest to its destination first; none for remote islands. */
export const listAlternates = (departure: string, arrival: string): readonly string[] =>
  listNeighbours(arrival)
    .filter((iata) => iata !== departure)
    .slice(0, MAX_ALTERNATES);

/** Returns the distance of one pair of airports divided by that of another; 1 when an airport is unknown. */
export const computeDistanceRatio = (part: readonly [string, string], whole: readonly [string, string]): number => {
  const metres = computeDistance(...part);
  const wholeMetres = computeDistance(...whole);
  return metres === undefined || wholeMetres === undefined || wholeMetres === 0 ? 1 : metres / wholeMetres;
};
