import type { DateSpan } from '../../../domain/schedule/departure-span.ts';
import { addDays, dateOf, formatDate, localDate, type LocalDate, weekdayOf } from '../../../domain/time/dates.ts';
import { getAirport } from './airports.ts';
import type { ClockChangeCounter } from './clock-changes.ts';
import { addUtcMinutes, computeLegTimes, toDepartureInstant } from './leg-times.ts';
import type { Season, TimetableFlight } from './timetable.ts';

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
const selectSeason = ({ from, to }: DateSpan, season: Season): readonly DateSpan[] => {
  if (season === 'all year') return [{ from, to }];
  const ranges: DateSpan[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (isSummer(date) !== (season === 'summer')) continue;
    const last = ranges.at(-1);
    if (last && last.to === date - 1) ranges[ranges.length - 1] = { from: last.from, to: date };
    else ranges.push({ from: date, to: date });
  }
  return ranges;
};

/** A Monday from which every other week is counted. */
const FORTNIGHTS_FROM = localDate('2020-01-06');

/**
 * Origin dates between two clock changes, the first and the last with a departure. `changes` grows with every change of the
 * clock at either end of any leg, counted from a fixed day: it numbers the editions of a flight the same way for ever.
 */
export type OffsetPeriod = DateSpan & { readonly changes: number };

const departsOn = (plan: TimetableFlight, date: LocalDate): boolean =>
  (plan.days & (1 << (weekdayOf(date) - 1))) !== 0 &&
  (plan.everyWeeks === 1 || Math.floor((date - FORTNIGHTS_FROM) / 7) % 2 === 0);

/** Shortens a range to its first and last departure; nothing is left of one without any. */
const trim = (plan: TimetableFlight, edition: OffsetPeriod): readonly OffsetPeriod[] => {
  let { from, to } = edition;
  while (from <= to && !departsOn(plan, from)) from = addDays(from, 1);
  while (from <= to && !departsOn(plan, to)) to = addDays(to, -1);
  return from <= to ? [{ ...edition, from, to }] : [];
};

/** Splits a range where the count of changes grows. It never falls from one day to the next, so equal ends mean no change between. */
const split = ({ from, to }: DateSpan, changesBy: (date: LocalDate) => number): readonly OffsetPeriod[] => {
  const changes = changesBy(from);
  if (changes === changesBy(to)) return [{ from, to, changes }];
  let [same, other] = [from, to];
  while (other - same > 1) {
    const middle = addDays(same, Math.floor((other - same) / 2));
    if (changesBy(middle) === changes) same = middle;
    else other = middle;
  }
  return [{ from, to: same, changes }, ...split({ from: other, to }, changesBy)];
};

/** The editions of a flight whose first departure falls within a range of dates. */
export const splitAtClockChanges = (
  plan: TimetableFlight,
  range: DateSpan,
  clockChanges: ClockChangeCounter,
): readonly OffsetPeriod[] => {
  const ends = computeLegTimes(plan).flatMap(({ leg, leaves, arrives }) => [
    { zone: getAirport(leg.from).zone, minutes: leaves },
    { zone: getAirport(leg.to).zone, minutes: arrives },
  ]);
  const changesBy = (date: LocalDate): number => {
    const start = toDepartureInstant(plan, date);
    return ends.reduce((sum, { zone, minutes }) => sum + clockChanges(zone, addUtcMinutes(start, minutes)), 0);
  };
  return selectSeason(range, plan.season).flatMap((part) =>
    split(part, changesBy).flatMap((edition) => trim(plan, edition)),
  );
};
