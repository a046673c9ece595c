import { addDays, type LocalDate, MINUTES_A_DAY } from '#domain/time/dates.ts';
import type { MctRule } from '../mct/mct-rules.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import { listMaskDates, readShiftedWord, buildSpanMask } from '../set/day-masks.ts';

/** The position of a connection in every listing of its set, in numbers of the set. */
export type ConnectionPosition = {
  readonly leg1: number;
  readonly minutes: number;
  readonly leg2: number;
  /** Line of the MCT record that sets the minimum connecting time; 0 for a default. */
  readonly rule: number;
};

/** A connection that a search found. */
export type ConnectionMatch = {
  readonly position: ConnectionPosition;
  /** Days from the local date on which leg 1 departs to that on which leg 2 departs. */
  readonly dayOffset: number;
};

/** Computes the days from the local departure date of a record to its local arrival date. */
const computeArrivalDays = ({ columns }: ConnectionSet, record: number): number =>
  Math.floor((columns.recordArrival[record] ?? 0) / MINUTES_A_DAY);

/** Builds the mask of the dates of leg 1 on which an MCT rule holds; rules depend on the date of arrival. */
export const buildRuleMask = (set: ConnectionSet, rule: MctRule, leg1: number): Uint32Array => {
  const days = computeArrivalDays(set, leg1);
  const { from, to } = rule;
  const last = addDays(set.from, set.days);
  return buildSpanMask(set.frame, {
    from: from === undefined ? set.from : addDays(from, -days),
    to: to === undefined ? last : addDays(to, -days),
  });
};

/** Two units, and the days from the local departure date of leg 1 to that of leg 2. */
type UnitPair = { readonly unit1: number; readonly unit2: number; readonly dayOffset: number };

/** The dates of `within` on which both units of a pair operate. */
const buildMeetingMask = (
  set: ConnectionSet,
  { unit1, unit2, dayOffset }: UnitPair,
  within: Uint32Array,
): Uint32Array => {
  const { masks, unitMask } = set.columns;
  const { words } = set.frame;
  const [own, other] = [
    (unitMask[unit1] ?? 0) * words,
    { start: (unitMask[unit2] ?? 0) * words, words, days: dayOffset },
  ];
  return within.map((word, index) => word & (masks[own + index] ?? 0) & readShiftedWord(masks, other, index));
};

/** Minutes from the arrival of leg 1 to the departure of leg 2. */
const computeConnectingMinutes = ({ columns }: ConnectionSet, { unit1, unit2, dayOffset }: UnitPair): number =>
  dayOffset * MINUTES_A_DAY + (columns.unitDeparture[unit2] ?? 0) - (columns.unitArrival[unit1] ?? 0);

/** Computes the minutes from the departure of leg 1 to the arrival of leg 2. */
export const computeElapsedMinutes = ({ columns }: ConnectionSet, { unit1, unit2, dayOffset }: UnitPair): number =>
  dayOffset * MINUTES_A_DAY + (columns.unitArrival[unit2] ?? 0) - (columns.unitDeparture[unit1] ?? 0);

/** The dates of a connection, and what holds on the first of them. */
export type ConnectionDates = {
  /** Local dates on which leg 1 departs, earliest first; never empty for a connection of the set. */
  readonly dates: readonly LocalDate[];
  readonly rule: MctRule;
  /** From the departure of leg 1 to the arrival of leg 2. */
  readonly elapsedMinutes: number;
};

/** The number of the rule set of a pair of records. */
const findRuleSetNumber = ({ columns, rules }: ConnectionSet, leg1: number, leg2: number): number => {
  const times = rules.getTimes(columns.recordOff[leg1] ?? 0, columns.recordBoard[leg2] ?? 0);
  return times.getRuleSet(times.getArrivalClass(leg1), times.getDepartureClass(leg2));
};

/** Finds the dates of a connection; undefined when the set has no such connection. */
export const findConnectionDates = (
  set: ConnectionSet,
  { position, dayOffset }: ConnectionMatch,
): ConnectionDates | undefined => {
  const { unitsOf } = set.reader;
  const { leg1, leg2, minutes } = position;
  const rules = (set.rules.ruleSets[findRuleSetNumber(set, leg1, leg2)]?.rules ?? []).filter(
    (rule) => !rule.suppressedBy && (rule.record?.line ?? 0) === position.rule && rule.minutes <= minutes,
  );
  const parts = unitsOf(leg1).flatMap((unit1) =>
    unitsOf(leg2).flatMap((unit2) =>
      computeConnectingMinutes(set, { unit1, unit2, dayOffset }) === minutes
        ? rules.map((rule) => ({
            rule,
            elapsedMinutes: computeElapsedMinutes(set, { unit1, unit2, dayOffset }),
            mask: buildMeetingMask(
              set,
              { unit1, unit2, dayOffset },
              buildRuleMask(set, rule, leg1).map((word, index) => word & (set.allDates[index] ?? 0)),
            ),
          }))
        : [],
    ),
  );
  const dated = parts
    .map((part) => ({ ...part, dates: listMaskDates(set.frame, part.mask) }))
    .filter(({ dates }) => dates.length > 0)
    .toSorted((one, other) => (one.dates[0] ?? 0) - (other.dates[0] ?? 0));
  const [first] = dated;
  if (!first) return undefined;
  const dates = [...new Set(dated.flatMap((part) => part.dates))].toSorted((one, other) => one - other);
  return { dates, rule: first.rule, elapsedMinutes: first.elapsedMinutes };
};

/**
 * Finds the minutes from the departure of leg 1 to the arrival of leg 2 on the first date of a connection. The date matters only when a clock change
 * makes a flight longer or shorter by the clock of one end.
 */
export const findElapsedMinutes = (set: ConnectionSet, match: ConnectionMatch): number => {
  const { recordUnits, unitsOfRecord } = set.columns;
  const { leg1, leg2, minutes } = match.position;
  const { dayOffset } = match;
  let elapsed: number | undefined;
  for (let one = recordUnits[leg1] ?? 0; one < (recordUnits[leg1 + 1] ?? 0); one += 1)
    for (let other = recordUnits[leg2] ?? 0; other < (recordUnits[leg2 + 1] ?? 0); other += 1) {
      const units = { unit1: unitsOfRecord[one] ?? 0, unit2: unitsOfRecord[other] ?? 0, dayOffset };
      if (computeConnectingMinutes(set, units) !== minutes) continue;
      const ofUnits = computeElapsedMinutes(set, units);
      elapsed ??= ofUnits;
      if (ofUnits !== elapsed) return findConnectionDates(set, match)?.elapsedMinutes ?? elapsed;
    }
  return elapsed ?? 0;
};
