import type { FieldFormat } from '../text/fixed-width.ts';

/** Some files write whole numbers with a fraction of zeros. */
const wholeNumber = /^-?\d{1,6}(?:\.0*)?$/;

const integerFormat = (reason: string, is: string, [least, most]: readonly [number, number]): FieldFormat<number> => ({
  reason,
  description: `${is} (${least} to ${most})`,
  parse: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  },
});

const patternFormat = (reason: string, is: string, pattern: RegExp): FieldFormat<string> => ({
  reason,
  description: is,
  parse: (text) => (pattern.test(text) ? text : undefined),
});

const MINUTES_A_FORTNIGHT = 20_160;

export const year = integerFormat('bad-date', 'a year', [1987, 2100]);
export const month = integerFormat('bad-date', 'a month', [1, 12]);
export const dayOfMonth = integerFormat('bad-date', 'a day of the month', [1, 31]);
export const flightNumber = integerFormat('bad-flight-number', 'a flight number', [1, 9999]);

/** Minutes by which a flight was late, negative when it was early; flights have left days late. */
export const delay = integerFormat('bad-delay', 'a delay in minutes', [-1440, MINUTES_A_FORTNIGHT]);
/** Minutes from one event to a later one. */
export const taxi = integerFormat('bad-duration', 'a taxi time in minutes', [0, 1440]);
export const scheduledElapsed = integerFormat('bad-duration', 'a scheduled time in minutes', [1, 1440]);
export const diversionElapsed = integerFormat('bad-duration', 'an elapsed time in minutes', [1, MINUTES_A_FORTNIGHT]);

/** Minutes after midnight of hhmm, whose leading zeros may be left out; 1440 is 2400, the midnight that ends the day. */
export const clock: FieldFormat<number> = {
  reason: 'bad-time',
  description: 'a time of day (0000 to 2400)',
  parse: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    const minute = value % 100;
    return value >= 0 && value <= 2400 && minute <= 59 ? Math.floor(value / 100) * 60 + minute : undefined;
  },
};

export const flag: FieldFormat<boolean> = {
  reason: 'bad-flag',
  description: '0 or 1',
  parse: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    return value === 0 || value === 1 ? value === 1 : undefined;
  },
};

export const carrier = patternFormat('bad-carrier', 'an airline designator', /^(?=.*[A-Z])[A-Z0-9]{2}$/);
export const station = patternFormat('bad-station', 'an airport of three letters', /^[A-Z]{3}$/);

/** An aircraft's registration, upper case without hyphens; undefined when the cell holds none, or a filler such as `UNKNOW`. */
export const parseRegistration = (text: string): string | undefined => {
  const mark = text.toUpperCase().replaceAll('-', '');
  return /^(?=.*\d)(?!0+$)[A-Z0-9]{3,8}$/.test(mark) ? mark : undefined;
};
