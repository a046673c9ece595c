import { isZone } from '#domain/time/zones.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { parseDate, parsePosition, type Station } from './station.ts';
import { parseFaaStation, parseIataStation, parseIcaoStation } from './station-codes.ts';
import { parseOurAirportsType, parsePointType, findTypeInName } from './station-types.ts';

/** Of several rows with one IATA code, the one with the highest weight is used; of equal weights, the first. */
type WeightedStation = { readonly station: Station; readonly weight: number };

const setHeavier = (stations: Map<string, WeightedStation>, station: Station, weight: number): void => {
  const existing = stations.get(station.iata);
  if (!existing || existing.weight < weight) stations.set(station.iata, { station, weight });
};

const listStations = (stations: ReadonlyMap<string, WeightedStation>): readonly Station[] =>
  [...stations.values()].map(({ station }) => station);

const snapshotColumns = [
  'ident',
  'type',
  'name',
  'latitude_deg',
  'longitude_deg',
  'iso_country',
  'iso_region',
  'municipality',
  'gps_code',
  'iata_code',
  'local_code',
] as const;
const snapshotWeights: ReadonlyMap<string, number> = new Map([
  ['closed', 1],
  ['medium_airport', 3],
  ['large_airport', 3],
]);

/** Reads the stations with an IATA code of an older copy of OurAirports, one a code, including closed ones. It has no time zones. */
export const readStationSnapshot = async (file: FeedFile, report: LoadReport): Promise<readonly Station[]> => {
  const stations = new Map<string, WeightedStation>();
  for await (const { values } of readCsvRows(file, { columns: snapshotColumns, separator: ',', report })) {
    const iata = parseIataStation(values.iata_code);
    if (iata === '') continue;
    const territory = { countryCode: values.iso_country, state: values.iso_region.replace(/^US-/, '') };
    const station = {
      iata,
      icao: parseIcaoStation(values.gps_code, territory) || parseIcaoStation(values.ident, territory),
      faa: parseFaaStation(values.local_code, territory),
      name: values.name,
      cityCode: '',
      countryCode: values.iso_country,
      ...parsePosition(values.latitude_deg, values.longitude_deg),
      zone: undefined,
      type: parseOurAirportsType(values.type) || findTypeInName(values.name),
      cityName: values.municipality,
      region: { code: values.iso_region, name: '' },
      validity: { from: '', to: '' },
      source: 'ourairports' as const,
      isClosed: values.type === 'closed',
    };
    setHeavier(stations, station, snapshotWeights.get(values.type) ?? 2);
  }
  return listStations(stations);
};

const DETAILS = 'city_detail_list|country_code|state_code';
const withdrawnColumns = [
  'iata_code',
  'icao_code',
  'faa_code',
  'name',
  'latitude',
  'longitude',
  'country_code',
  'timezone',
  'city_code_list',
  DETAILS,
  'location_type',
  'fcode',
  'adm1_code',
  'date_from',
  'date_until',
] as const;

/** Stations under the codes they had, and names of cities by their IATA codes. */
export type WithdrawnCodes = { readonly stations: readonly Station[]; readonly cityNames: ReadonlyMap<string, string> };

/** Merges the rows of one place under one code: the airport among them, else the first, with the widest dates. */
const mergeRows = (rows: readonly Station[]): Station | undefined => {
  const [first] = rows;
  if (!first) return undefined;
  const firstDays = rows.map(({ validity }) => validity.from).filter((date) => date !== '');
  const lastDays = rows.map(({ validity }) => validity.to).filter((date) => date !== '');
  return {
    ...(rows.find(({ type }) => type === 'Airport') ?? first),
    validity: {
      from: firstDays.length < rows.length ? '' : (firstDays.toSorted()[0] ?? ''),
      to: lastDays.toSorted().at(-1) ?? '',
    },
  };
};

/**
 * Reads the stations whose IATA code was withdrawn or moved (optd_por_no_longer_valid), with the dates between which they had
 * it. Only the names of cities are read.
 */
export const readWithdrawnCodes = async (file: FeedFile, report: LoadReport): Promise<WithdrawnCodes> => {
  const rows: Station[] = [];
  const cityNames = new Map<string, string>();
  for await (const { values } of readCsvRows(file, { columns: withdrawnColumns, separator: '^', report })) {
    for (const detail of values[DETAILS].split('=')) {
      // LNU|1636657|Malinau|Malinau|ID|KU: code, number, name and name without accents.
      const [code = '', , name = ''] = detail.split('|');
      if (parseIataStation(code) !== '' && name !== '' && !cityNames.has(code)) cityNames.set(code, name);
    }
    const iata = parseIataStation(values.iata_code);
    const type = parsePointType(values.location_type, values.fcode);
    if (iata === '' || type === '') continue;
    const territory = { countryCode: values.country_code, state: values.adm1_code };
    const cityCode = parseIataStation(values.city_code_list.split(',')[0] ?? '');
    rows.push({
      iata,
      icao: parseIcaoStation(values.icao_code, territory),
      faa: parseFaaStation(values.faa_code, territory),
      name: values.name,
      cityCode,
      countryCode: values.country_code,
      ...parsePosition(values.latitude, values.longitude),
      zone: isZone(values.timezone) ? values.timezone : undefined,
      type,
      cityName: cityNames.get(cityCode) ?? '',
      region: { code: '', name: '' },
      validity: { from: parseDate(values.date_from), to: parseDate(values.date_until) },
      source: 'optd-por',
    });
  }
  const rowsByPlace = Map.groupBy(rows, ({ iata, latitude, longitude }) => [iata, latitude, longitude].join('/'));
  const stations = [...rowsByPlace.values()].map(mergeRows).filter((station) => station !== undefined);
  return { stations, cityNames };
};
