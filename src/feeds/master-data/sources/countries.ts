import type { LoadReport } from '../../load-report.ts';
import { csvRows, type FeedFile } from './csv-rows.ts';

/** Names of the countries in use, by ISO 3166-1 alpha-2 code (ourairports_countries.csv). */
export const readCountries = async (file: FeedFile, report: LoadReport): Promise<ReadonlyMap<string, string>> => {
  const countries = new Map<string, string>();
  for await (const { values } of csvRows(file, { columns: ['code', 'name'], separator: ',', report }))
    if (/^[A-Z]{2}$/.test(values.code)) countries.set(values.code, values.name);
  return countries;
};
