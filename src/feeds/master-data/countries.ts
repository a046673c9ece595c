import type { LoadReport } from '../load-report.ts';
import { csvRows, type FeedFile } from './csv-rows.ts';

/** Reads the ISO 3166-1 alpha-2 codes in use (ourairports_countries.csv). */
export const readCountries = async (file: FeedFile, report: LoadReport): Promise<ReadonlySet<string>> => {
  const countries = new Set<string>();
  for await (const { values } of csvRows(file, { columns: ['code'], separator: ',', report }))
    if (/^[A-Z]{2}$/.test(values.code)) countries.add(values.code);
  return countries;
};
