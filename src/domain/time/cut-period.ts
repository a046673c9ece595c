import { addDays, type LocalDate } from './dates.ts';
import { operatesOn, type Period } from './period.ts';
import { narrowPeriod } from './shift-period.ts';

/** A pattern of days repeats after two weeks at most. */
const PATTERN_DAYS = 14;

/** The first date of operation from `from` on and up to `to`, or undefined when there is none. */
export const firstDateOf = (
  period: Period,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): LocalDate | undefined => {
  const start = from > period.from ? from : period.from;
  const end = Math.min(to, period.to, start + PATTERN_DAYS - 1);
  for (let date = start; date <= end; date = addDays(date, 1)) if (operatesOn(period, date)) return date;
  return undefined;
};

/**
 * The same dates of operation from `from` to `to`, written as narrow periods. One as a rule; two where every other week is cut in the
 * middle of a week: the rest of that week, and the weeks after it counted from their own start.
 */
export const cutPeriod = (
  period: Period,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): readonly Period[] => {
  const first = firstDateOf(period, { from, to });
  if (first === undefined) return [];
  const end = to < period.to ? to : period.to;
  if (period.everyWeeks === 1) return [narrowPeriod({ ...period, from: first, to: end })];
  const weekStart = addDays(first, -((first - period.from) % PATTERN_DAYS));
  const fullWeek = { ...period, from: weekStart, to: addDays(weekStart, 6) };
  if (firstDateOf(fullWeek, fullWeek) === first) return [narrowPeriod({ ...period, from: first, to: end })];
  const weekEnd = fullWeek.to < end ? fullWeek.to : end;
  return [
    narrowPeriod({ ...period, from: first, to: weekEnd, everyWeeks: 1 }),
    ...cutPeriod(period, { from: addDays(weekStart, PATTERN_DAYS), to: end }),
  ];
};
