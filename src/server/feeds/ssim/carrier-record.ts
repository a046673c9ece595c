import type { LocalDate } from '#domain/time/dates.ts';
import type { TimeMode } from '#domain/schedule/schedule.ts';
import { FeedError } from '../feed-error.ts';
import type { ReportEntry } from '../load-report.ts';
import { readText, readValue, type FieldFormat } from '../text/fixed-width.ts';
import * as formats from './field-formats.ts';

/** A record 2. It applies to the legs that follow it, up to the next record 2 or 5. */
export type CarrierRecord = {
  readonly line: number;
  readonly carrier: string;
  readonly timeMode: TimeMode;
  readonly from: LocalDate;
  /** Undefined when the end is open. */
  readonly to: LocalDate | undefined;
  /** Undefined when not filed or not readable. */
  readonly createdOn: LocalDate | undefined;
  readonly electronicTicketing: boolean | undefined;
  readonly inFlightServices: readonly string[];
};

const timeModeFormat: FieldFormat<TimeMode> = {
  reason: 'bad-time-mode',
  description: 'a time mode (L or U)',
  parse: (text) => (text === 'L' ? 'local' : text === 'U' ? 'utc' : undefined),
};

const electronicTicketing: Readonly<Record<string, boolean | undefined>> = { ET: true, EN: false, '  ': undefined };

/** Returns the codes of a list such as `3/18/4`. */
export const splitCodes = (text: string): readonly string[] =>
  text
    .split('/')
    .map((code) => code.trim())
    .filter((code) => code !== '');

/** Parses a record 2 of 200 bytes; calls `addRemark` for values that are left out. Throws a FeedError. */
export const parseCarrierRecord = (
  record: string,
  line: number,
  addRemark: (entry: ReportEntry) => void,
): CarrierRecord => {
  const timeMode = readValue(record, [2, 2], timeModeFormat);
  const carrier = readValue(record, [3, 5], formats.carrierFormat);
  const from = readValue(record, [15, 21], formats.dateFormat);
  const to = readValue(record, [22, 28], formats.openDateFormat);
  if (to !== 'open' && to < from) {
    const value = readText(record, [15, 28]);
    throw new FeedError('The validity period of the carrier ends before it begins.', {
      bytes: [15, 28],
      value,
      reason: 'bad-validity',
    });
  }
  const ticketingText = readText(record, [189, 190]);
  if (!(ticketingText in electronicTicketing))
    addRemark({
      severity: 'corrected',
      line,
      bytes: [189, 190],
      value: ticketingText,
      reason: 'unreadable-electronicTicketing',
      message: 'The value is neither ET nor EN and was ignored.',
    });
  return {
    line,
    carrier,
    timeMode,
    from,
    to: to === 'open' ? undefined : to,
    createdOn: formats.dateFormat.parse(readText(record, [29, 35])),
    electronicTicketing: electronicTicketing[ticketingText],
    inFlightServices: splitCodes(readText(record, [170, 188])),
  };
};
