import { computeGreatCircleMetres } from '#domain/master-data/distance.ts';
import type { City, Provenance, Validity } from '#domain/master-data/master-data-facts.ts';
import { secondToMinute, type UtcSecond } from '#domain/status/instants.ts';
import { toDate, type LocalDate } from '#domain/time/dates.ts';
import { toLocalMinute } from '#domain/time/zones.ts';
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

/** The airports of the demo world. */
export const airports = rows.map(
  ({ city_code: cityCode, country_code: countryCode, region_code: regionCode, latitude, longitude, ...row }) => ({
    ...row,
    cityCode,
    countryCode,
    regionCode,
    latitude: Number(latitude),
    longitude: Number(longitude),
  }),
);

/** Airports by each of their codes; no FAA code is the IATA code of another airport here. */
const byCode = new Map(
  (['faa', 'icao', 'iata'] as const).flatMap((code) => airports.map((airport) => [airport[code], airport] as const)),
);
byCode.delete('');

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

const toPlaceFacts = ({
  latitude,
  longitude,
  zone,
}: Pick<(typeof airports)[number], 'latitude' | 'longitude' | 'zone'>) => ({
  'place.latitude.decimalDegrees': latitude,
  'place.longitude.decimalDegrees': longitude,
  'timezone.name': zone,
});

/** Returns an airport with its facts; a code may have belonged to it for some dates only. */
const toRecord = (
  { city, regionCode: code, region: name, ...airport }: (typeof airports)[number],
  validity: Validity = { from: '', to: '' },
): LocationUpdate => {
  const provenance = toOwnProvenance({
    'code.iata': airport.iata,
    'code.icao': airport.icao,
    'code.faa': airport.faa,
    type: 'Airport',
    name: airport.name,
    'place.city.code': airport.cityCode,
    'place.city.name': city,
    'place.region.code': code,
    'place.region.name': code,
    'place.country.code': airport.countryCode,
    'place.country.name': airport.countryCode,
    ...toPlaceFacts(airport),
    'validity.from': validity.from,
    'validity.to': validity.to,
  });
  const facts = { type: 'Airport', cityName: city, region: { code, name }, validity, provenance } as const;
  return { ...airport, rank: 1, facts };
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

/** The cities of the demo world. A city without a centre of its own has the position of its first airport. */
export const demoCities: readonly City[] = airports
  .filter(({ cityCode }, index) => cityCode !== '' && airports.findIndex((one) => one.cityCode === cityCode) === index)
  .map(({ cityCode: code, city: name, countryCode, zone, ...airport }) => {
    const { latitude, longitude } = cityCentres.get(code) ?? airport;
    const place = { latitude, longitude, zone };
    const fields = { 'code.iata': code, name, 'place.country.code': countryCode, ...toPlaceFacts(place) };
    return { code, name, countryCode, ...place, provenance: toOwnProvenance(fields) };
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
  return toDate(toLocalMinute(byCode.get(code)?.zone, minute));
};

/** The longest distance from the destination to an alternate airport, metres. */
const MAX_METRES = 1_500_000;
const MAX_ALTERNATES = 4;
/** Airports that are too small or too remote for diverted flights. */
const unsuitable: ReadonlySet<string> = new Set(['CHT', 'LDH', 'PUQ', 'TNM']);

/** The scheduled ends of a flight. */
type Ends = { readonly departureAirport: string; readonly arrivalAirport: string };

/** Returns the alternate airports of a flight, the nearest to its destination first; none for remote islands. */
export const listAlternates = ({ departureAirport, arrivalAirport }: Ends): readonly string[] =>
  airports
    .filter(({ iata }) => !['', departureAirport, arrivalAirport].includes(iata) && !unsuitable.has(iata))
    .map(({ iata }) => ({ iata, metres: computeDistance(arrivalAirport, iata) ?? Infinity }))
    .filter(({ metres }) => metres <= MAX_METRES)
    .toSorted((a, b) => a.metres - b.metres)
    .slice(0, MAX_ALTERNATES)
    .map(({ iata }) => iata);

/** Returns the distance of two airports as a share of the distance of a flight; 1 when an airport is unknown. */
export const computeDistanceRatio = (part: readonly [string, string], whole: Ends): number => {
  const metres = computeDistance(...part);
  const wholeMetres = computeDistance(whole.departureAirport, whole.arrivalAirport);
  return metres === undefined || !wholeMetres ? 1 : metres / wholeMetres;
};
