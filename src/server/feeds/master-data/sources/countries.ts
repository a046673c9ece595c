import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';
import { listWorldAreas } from '../overrides/station-overrides.ts';

/** World area codes of the US Department of Transportation by ISO 3166-1 alpha-2 code of the country. */
export type WorldAreaCodes = ReadonlyMap<string, string>;

/**
 * Reads the world area codes in force (optd_usdot_wac.csv), one for each country. A country with several areas of which the
 * overrides choose none has none and is reported, and so is an override whose area the table lacks.
 */
export const readWorldAreaCodes = async (file: FeedFile, report: LoadReport): Promise<WorldAreaCodes> => {
  const columns = ['wac', 'ctry_code_iso', 'to_date', 'is_latest'] as const;
  const areas = new Map<string, string[]>();
  for await (const { values } of readCsvRows(file, { columns, separator: '^', report })) {
    if (values.to_date !== '' || values.is_latest !== '1') continue;
    const country = areas.get(values.ctry_code_iso);
    if (country) country.push(values.wac);
    else areas.set(values.ctry_code_iso, [values.wac]);
  }
  const inForce = new Set([...areas.values()].flat());
  const codes = new Map<string, string>();
  const overrides = listWorldAreas();
  for (const [country, [only = '', ...others]] of areas) {
    if (overrides.has(country)) continue;
    if (others.length === 0) codes.set(country, only);
    else {
      const message = `The table divides ${country} into several world areas, and no override selects one; it has no world area code.`;
      report.entries.push({ severity: 'notice', value: country, reason: 'world-area-of-country', message });
    }
  }
  for (const [country, area] of overrides) {
    if (inForce.has(area)) codes.set(country, area);
    else {
      const message = `The override selects world area ${area} for ${country}, but the table does not contain it.`;
      report.entries.push({ severity: 'notice', value: country, reason: 'world-area-of-country', message });
    }
  }
  return codes;
};

/** Reads the names of countries by ISO 3166-1 alpha-2 code (ourairports_countries.csv). */
export const readCountries = async (file: FeedFile, report: LoadReport): Promise<ReadonlyMap<string, string>> => {
  const countries = new Map<string, string>();
  for await (const { values } of readCsvRows(file, { columns: ['code', 'name'], separator: ',', report }))
    if (/^[A-Z]{2}$/.test(values.code)) countries.set(values.code, values.name);
  return countries;
};
