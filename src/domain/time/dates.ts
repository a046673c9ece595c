/** A calendar date without a place: whole days since 1970-01-01. Arithmetic on it is plain integer arithmetic. */
export type LocalDate = number & { readonly brand: 'LocalDate' };

/** Minutes since 1970-01-01T00:00 on the clock of some place: a wall-clock time without its zone. */
export type LocalMinute = number & { readonly brand: 'LocalMinute' };

/** Minutes since 1970-01-01T00:00 UTC. */
export type UtcMinute = number & { readonly brand: 'UtcMinute' };

/** ISO weekday: 1 is Monday, 7 is Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** The days of the week as they are written out. */
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

/** The date of a year (from 1 on), month (1..12) and day, or undefined when the calendar has no such day. */
export const toLocalDate = (year: number, month: number, day: number): LocalDate | undefined => {
  const longest = month === 2 && isLeap(year) ? 29 : daysInMonth[month - 1];
  if (longest === undefined || year < 1 || day < 1 || day > longest || !Number.isInteger(day)) return undefined;
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  return (new Date(0).setUTCFullYear(year, month - 1, day) / 86_400_000) as LocalDate;
};

/** Reads `YYYY-MM-DD`; undefined when the text has another shape or names no real day. */
export const parseDate = (text: string): LocalDate | undefined => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match ? toLocalDate(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
};

/** Reads `YYYY-MM-DD` that is known to be right (tests, constants, database rows); throws when it is not. */
export const localDate = (text: string): LocalDate => {
  const date = parseDate(text);
  if (date === undefined) throw new RangeError(`not a date: '${text}'`);
  return date;
};

/** Dates are written by the million and are few: a text once made is kept, for some eleven years of them. */
const dateTexts = new Map<number, string>();
const MOST_TEXTS = 4096;

/** `YYYY-MM-DD`; the year has more digits from 10000 on. */
export const formatDate = (date: LocalDate): string => {
  const known = dateTexts.get(date);
  if (known !== undefined) return known;
  const text = new Date(date * 86_400_000).toISOString().slice(0, -14).replace(/^\+0*/, '');
  if (dateTexts.size >= MOST_TEXTS) dateTexts.clear();
  dateTexts.set(date, text);
  return text;
};

export const getWeekday = (date: LocalDate): Weekday => (((((date + 3) % 7) + 7) % 7) + 1) as Weekday;

export const addDays = (date: LocalDate, days: number): LocalDate => (date + days) as LocalDate;

/** The wall-clock minute of a date and a time of day in minutes (1440 is midnight at its end). */
export const buildLocalMinute = (date: LocalDate, minuteOfDay: number): LocalMinute =>
  (date * MINUTES_A_DAY + minuteOfDay) as LocalMinute;

/** The date a wall-clock or UTC minute falls on. */
export const toDate = (minute: LocalMinute | UtcMinute): LocalDate => Math.floor(minute / MINUTES_A_DAY) as LocalDate;

/** The minute of the day, 0..1439, of minutes since any midnight. */
export const toMinuteOfDay = (minute: number): number => ((minute % MINUTES_A_DAY) + MINUTES_A_DAY) % MINUTES_A_DAY;

const timeTexts = Array.from(
  { length: MINUTES_A_DAY },
  (_, minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
);

/** `HH:mm` of a minute of the day, 0..1439. */
export const formatTime = (minute: number): string => timeTexts[minute] ?? '';

/** `YYYY-MM-DD HH:mm`, the form in which the store keeps wall-clock times. */
export const formatMinute = (minute: LocalMinute | UtcMinute): string =>
  `${formatDate(toDate(minute))} ${formatTime(toMinuteOfDay(minute))}`;

/** The UTC date of an instant, the service's `today` when nothing else is asked for. */
export const toUtcDate = (instant: Date): LocalDate => Math.floor(instant.getTime() / 86_400_000) as LocalDate;

/** The UTC minute an instant falls into. */
export const toUtcMinute = (instant: Date): UtcMinute => Math.floor(instant.getTime() / 60_000) as UtcMinute;
