import { addDays } from './dates.ts';
import { operatesOn, type DaySet, type Period } from './period.ts';

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
