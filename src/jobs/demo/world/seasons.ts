import { addDays, dateOf, formatDate, weekdayOf, type LocalDate } from '../../../domain/time/dates.ts';
import type { Season } from './flight-plan.ts';

/** Dates from one to another, both included. */
export type DateRange = { readonly from: LocalDate; readonly to: LocalDate };

/** The last Sunday of a month of 31 days. */
const lastSunday = (year: number, month: number): LocalDate => {
  const last = dateOf(year, month, 31);
  if (last === undefined) throw new RangeError(`month ${month} has no day 31`);
  return addDays(last, -(weekdayOf(last) % 7));
};

/** Northern summer: from the last Sunday of March to the Saturday before the last Sunday of October. */
const isSummer = (date: LocalDate): boolean => {
  const year = Number(formatDate(date).slice(0, 4));
  return date >= lastSunday(year, 3) && date < lastSunday(year, 10);
};

/** The parts of a range of dates that lie in a season. */
export const inSeason = ({ from, to }: DateRange, season: Season): readonly DateRange[] => {
  if (season === 'all year') return [{ from, to }];
  const ranges: DateRange[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (isSummer(date) !== (season === 'summer')) continue;
    const last = ranges.at(-1);
    if (last && last.to === date - 1) ranges[ranges.length - 1] = { from: last.from, to: date };
    else ranges.push({ from: date, to: date });
  }
  return ranges;
};
