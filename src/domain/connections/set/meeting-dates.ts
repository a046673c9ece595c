import { addDays, MINUTES_A_DAY } from '../../time/dates.ts';
import type { MctRule } from '../mct/mct-rules.ts';
import type { ConnectionSet } from '../connection-set.ts';
import { laterWord, maskOfSpan } from './day-masks.ts';

/** Days from the local date on which a record departs to that on which it arrives. */
export const arrivalDays = ({ columns }: ConnectionSet, record: number): number =>
  Math.floor((columns.recordArrival[record] ?? 0) / MINUTES_A_DAY);

/** The dates of leg 1 on which a rule of minimum connecting times holds, which goes by the date of arrival. */
export const datesOfRule = (set: ConnectionSet, rule: MctRule, leg1: number): Uint32Array => {
  const days = arrivalDays(set, leg1);
  const { from, to } = rule;
  const last = addDays(set.from, set.days);
  return maskOfSpan(set.frame, {
    from: from === undefined ? set.from : addDays(from, -days),
    to: to === undefined ? last : addDays(to, -days),
  });
};

/** Two units, and the local dates by which leg 2 departs after leg 1. */
type UnitPair = { readonly unit1: number; readonly unit2: number; readonly dayOffset: number };

/** The dates of `within` on which both units of a pair operate, leg 2 so many days later than leg 1. */
export const meetingDates = (
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
  return within.map((word, index) => word & (masks[own + index] ?? 0) & laterWord(masks, other, index));
};

/** Minutes from the arrival of one unit to the departure of another that leaves so many local dates after the first departs. */
export const minutesBetween = ({ columns }: ConnectionSet, { unit1, unit2, dayOffset }: UnitPair): number =>
  dayOffset * MINUTES_A_DAY + (columns.unitDeparture[unit2] ?? 0) - (columns.unitArrival[unit1] ?? 0);

/** Minutes from the departure of one unit to the arrival of another that leaves so many local dates after the first departs. */
export const elapsedBetween = ({ columns }: ConnectionSet, { unit1, unit2, dayOffset }: UnitPair): number =>
  dayOffset * MINUTES_A_DAY + (columns.unitArrival[unit2] ?? 0) - (columns.unitDeparture[unit1] ?? 0);
