import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { computeMetres, parseDate, parsePosition, type Station } from './station.ts';
import { parseIataStation } from './station-codes.ts';
import { parsePointLetters } from './station-types.ts';

/** The code and position of a city in the list of points of reference. */
export type CityPoint = Pick<Station, 'latitude' | 'longitude'> & {
  readonly code: string;
  /** The day since which it has the code, '' unless known for all cities of the code. */
  readonly since: string;
};

export type ReferencePoints = {
  /** One station a code, without name and country. */
  readonly stations: ReadonlyMap<string, Station>;
  readonly cities: ReadonlyMap<string, CityPoint>;
};

const noDates = { from: '', to: '' };
const noPosition = { latitude: undefined, longitude: undefined };

/**
 * Reads the points of reference that have an IATA code today (optd_por_best_known_so_far): stations with their position, the
 * city they serve and the day since which they have the code, and cities with their position. Uses the first city of a station,
 * which is the largest, and the first row of a code.
 */
export const readReferencePoints = async (file: FeedFile, report: LoadReport): Promise<ReferencePoints> => {
  const stations = new Map<string, Station>();
  const cities = new Map<string, CityPoint>();
  const otherCities = new Map<string, readonly string[]>();
  const columns = ['pk', 'iata_code', 'latitude', 'longitude', 'city_code', 'date_from'] as const;
  for await (const { values } of readCsvRows(file, { columns, separator: '^', report })) {
    const code = parseIataStation(values.iata_code);
    if (code === '') continue;
    // The key consists of code, kind and number: AAA-A-6947726.
    const kind = values.pk.split('-')[1] ?? '';
    const position = parsePosition(values.latitude, values.longitude);
    const since = parseDate(values.date_from);
    const city = cities.get(code);
    if (kind.includes('C') && (!city || since === '')) cities.set(code, { code, ...position, ...city, since });
    const type = parsePointLetters(kind);
    if (type === '' || stations.has(code)) continue;
    const [first = '', ...others] = values.city_code.split(',');
    if (first === code) otherCities.set(code, others);
    stations.set(code, {
      iata: code,
      icao: '',
      faa: '',
      name: '',
      cityCode: parseIataStation(first),
      countryCode: '',
      ...position,
      zone: undefined,
      type,
      cityName: '',
      region: { code: '', name: '' },
      validity: { ...noDates, from: since },
      source: 'optd-por',
    });
  }
  // A point that is its own city, and at the same position the city of others, is their common area: EuroAirport.
  for (const [code, others] of otherCities) {
    const area = stations.get(code);
    if (area && others.some((other) => computeMetres(area, stations.get(other) ?? noPosition) === 0))
      stations.delete(code);
  }
  return { stations, cities };
};
