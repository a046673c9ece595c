import type { LoadReport } from '../../load-report.ts';
import { csvRows, type FeedFile } from './csv-rows.ts';

/** World area codes of the US Department of Transportation by ISO 3166-1 alpha-2 code of the country. */
export type WorldAreaCodes = ReadonlyMap<string, string>;

/**
 * Countries for which the table alone does not tell one code. Where the department divides a country, by state, province or
 * part, it is the area of the capital; where it counts a territory as part of another area, that area.
 */
const chosenAreas: Readonly<Record<string, string>> = {
  US: '32',
  CA: '936',
  RU: '475',
  MU: '546',
  NC: '846',
  PR: '3',
  VI: '4',
  AS: '5',
  GU: '5',
  MP: '5',
  NF: '802',
  GG: '493',
  IM: '493',
  JE: '493',
  EH: '548',
  XK: '494',
};

/**
 * Reads the world area codes in force (optd_usdot_wac.csv): one for each country. A country with several areas and no choice
 * made among them is reported and has none, and so is a choice that the table does not have.
 */
export const readWorldAreaCodes = async (file: FeedFile, report: LoadReport): Promise<WorldAreaCodes> => {
  const columns = ['wac', 'ctry_code_iso', 'to_date', 'is_latest'] as const;
  const areas = new Map<string, string[]>();
  for await (const { values } of csvRows(file, { columns, separator: '^', report })) {
    if (values.to_date !== '' || values.is_latest !== '1') continue;
    const country = areas.get(values.ctry_code_iso);
    if (country) country.push(values.wac);
    else areas.set(values.ctry_code_iso, [values.wac]);
  }
  const inForce = new Set([...areas.values()].flat());
  const codes = new Map<string, string>();
  for (const [country, [only = '', ...others]] of areas) {
    if (country in chosenAreas) continue;
    if (others.length === 0) codes.set(country, only);
    else {
      const message = `The table divides ${country} into several world areas, of which none was chosen for the whole.`;
      report.entries.push({ severity: 'notice', value: country, reason: 'world-area-of-country', message });
    }
  }
  for (const [country, area] of Object.entries(chosenAreas)) {
    if (inForce.has(area)) codes.set(country, area);
    else {
      const message = `World area ${area}, chosen for ${country}, is not in the table.`;
      report.entries.push({ severity: 'notice', value: country, reason: 'world-area-of-country', message });
    }
  }
  return codes;
};
