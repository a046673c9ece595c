import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { MctFile } from '#domain/connections/mct/mct-record.ts';
import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { createLoadReport } from '#feeds/load-report.ts';
import { readConnectingTimes } from '#feeds/mct/record-reader.ts';

const MONTHS = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC';

/** Formats a date as in SSIM, for example `01JUN26`. */
const formatSsimDate = (date: LocalDate): string => {
  const [year = '', month = '', day = ''] = formatDate(date).split('-');
  return `${day}${MONTHS.slice(3 * Number(month) - 3, 3 * Number(month))}${year.slice(2)}`;
};

/**
 * Reads the minimum connecting times of the demo world, an SSIM chapter 8 file: station standards, exceptions of its
 * airlines, a suppression and one list of connecting partners. A date such as `D+00014` is that number of days after today.
 */
export const readMinimumConnectingTimes = (today: LocalDate): Promise<MctFile> => {
  const template = readFileSync(new URL('data/minimum-connecting-times.mct', import.meta.url), 'latin1');
  const text = template.replaceAll(/D([+-]\d{5})/g, (_, days) => formatSsimDate(addDays(today, Number(days))));
  return readConnectingTimes(Readable.from([Buffer.from(text, 'latin1')]), createLoadReport('demo world'));
};
