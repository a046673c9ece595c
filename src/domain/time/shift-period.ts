import { addDays, weekdayOf, type LocalDate } from './dates.ts';
import { daySet, operatesOn, weekdaysOf, type DaySet, type Period } from './period.ts';

/** The same period moved by whole days, either way: each date of operation moves by that many days. */
export const shiftPeriod = (period: Period, byDays: number): Period => {
  if (byDays === 0) return period;
  const turn = ((byDays % 7) + 7) % 7;
  const days = ((period.days << turn) | (period.days >> (7 - turn))) & 0b1111111;
  return { ...period, from: addDays(period.from, byDays), to: addDays(period.to, byDays), days: days as DaySet };
};

/** Whether two periods have a date of operation in common. Patterns repeat after two weeks at most, so no more dates are tried. */
export const shareADate = (one: Period, other: Period): boolean => {
  const from = one.from > other.from ? one.from : other.from;
  const to = Math.min(one.to, other.to, from + 13);
  for (let date = from; date <= to; date = addDays(date, 1))
    if (operatesOn(one, date) && operatesOn(other, date)) return true;
  return false;
};

const nearest = (period: Period, start: LocalDate, step: 1 | -1): LocalDate => {
  for (let tried = 0; tried < 14; tried += 1) {
    const date = addDays(start, tried * step);
    if (operatesOn(period, date)) return date;
  }
  return start;
};

/**
 * The same dates of operation written in the narrowest way, so that two periods of the same dates look alike: it begins and ends with a date
 * of operation and names no weekday that never comes. Every other week is counted from the first date, which therefore stays.
 */
export const narrowPeriod = (period: Period): Period => {
  const from = period.everyWeeks === 1 ? nearest(period, period.from, 1) : period.from;
  const to = nearest(period, period.to, -1);
  const occurring = weekdaysOf(period.days).filter((day) => {
    const first = addDays(from, (day - weekdayOf(from) + 7) % 7);
    return first <= to;
  });
  return { ...period, from, to, days: daySet(...occurring) };
};
