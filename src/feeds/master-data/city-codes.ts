import type { LoadReport } from '../load-report.ts';
import { csvRows, type FeedFile } from './csv-rows.ts';
import { iataStation } from './station-codes.ts';

/** The cities of stations: IATA code of the station to IATA code of the city or metropolitan area. */
export type CityCodes = ReadonlyMap<string, string>;

/**
 * Reads the city a station serves (optd_por_best_known_so_far); of several cities the first named, which is the largest.
 * Rows that are only a city tell nothing about a station.
 */
export const readCityCodes = async (file: FeedFile, report: LoadReport): Promise<CityCodes> => {
  const cities = new Map<string, string>();
  const columns = ['pk', 'iata_code', 'city_code'] as const;
  for await (const { values } of csvRows(file, { columns, separator: '^', report })) {
    const station = iataStation(values.iata_code);
    const city = iataStation(values.city_code.split(',')[0] ?? '');
    // The key is made of code, kind and number: AAA-A-6947726.
    const isStation = /[AHRBP]/.test(values.pk.split('-')[1] ?? '');
    if (station !== '' && city !== '' && isStation && !cities.has(station)) cities.set(station, city);
  }
  return cities;
};

/** Reads the airports of metropolitan areas (airportsdata_iata_macs.csv). */
export const readMetropolitanAreas = async (file: FeedFile, report: LoadReport): Promise<CityCodes> => {
  const cities = new Map<string, string>();
  const columns = ['City Code', 'Airport Code'] as const;
  for await (const { values } of csvRows(file, { columns, separator: ',', report }))
    cities.set(iataStation(values['Airport Code']), iataStation(values['City Code']));
  return cities;
};
