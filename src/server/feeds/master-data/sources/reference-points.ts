import { isZone } from '#domain/time/zones.ts';
import { compareTexts } from '#lib/compare-texts.ts';
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
  /** One station a code, without country; only the published list has names. */
  readonly stations: ReadonlyMap<string, Station>;
  readonly cities: ReadonlyMap<string, CityPoint>;
};

const noDates = { from: '', to: '' };
const noPosition = { latitude: undefined, longitude: undefined };

/** A point of reference with an IATA code that is in force. */
type PointRow = {
  readonly code: string;
  /** Its letters, such as A or CA. */
  readonly kind: string;
  /** '' in the short list. */
  readonly name: string;
  readonly latitude: string;
  readonly longitude: string;
  /** The codes of the cities that it serves, the largest first, with commas between. */
  readonly cityCodes: string;
  readonly since: string;
  readonly zone: string | undefined;
};

/** Reads the short list of points (optd_por_best_known_so_far), in the order of its keys: code, kind and number. It has no zones. */
async function* readBestKnownRows(file: FeedFile, report: LoadReport): AsyncGenerator<PointRow> {
  const columns = ['pk', 'iata_code', 'latitude', 'longitude', 'city_code', 'date_from'] as const;
  for await (const { values } of readCsvRows(file, { columns, separator: '^', report })) {
    const code = parseIataStation(values.iata_code);
    if (code === '') continue;
    // The key consists of code, kind and number: AAA-A-6947726.
    const kind = values.pk.split('-')[1] ?? '';
    yield { ...values, code, kind, name: '', cityCodes: values.city_code, since: values.date_from, zone: undefined };
  }
}

const publicColumns = [
  'iata_code',
  'name',
  'envelope_id',
  'latitude',
  'longitude',
  'timezone',
  'date_from',
  'population',
  'city_code_list',
  'location_type',
] as const;

/**
 * Reads the published list of all points (optd_por_public_all), and returns those with an IATA code in the order of the short list: by
 * code and kind, the largest city first. Rows with an envelope ID are former points, which the list of withdrawn codes has.
 */
const readPublicRows = async (file: FeedFile, report: LoadReport): Promise<readonly PointRow[]> => {
  const rows: (PointRow & { readonly key: string; readonly population: number })[] = [];
  for await (const { values } of readCsvRows(file, { columns: publicColumns, separator: '^', report })) {
    const code = parseIataStation(values.iata_code);
    if (code === '' || values.envelope_id !== '') continue;
    const { name, latitude, longitude, location_type: kind, city_code_list: cityCodes, date_from: since } = values;
    const population = Number(values.population) || 0;
    const zone = isZone(values.timezone) ? values.timezone : undefined;
    rows.push({ code, kind, name, latitude, longitude, cityCodes, since, zone, key: `${code}-${kind}`, population });
  }
  return rows.toSorted((one, other) => compareTexts(one.key, other.key) || other.population - one.population);
};

/**
 * Reads the points of reference that have an IATA code today, from the short list (optd_por_best_known_so_far): stations with their
 * position, the city they serve and the day since which they have the code, and cities with their position. Uses the first city of
 * a station, which is the largest, and the first row of a code.
 */
export const readReferencePoints = (file: FeedFile, report: LoadReport): Promise<ReferencePoints> =>
  joinPoints(readBestKnownRows(file, report));

/** Reads the same from the published list of all points (optd_por_public_all). */
export const readPublicPoints = async (file: FeedFile, report: LoadReport): Promise<ReferencePoints> =>
  joinPoints(await readPublicRows(file, report));

const joinPoints = async (rows: AsyncIterable<PointRow> | Iterable<PointRow>): Promise<ReferencePoints> => {
  const stations = new Map<string, Station>();
  const cities = new Map<string, CityPoint>();
  const otherCities = new Map<string, readonly string[]>();
  for await (const { code, kind, name, latitude, longitude, cityCodes, since: firstDay, zone } of rows) {
    const position = parsePosition(latitude, longitude);
    const since = parseDate(firstDay);
    const city = cities.get(code);
    if (kind.includes('C') && (!city || since === '')) cities.set(code, { code, ...position, ...city, since });
    const type = parsePointLetters(kind);
    if (type === '' || stations.has(code)) continue;
    const [first = '', ...others] = cityCodes.split(',');
    if (first === code) otherCities.set(code, others);
    stations.set(code, {
      iata: code,
      icao: '',
      faa: '',
      name: name.trim(),
      cityCode: parseIataStation(first),
      countryCode: '',
      ...position,
      zone,
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
