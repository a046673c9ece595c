import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { parseIataStation } from './station-codes.ts';

/** A city with several airports. */
export type MetropolitanArea = { readonly code: string; readonly name: string; readonly countryCode: string };

/** The metropolitan area of an airport, by the IATA code of the airport. */
export type AreasByAirport = ReadonlyMap<string, MetropolitanArea>;

/** Reads the airports of metropolitan areas (airportsdata_iata_macs.csv). */
export const readMetropolitanAreas = async (file: FeedFile, report: LoadReport): Promise<AreasByAirport> => {
  const areas = new Map<string, MetropolitanArea>();
  const columns = ['Country', 'City Code', 'City Name', 'Airport Code'] as const;
  for await (const { values } of readCsvRows(file, { columns, separator: ',', report })) {
    const code = parseIataStation(values['City Code']);
    if (code === '') continue;
    areas.set(parseIataStation(values['Airport Code']), {
      code,
      name: values['City Name'],
      countryCode: values.Country,
    });
  }
  return areas;
};
