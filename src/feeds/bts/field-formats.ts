import type { Kind } from '../ssim/field-formats.ts';

/** Some files write whole numbers with a fraction of zeros. */
const wholeNumber = /^-?\d{1,6}(?:\.0*)?$/;

const whole = (reason: string, is: string, [least, most]: readonly [number, number]): Kind<number> => ({
  reason,
  is: `${is} (${least} to ${most})`,
  read: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  },
});

const matching = (reason: string, is: string, pattern: RegExp): Kind<string> => ({
  reason,
  is,
  read: (text) => (pattern.test(text) ? text : undefined),
});

const MINUTES_A_FORTNIGHT = 20_160;

export const year = whole('bad-date', 'a year', [1987, 2100]);
export const month = whole('bad-date', 'a month', [1, 12]);
export const dayOfMonth = whole('bad-date', 'a day of the month', [1, 31]);
export const flightNumber = whole('bad-flight-number', 'a flight number', [1, 9999]);

/** Minutes by which a flight was late, negative when it was early; flights have left days late. */
export const delay = whole('bad-delay', 'a delay in minutes', [-1440, MINUTES_A_FORTNIGHT]);
/** Minutes from one event to a later one. */
export const taxi = whole('bad-duration', 'a taxi time in minutes', [0, 1440]);
export const scheduledElapsed = whole('bad-duration', 'a scheduled time in minutes', [1, 1440]);
export const diversionElapsed = whole('bad-duration', 'an elapsed time in minutes', [1, MINUTES_A_FORTNIGHT]);

/** Minutes after midnight of hhmm, whose leading zeros may be left out; 1440 is 2400, the midnight that ends the day. */
export const clock: Kind<number> = {
  reason: 'bad-time',
  is: 'a time of day (0000 to 2400)',
  read: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    const minute = value % 100;
    return value >= 0 && value <= 2400 && minute <= 59 ? Math.floor(value / 100) * 60 + minute : undefined;
  },
};

export const flag: Kind<boolean> = {
  reason: 'bad-flag',
  is: '0 or 1',
  read: (text) => {
    const value = wholeNumber.test(text) ? Number(text) : Number.NaN;
    return value === 0 || value === 1 ? value === 1 : undefined;
  },
};

export const carrier = matching('bad-carrier', 'an airline designator', /^(?=.*[A-Z])[A-Z0-9]{2}$/);
export const station = matching('bad-station', 'an airport of three letters', /^[A-Z]{3}$/);

/** An aircraft's registration, upper case without hyphens; undefined when the cell holds none, or a filler such as `UNKNOW`. */
export const registrationOf = (text: string): string | undefined => {
  const mark = text.toUpperCase().replaceAll('-', '');
  return /^(?=.*\d)(?!0+$)[A-Z0-9]{3,8}$/.test(mark) ? mark : undefined;
};
