import type { City, Provenance } from '../../../domain/master-data/master-data-facts.ts';
import type { Location } from '../../../domain/master-data/master-data.ts';
import { readCsvTable } from '../../../lib/csv-table.ts';
import type { LocationUpdate } from '../../../store/master-data/locations.ts';
import { airportRows, airports } from './airports.ts';

type AirportRow = (typeof airportRows)[number];

const buildProvenance = (location: Omit<Location, 'id'>, { city, region_code: regionCode }: AirportRow) => {
  const fields = {
    'code.iata': location.iata,
    'code.icao': location.icao,
    'code.faa': location.faa,
    type: 'Airport',
    name: location.name,
    'place.city.code': location.cityCode,
    'place.city.name': city,
    'place.region.code': regionCode,
    'place.region.name': regionCode,
    'place.country.code': location.countryCode,
    'place.country.name': location.countryCode,
    'place.latitude.decimalDegrees': 'known',
    'place.longitude.decimalDegrees': 'known',
    'timezone.name': 'known',
  };
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== '')
      .map(([field]) => [field, 'own']),
  );
};

const toRecord = ({ id: _, ...location }: Location, row: AirportRow): LocationUpdate => {
  // The new airport of Istanbul took over the code on this day.
  const validity = location.iata === 'IST' ? { from: '2019-04-06', to: '' } : { from: '', to: '' };
  const dated: Provenance = validity.from === '' ? {} : { 'validity.from': 'own' };
  const provenance = { ...buildProvenance(location, row), ...dated };
  const region = { code: row.region_code, name: row.region };
  return { ...location, rank: 1, facts: { type: 'Airport', cityName: row.city, region, validity, provenance } };
};

const currentLocations = airports.flatMap((airport, index) => {
  const row = airportRows[index];
  return row ? [toRecord(airport, row)] : [];
});

/** The former owner of Istanbul's code: an example of a code that changed its owner. */
const formerLocations = currentLocations
  .filter(({ iata }) => iata === 'IST')
  .map(({ facts: now, ...istanbul }): LocationUpdate => {
    const { 'validity.from': _from, ...provenance } = now?.provenance ?? {};
    const validity = { from: '', to: '2019-04-05' };
    const facts = now && { ...now, validity, provenance: { ...provenance, 'validity.to': 'own' } };
    return {
      ...istanbul,
      icao: 'LTBA',
      name: 'Istanbul Atatürk',
      latitude: 40.977,
      longitude: 28.815,
      rank: 2,
      facts,
    };
  });

/** The locations of the demo world with their facts, current owners of a code first. */
export const demoLocations: readonly LocationUpdate[] = [...currentLocations, ...formerLocations];

const cityCentres = new Map(
  readCsvTable(new URL('data/city-centres.csv', import.meta.url), 'city_code,latitude,longitude').map((row) => [
    row.city_code,
    { latitude: Number(row.latitude), longitude: Number(row.longitude) },
  ]),
);

/** The cities of the demo world. A city without a centre of its own has the position of its airport. */
export const demoCities: readonly City[] = [...Map.groupBy(currentLocations, ({ cityCode }) => cityCode)]
  .filter(([code]) => code !== '')
  .map(([code, [airport]]) => {
    const { latitude, longitude } = cityCentres.get(code) ?? airport ?? {};
    return {
      code,
      name: airport?.facts?.cityName ?? '',
      countryCode: airport?.countryCode ?? '',
      latitude,
      longitude,
      zone: airport?.zone,
      provenance: Object.fromEntries(
        [
          'code.iata',
          'name',
          'place.country.code',
          'place.latitude.decimalDegrees',
          'place.longitude.decimalDegrees',
          'timezone.name',
        ].map((field) => [field, 'own']),
      ),
    };
  });

const englishNames = new Intl.DisplayNames('en', { type: 'region' });

/** English names of the countries of the demo world by their ISO 3166-1 codes. */
export const demoCountries: ReadonlyMap<string, string> = new Map(
  airports.map(({ countryCode }) => [countryCode, englishNames.of(countryCode) ?? countryCode]),
);
