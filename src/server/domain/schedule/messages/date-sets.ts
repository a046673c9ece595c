import { getWeekday, type LocalDate } from '#domain/time/dates.ts';
import { listDepartureDates, narrowPeriod, type Period, toDaySet } from '#domain/time/period.ts';

const compareDates = (a: LocalDate, b: LocalDate): number => a - b;

/** Lists the dates of operation of periods, ascending, each once. */
export const listDates = (periods: readonly Period[]): readonly LocalDate[] =>
  [...new Set(periods.flatMap((period) => [...listDepartureDates(period)]))].toSorted(compareDates);

/** Returns the longest period from the first date that has no other dates than these, in their order, and the number of its dates. */
const takePeriod = (
  dates: readonly LocalDate[],
  everyWeeks: Period['everyWeeks'],
): readonly [Period, number] | undefined => {
  const [from] = dates;
  if (from === undefined) return undefined;
  const firstWeek = dates.filter((date) => date < from + 7);
  const step = 7 * everyWeeks;
  let count = firstWeek.length;
  for (; count < dates.length; count += 1) {
    const previous = dates[count - firstWeek.length] ?? from;
    if (dates[count] !== previous + step) break;
  }
  const period = { from, to: dates[count - 1] ?? from, days: toDaySet(...firstWeek.map(getWeekday)), everyWeeks };
  return [period, count];
};

/** Builds normalized periods that have exactly these dates of operation, which must be ascending; none overlaps another. */
export const toPeriods = (dates: readonly LocalDate[]): readonly Period[] => {
  const periods: Period[] = [];
  let rest = dates;
  for (;;) {
    const [weekly, fortnightly] = [takePeriod(rest, 1), takePeriod(rest, 2)];
    if (!weekly || !fortnightly) return periods;
    // Two dates of a fortnight can as well be a week that was left out.
    const isFortnightly =
      fortnightly[1] > weekly[1] && (fortnightly[1] > 2 * weekly[1] || fortnightly[1] === rest.length);
    const [period, count] = isFortnightly ? fortnightly : weekly;
    periods.push(narrowPeriod(period));
    rest = rest.slice(count);
  }
};
