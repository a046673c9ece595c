import { addDays, type LocalDate, type Weekday, getWeekday } from './dates.ts';

/** A range of local dates, both ends included. */
export type DateSpan = { readonly from: LocalDate; readonly to: LocalDate };

/** Days of operation as a bit set: bit 0 is Monday, bit 6 is Sunday. */
export type DaySet = number & { readonly brand: 'DaySet' };

/** A period of operation: both ends included, on the given weekdays, every week or every other week counted from `from`. */
export type Period = {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly days: DaySet;
  readonly everyWeeks: 1 | 2;
};

export const toDaySet = (...days: readonly Weekday[]): DaySet =>
  days.reduce((set, day) => set | (1 << (day - 1)), 0) as DaySet;

export const EVERY_DAY = toDaySet(1, 2, 3, 4, 5, 6, 7);

/** Lists the weekdays of a set, Monday first. */
export const listWeekdays = (set: DaySet): readonly Weekday[] =>
  ([1, 2, 3, 4, 5, 6, 7] as const).filter((day) => set & (1 << (day - 1)));

/** Returns whether a flight of this period departs on a date (SSIM chapter 7, record 3, bytes 15-36). */
export const operatesOn = ({ from, to, days, everyWeeks }: Period, date: LocalDate): boolean =>
  date >= from &&
  date <= to &&
  (days & (1 << (getWeekday(date) - 1))) !== 0 &&
  (everyWeeks === 1 || Math.floor((date - from) / 7) % 2 === 0);

/** Iterates over the departure dates of a period, earliest first. */
export function* listDepartureDates(period: Period): Generator<LocalDate> {
  for (let date = period.from; date <= period.to; date = addDays(date, 1)) if (operatesOn(period, date)) yield date;
}

/** Patterns of operation repeat after two weeks. */
const PATTERN_DAYS = 14;

/** Finds the first date of operation between two dates, both included. */
export const findFirstDate = (
  period: Period,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): LocalDate | undefined => {
  const start = from > period.from ? from : period.from;
  const end = Math.min(to, period.to, start + PATTERN_DAYS - 1);
  for (let date = start; date <= end; date = addDays(date, 1)) if (operatesOn(period, date)) return date;
  return undefined;
};

/**
 * Clips a period to a date span; returns normalized periods. Usually one; two when a fortnightly pattern is cut within a week: the rest of that week,
 * and the following weeks counted from their own start.
 */
export const clipPeriod = (
  period: Period,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): readonly Period[] => {
  const first = findFirstDate(period, { from, to });
  if (first === undefined) return [];
  const end = to < period.to ? to : period.to;
  if (period.everyWeeks === 1) return [narrowPeriod({ ...period, from: first, to: end })];
  const weekStart = addDays(first, -((first - period.from) % PATTERN_DAYS));
  const fullWeek = { ...period, from: weekStart, to: addDays(weekStart, 6) };
  if (findFirstDate(fullWeek, fullWeek) === first) return [narrowPeriod({ ...period, from: first, to: end })];
  const weekEnd = fullWeek.to < end ? fullWeek.to : end;
  return [
    narrowPeriod({ ...period, from: first, to: weekEnd, everyWeeks: 1 }),
    ...clipPeriod(period, { from: addDays(weekStart, PATTERN_DAYS), to: end }),
  ];
};

/** Returns the days of operation moved by a number of days. */
export const shiftDays = (days: DaySet, by: number): DaySet => {
  const rotation = ((by % 7) + 7) % 7;
  return (((days << rotation) | (days >> (7 - rotation))) & 0b1111111) as DaySet;
};

/** Returns the period shifted by whole days: each date of operation moves by that number of days. */
export const shiftPeriod = (period: Period, by: number): Period =>
  by === 0
    ? period
    : { ...period, from: addDays(period.from, by), to: addDays(period.to, by), days: shiftDays(period.days, by) };

/** Returns whether two periods have a common date of operation. Patterns repeat after two weeks, so 14 dates suffice. */
export const haveCommonDate = (one: Period, other: Period): boolean => {
  const from = one.from > other.from ? one.from : other.from;
  const to = Math.min(one.to, other.to, from + 13);
  for (let date = from; date <= to; date = addDays(date, 1))
    if (operatesOn(one, date) && operatesOn(other, date)) return true;
  return false;
};

const findNearestDate = (period: Period, start: LocalDate, step: 1 | -1): LocalDate => {
  for (let distance = 0; distance < 14; distance += 1) {
    const date = addDays(start, distance * step);
    if (operatesOn(period, date)) return date;
  }
  return start;
};

/**
 * Normalizes a period so that equal dates of operation have equal periods: it starts and ends with a date of operation and contains no weekday that
 * never occurs. Every other week counts from the first date, which is therefore kept.
 */
export const narrowPeriod = (period: Period): Period => {
  const from = period.everyWeeks === 1 ? findNearestDate(period, period.from, 1) : period.from;
  const to = findNearestDate(period, period.to, -1);
  const occurring = listWeekdays(period.days).filter((day) => {
    const first = addDays(from, (day - getWeekday(from) + 7) % 7);
    return first <= to;
  });
  return { ...period, from, to, days: toDaySet(...occurring) };
};
