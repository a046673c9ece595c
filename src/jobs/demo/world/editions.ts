import { addDays, localDate, weekdayOf, type LocalDate } from '../../../domain/time/dates.ts';
import { airportOf } from './airports.ts';
import type { ClockChanges } from './clock-changes.ts';
import type { FlightPlan } from './flight-plan.ts';
import { firstDeparture, minutesAfter, timeLegs } from './leg-times.ts';
import { inSeason, type DateRange } from './seasons.ts';

/** A Monday from which every other week is counted. */
const FORTNIGHTS_FROM = localDate('2020-01-06');

/**
 * Origin dates between two clock changes, the first and the last with a departure. `changes` grows with every change of the
 * clock at either end of any leg, counted from a fixed day: it numbers the editions of a flight the same way for ever.
 */
export type Edition = DateRange & { readonly changes: number };

const departsOn = (plan: FlightPlan, date: LocalDate): boolean =>
  (plan.days & (1 << (weekdayOf(date) - 1))) !== 0 &&
  (plan.everyWeeks === 1 || Math.floor((date - FORTNIGHTS_FROM) / 7) % 2 === 0);

/** Shortens a range to its first and last departure; nothing is left of one without any. */
const trim = (plan: FlightPlan, edition: Edition): readonly Edition[] => {
  let { from, to } = edition;
  while (from <= to && !departsOn(plan, from)) from = addDays(from, 1);
  while (from <= to && !departsOn(plan, to)) to = addDays(to, -1);
  return from <= to ? [{ ...edition, from, to }] : [];
};

/** Splits a range where the count of changes grows. It never falls from one day to the next, so equal ends mean no change between. */
const split = ({ from, to }: DateRange, changesBy: (date: LocalDate) => number): readonly Edition[] => {
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
export const editionsOf = (plan: FlightPlan, range: DateRange, clockChanges: ClockChanges): readonly Edition[] => {
  const ends = timeLegs(plan).flatMap(({ leg, leaves, arrives }) => [
    { zone: airportOf(leg.from).zone, minutes: leaves },
    { zone: airportOf(leg.to).zone, minutes: arrives },
  ]);
  const changesBy = (date: LocalDate): number => {
    const start = firstDeparture(plan, date);
    return ends.reduce((sum, { zone, minutes }) => sum + clockChanges(zone, minutesAfter(start, minutes)), 0);
  };
  return inSeason(range, plan.season).flatMap((part) =>
    split(part, changesBy).flatMap((edition) => trim(plan, edition)),
  );
};
