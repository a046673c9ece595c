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

export const carrierFormat = createPatternFormat('bad-carrier', 'an airline designator', /^(?=.*[A-Z])[A-Z0-9]{2}$/);
export const stationFormat = createPatternFormat('bad-station', 'an airport of three letters', /^[A-Z]{3}$/);

/** Returns a registration in upper case without hyphens; undefined for a blank cell or a placeholder such as `UNKNOW`. */
export const parseRegistration = (text: string): string | undefined => {
  const registration = text.toUpperCase().replaceAll('-', '');
  return /^(?=.*\d)(?!0+$)[A-Z0-9]{3,8}$/.test(registration) ? registration : undefined;
};
