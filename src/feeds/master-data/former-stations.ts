import { isZone } from '../../domain/zones.ts';
import type { LoadReport } from '../load-report.ts';
import { csvRows, type FeedFile } from './csv-rows.ts';
import { readPosition, type Station } from './station.ts';
import { faaStation, iataStation, icaoStation } from './station-codes.ts';

/** Of several rows with one IATA code, the one with the highest weight stands; of equals, the first. */
type Weighed = { readonly station: Station; readonly weight: number };

const keepHeavier = (stations: Map<string, Weighed>, station: Station, weight: number): void => {
  const known = stations.get(station.iata);
  if (!known || known.weight < weight) stations.set(station.iata, { station, weight });
};

const stationsOf = (stations: ReadonlyMap<string, Weighed>): readonly Station[] =>
  [...stations.values()].map(({ station }) => station);

const snapshotColumns = [
  'ident',
  'type',
  'name',
  'latitude_deg',
  'longitude_deg',
  'iso_country',
  'iso_region',
  'gps_code',
  'iata_code',
  'local_code',
] as const;
const snapshotWeights: ReadonlyMap<string, number> = new Map([
  ['closed', 1],
  ['medium_airport', 3],
  ['large_airport', 3],
]);

/** Reads the stations with an IATA code of an older copy of OurAirports, one a code, closed ones included. It tells no zones. */
export const readStationSnapshot = async (file: FeedFile, report: LoadReport): Promise<readonly Station[]> => {
  const stations = new Map<string, Weighed>();
  for await (const { values } of csvRows(file, { columns: snapshotColumns, separator: ',', report })) {
    const iata = iataStation(values.iata_code);
    if (iata === '') continue;
    const whereabouts = { countryCode: values.iso_country, state: values.iso_region.replace(/^US-/, '') };
    const station = {
      iata,
      icao: icaoStation(values.gps_code, whereabouts) || icaoStation(values.ident, whereabouts),
      faa: faaStation(values.local_code, whereabouts),
      name: values.name,
      cityCode: '',
      countryCode: values.iso_country,
      ...readPosition(values.latitude_deg, values.longitude_deg),
      zone: undefined,
    };
    keepHeavier(stations, station, snapshotWeights.get(values.type) ?? 2);
  }
  return stationsOf(stations);
};

const retiredColumns = [
  'iata_code',
  'icao_code',
  'faa_code',
  'name',
  'latitude',
  'longitude',
  'country_code',
  'timezone',
  'city_code_list',
  'location_type',
  'adm1_code',
] as const;

/** Reads the stations whose IATA code was withdrawn or moved (optd_por_no_longer_valid), one a code; cities are left out. */
export const readRetiredStations = async (file: FeedFile, report: LoadReport): Promise<readonly Station[]> => {
  const stations = new Map<string, Weighed>();
  for await (const { values } of csvRows(file, { columns: retiredColumns, separator: '^', report })) {
    const iata = iataStation(values.iata_code);
    // A airport, H heliport, R railway, B bus, P port; C alone is a city, O a point off the network.
    if (iata === '' || !/[AHRBP]/.test(values.location_type)) continue;
    const whereabouts = { countryCode: values.country_code, state: values.adm1_code };
    const station = {
      iata,
      icao: icaoStation(values.icao_code, whereabouts),
      faa: faaStation(values.faa_code, whereabouts),
      name: values.name,
      cityCode: iataStation(values.city_code_list.split(',')[0] ?? ''),
      countryCode: values.country_code,
      ...readPosition(values.latitude, values.longitude),
      zone: isZone(values.timezone) ? values.timezone : undefined,
    };
    keepHeavier(stations, station, values.location_type.includes('A') ? 2 : 1);
  }
  return stationsOf(stations);
};
