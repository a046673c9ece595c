/** A calendar date without a place: days since 1970-01-01, usable in integer arithmetic. */
export type LocalDate = number & { readonly brand: 'LocalDate' };

/** Minutes since 1970-01-01T00:00 on a local clock: a wall-clock time without its zone. */
export type LocalMinute = number & { readonly brand: 'LocalMinute' };

/** Minutes since 1970-01-01T00:00 UTC. */
export type UtcMinute = number & { readonly brand: 'UtcMinute' };

/** ISO weekday: 1 is Monday, 7 is Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** English weekday names. */
export const weekdayNames = {
  1: 'monday',
  2: 'tuesday',
  3: 'wednesday',
  4: 'thursday',
  5: 'friday',
  6: 'saturday',
  7: 'sunday',
} as const satisfies Record<Weekday, string>;

export const MINUTES_A_DAY = 1440;

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** Returns the date of a year (from 1), month (1..12) and day; undefined when it does not exist. */
export const toLocalDate = (year: number, month: number, day: number): LocalDate | undefined => {
  const longest = month === 2 && isLeap(year) ? 29 : daysInMonth[month - 1];
  if (longest === undefined || year < 1 || day < 1 || day > longest || !Number.isInteger(day)) return undefined;
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  return (new Date(0).setUTCFullYear(year, month - 1, day) / 86_400_000) as LocalDate;
};

/** Parses `YYYY-MM-DD`; undefined when the text has another form or is not a valid date. */
export const parseDate = (text: string): LocalDate | undefined => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match ? toLocalDate(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
};

/** Parses a trusted `YYYY-MM-DD` (tests, constants, database rows); throws when it is invalid. */
export const localDate = (text: string): LocalDate => {
  const date = parseDate(text);
  if (date === undefined) throw new RangeError(`invalid date: '${text}'`);
  return date;
};

/** Cache of formatted dates, for some eleven years: millions of dates are formatted, of which few differ. */
const dateTexts = new Map<number, string>();
const MAX_CACHED_TEXTS = 4096;

/** Formats a date as `YYYY-MM-DD`; years from 10000 on have more digits. */
export const formatDate = (date: LocalDate): string => {
  const cached = dateTexts.get(date);
  if (cached !== undefined) return cached;
  const text = new Date(date * 86_400_000).toISOString().slice(0, -14).replace(/^\+0*/, '');
  if (dateTexts.size >= MAX_CACHED_TEXTS) dateTexts.clear();
  dateTexts.set(date, text);
  return text;
};

export const getWeekday = (date: LocalDate): Weekday => (((((date + 3) % 7) + 7) % 7) + 1) as Weekday;

export const addDays = (date: LocalDate, days: number): LocalDate => (date + days) as LocalDate;

/** Returns the wall-clock minute of a date and a minute of the day (1440 is midnight at its end). */
export const buildLocalMinute = (date: LocalDate, minuteOfDay: number): LocalMinute =>
  (date * MINUTES_A_DAY + minuteOfDay) as LocalMinute;

/** Returns the date of a wall-clock or UTC minute. */
export const toDate = (minute: LocalMinute | UtcMinute): LocalDate => Math.floor(minute / MINUTES_A_DAY) as LocalDate;

/** Returns the minute of the day, 0..1439, of minutes since any midnight. */
export const toMinuteOfDay = (minute: number): number => ((minute % MINUTES_A_DAY) + MINUTES_A_DAY) % MINUTES_A_DAY;

const timeTexts = Array.from(
  { length: MINUTES_A_DAY },
  (_, minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
);

/** Formats a minute of the day, 0..1439, as `HH:mm`. */
export const formatTime = (minute: number): string => timeTexts[minute] ?? '';

/** Formats a minute as `YYYY-MM-DD HH:mm`, the stored form of wall-clock times. */
export const formatMinute = (minute: LocalMinute | UtcMinute): string =>
  `${formatDate(toDate(minute))} ${formatTime(toMinuteOfDay(minute))}`;

/** Returns the UTC date of an instant, the default `today` of the service. */
export const toUtcDate = (instant: Date): LocalDate => Math.floor(instant.getTime() / 86_400_000) as LocalDate;

/** Returns the UTC minute that contains an instant. */
export const toUtcMinute = (instant: Date): UtcMinute => Math.floor(instant.getTime() / 60_000) as UtcMinute;
