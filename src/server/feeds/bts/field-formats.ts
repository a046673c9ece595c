import { localDate, parseDate, toLocalDate, type LocalDate } from '#domain/time/dates.ts';
import { createPatternFormat, type FieldFormat } from '../text/fixed-width.ts';

/** Some files have whole numbers with a fraction of zeros. */
const wholeNumber = /^-?\d{1,6}(?:\.0*)?$/;

const createIntegerFormat = (
  reason: string,
  description: string,
  [minimum, maximum]: readonly [number, number],
): FieldFormat<number> => ({
  reason,
  description: `${description} (${minimum} to ${maximum})`,
  parse: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  },
});

const MINUTES_A_FORTNIGHT = 20_160;

export const yearFormat = createIntegerFormat('bad-date', 'a year', [1987, 2100]);
export const monthFormat = createIntegerFormat('bad-date', 'a month', [1, 12]);
export const dayOfMonthFormat = createIntegerFormat('bad-date', 'a day of the month', [1, 31]);
const [firstDate, endDate] = [localDate('1987-01-01'), localDate('2101-01-01')];

/** The date of a flight in one column: `11/24/2026 12:00:00 AM`, or `2015-01-01` as files before 2022 have it. */
export const flightDateFormat: FieldFormat<LocalDate> = {
  reason: 'bad-date',
  description: 'a date like 11/24/2026 or 2026-11-24, of 1987 to 2100',
  parse: (text) => {
    const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: 12:00:00 AM)?$/.exec(text);
    const date = slashed ? toLocalDate(Number(slashed[3]), Number(slashed[1]), Number(slashed[2])) : parseDate(text);
    return date !== undefined && date >= firstDate && date < endDate ? date : undefined;
  },
};

export const flightNumberFormat = createIntegerFormat('bad-flight-number', 'a flight number', [1, 9999]);

/** Minutes of delay, negative when early; some flights departed days late. */
export const delayFormat = createIntegerFormat('bad-delay', 'a delay in minutes', [-1440, MINUTES_A_FORTNIGHT]);

export const taxiFormat = createIntegerFormat('bad-duration', 'a taxi time in minutes', [0, 1440]);
export const scheduledElapsedFormat = createIntegerFormat('bad-duration', 'a scheduled time in minutes', [1, 1440]);
export const diversionElapsedFormat = createIntegerFormat('bad-duration', 'an elapsed time in minutes', [
  1,
  MINUTES_A_FORTNIGHT,
]);

/** `hhmm` with optional leading zeros, as minutes after midnight; 2400 is 1440, the midnight at the end of the day. */
export const clockFormat: FieldFormat<number> = {
  reason: 'bad-time',
  description: 'a time of day (0000 to 2400)',
  parse: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    const minute = value % 100;
    return value >= 0 && value <= 2400 && minute <= 59 ? Math.floor(value / 100) * 60 + minute : undefined;
  },
};

export const flagFormat: FieldFormat<boolean> = {
  reason: 'bad-flag',
  description: '0 or 1',
  parse: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    return value === 0 || value === 1 ? value === 1 : undefined;
  },
};

const designatorFormat = createPatternFormat('bad-carrier', 'an airline designator', /^(?=.*[A-Z])[A-Z0-9]{2}$/);

/** A number in brackets distinguishes carriers that had the same code one after the other: `PA (1)` flew as PA. */
export const carrierFormat: FieldFormat<string> = {
  ...designatorFormat,
  parse: (text) => designatorFormat.parse(text.replace(/ ?\(\d\)$/, '')),
};
export const stationFormat = createPatternFormat('bad-station', 'an airport of three letters', /^[A-Z]{3}$/);

/** Returns a registration in upper case without hyphens; undefined for a blank cell or a placeholder such as `UNKNOW`. */
export const parseRegistration = (text: string): string | undefined => {
  const registration = text.toUpperCase().replaceAll('-', '');
  return /^(?=.*\d)(?!0+$)[A-Z0-9]{3,8}$/.test(registration) ? registration : undefined;
};
