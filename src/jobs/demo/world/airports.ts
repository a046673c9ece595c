import type { Location } from '../../../domain/master-data/master-data.ts';
import { readCsvTable } from '../../../lib/csv-table.ts';

/** The rows of airports.csv. */
export const airportRows = readCsvTable(
  new URL('data/airports.csv', import.meta.url),
  'iata,icao,faa,name,city_code,city,region_code,region,country_code,latitude,longitude,zone',
);

const terminals: ReadonlyMap<string, string> = new Map(
  readCsvTable(new URL('data/terminals.csv', import.meta.url), 'airport,carrier,terminal').map(
    ({ airport, carrier, terminal }) => [`${airport}/${carrier}`, terminal],
  ),
);

/** The airports of the demo world, numbered from 1. */
export const airports: readonly Location[] = airportRows.map((row, index) => ({
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
}));

const byCode = new Map(airports.filter(({ iata }) => iata !== '').map((airport) => [airport.iata, airport]));

/** Returns position, zone and country of an airport; throws RangeError for a code that the demo world does not have. */
export const getAirport = (iata: string) => {
  const { latitude, longitude, zone, countryCode } = byCode.get(iata) ?? {};
  if (latitude === undefined || longitude === undefined || zone === undefined || countryCode === undefined)
    throw new RangeError(`not an airport of the demo world: '${iata}'`);
  return { latitude, longitude, zone, countryCode };
};

/** Returns the terminal that an airline uses at an airport, '' when the airport has one terminal or none. */
export const findTerminal = (airport: string, carrier: string): string =>
  terminals.get(`${airport}/${carrier}`) ?? terminals.get(`${airport}/`) ?? '';
