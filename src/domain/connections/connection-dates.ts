import type { LocalDate } from '../time/dates.ts';
import type { FoundConnection } from './found-connection.ts';
import type { ConnectionSet } from './connection-set.ts';
import type { MctRule } from './mct/mct-rules.ts';
import { datesOfMask } from './set/day-masks.ts';
import { datesOfRule, elapsedBetween, meetingDates, minutesBetween } from './set/meeting-dates.ts';

/** When a connection is offered, and what holds on its first date. */
export type ConnectionDates = {
  /** Local dates on which leg 1 departs, earliest first; never empty for a connection of the set. */
  readonly dates: readonly LocalDate[];
  readonly rule: MctRule;
  /** From the departure of leg 1 to the arrival of leg 2. */
  readonly elapsedMinutes: number;
};

/** The number of the rules of a pair of records in the set. */
const ruleSetOf = ({ columns, rules }: ConnectionSet, leg1: number, leg2: number): number => {
  const times = rules.between(columns.recordOff[leg1] ?? 0, columns.recordBoard[leg2] ?? 0);
  return times.ruleSet(times.arrivalClassOf(leg1), times.departureClassOf(leg2));
};

/** The dates of a connection that a walk has found; undefined when the set has no such connection. */
export const datesOf = (set: ConnectionSet, { place, dayOffset }: FoundConnection): ConnectionDates | undefined => {
  const { unitsOf } = set.reader;
  const { leg1, leg2, minutes } = place;
  const rules = (set.rules.ruleSets[ruleSetOf(set, leg1, leg2)]?.rules ?? []).filter(
    (rule) => !rule.suppressedBy && (rule.record?.line ?? 0) === place.rule && rule.minutes <= minutes,
  );
  const parts = unitsOf(leg1).flatMap((unit1) =>
    unitsOf(leg2).flatMap((unit2) =>
      minutesBetween(set, { unit1, unit2, dayOffset }) === minutes
        ? rules.map((rule) => ({
            rule,
            elapsedMinutes: elapsedBetween(set, { unit1, unit2, dayOffset }),
            mask: meetingDates(
              set,
              { unit1, unit2, dayOffset },
              datesOfRule(set, rule, leg1).map((word, index) => word & (set.allDates[index] ?? 0)),
            ),
          }))
        : [],
    ),
  );
  const told = parts
    .map((part) => ({ ...part, dates: datesOfMask(set.frame, part.mask) }))
    .filter(({ dates }) => dates.length > 0)
    .toSorted((one, other) => (one.dates[0] ?? 0) - (other.dates[0] ?? 0));
  const [first] = told;
  if (!first) return undefined;
  const dates = [...new Set(told.flatMap((part) => part.dates))].toSorted((one, other) => one - other);
  return { dates, rule: first.rule, elapsedMinutes: first.elapsedMinutes };
};

/**
 * Whether a connection that a walk has found takes so many minutes at most, from the departure of leg 1 to the arrival of leg 2, on its first
 * date. Which date that is has to be found out only where a clock changes from the one side of the limit to the other.
 */
export const takesAtMost = (set: ConnectionSet, found: FoundConnection, mostMinutes: number): boolean => {
  const { unitsOf } = set.reader;
  const { leg1, leg2, minutes } = found.place;
  const { dayOffset } = found;
  let isShort = false;
  let isLong = false;
  for (const unit1 of unitsOf(leg1))
    for (const unit2 of unitsOf(leg2)) {
      if (minutesBetween(set, { unit1, unit2, dayOffset }) !== minutes) continue;
      if (elapsedBetween(set, { unit1, unit2, dayOffset }) <= mostMinutes) isShort = true;
      else isLong = true;
    }
  if (!isShort || !isLong) return isShort;
  const told = datesOf(set, found);
  return told !== undefined && told.elapsedMinutes <= mostMinutes;
};
