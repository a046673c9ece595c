import { type Cabin, type CabinLetters, cabins } from '#domain/master-data/cabin-letters.ts';
import { isCabinLetter } from '#domain/schedule/cabins.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { readCsvRows, type FeedFile } from '#feeds/text/csv-rows.ts';

const columns = ['carrier', 'letter', 'cabin'] as const;

/**
 * Reads how carriers use the letters of their aircraft configurations (cabin_letters.csv, which the operator writes), by designator as
 * filed: IATA or ICAO. A row with another letter than those of SSIM, or with an unknown cabin, is quarantined.
 */
export const readCabinLetters = async (
  file: FeedFile,
  report: LoadReport,
): Promise<ReadonlyMap<string, CabinLetters>> => {
  const byCarrier = new Map<string, Record<string, Cabin>>();
  for await (const { line, values } of readCsvRows(file, { columns, separator: ',', report })) {
    const { carrier, letter } = values;
    const cabin = cabins.find((candidate) => candidate === values.cabin);
    if (cabin === undefined || !isCabinLetter(letter) || !/^(?:[A-Z0-9]{2}|[A-Z]{3})$/.test(carrier)) {
      const message = `A carrier needs a designator, a letter of SSIM for seats, and one of the cabins ${cabins.join(', ')}.`;
      const value = `${carrier} ${letter} ${values.cabin}`;
      report.entries.push({ severity: 'quarantined', line, value, reason: 'cabin-letter', message });
      continue;
    }
    byCarrier.set(carrier, { ...byCarrier.get(carrier), [letter]: cabin });
  }
  return byCarrier;
};
