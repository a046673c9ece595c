import { addDays, type LocalDate } from '../../time/dates.ts';
import type { ScheduleLeg } from '../schedule.ts';
import { AmendmentError } from './amendment-error.ts';
import { listDates } from './date-sets.ts';
import { type FlightSchedule, formatContent, toAdHocKey, toModeDate, type Variation } from './flight-schedule.ts';
import {
  assertKnown,
  buildVariation,
  getFlight,
  isPatch,
  type MessageStep,
  nextVariationNumber,
  patchVariation,
  rejectDate,
  rejectPeriods,
  renameVariation,
  type ScheduleState,
  selectDates,
  toClock,
  withFlight,
} from './select-dates.ts';

/** Throws an AmendmentError when the flight has one of the dates already. */
const assertFree = (step: MessageStep, { base }: FlightSchedule, dates: readonly LocalDate[]): void => {
  const taken = selectDates(base, dates, step).selected[0]?.dates[0];
  if (taken !== undefined) rejectDate(step, taken, ['already-scheduled', 'The flight is scheduled on a date already.']);
};

/** The filed variations from UTC depend on the first date of a period and do not make it another routing. */
const withoutVariations = ({ legs, ...variation }: Variation): Variation => {
  const strip = (leg: ScheduleLeg): ScheduleLeg => ({
    ...leg,
    departure: { ...leg.departure, utcVariationMinutes: 0 },
    arrival: { ...leg.arrival, utcVariationMinutes: 0 },
  });
  const [first, ...rest] = legs;
  return { ...variation, legs: [strip(first), ...rest.map(strip)] };
};

/** Moves the dates of a routing to the new period. The days between two clocks must be the same on all dates. */
const movePeriod = (step: MessageStep, selected: readonly Variation[]): Variation => {
  const [first] = selected;
  if (!first || new Set(selected.map((each) => formatContent(withoutVariations(each)))).size > 1)
    return rejectPeriods(step, [
      'several-routings',
      'The flight has several routings in the period; REV does not identify the one to change.',
    ]);
  const shifts = new Set(first.dates.map((date) => date - toModeDate(first, date, toClock(step))));
  const [shift = 0] = shifts;
  if (shifts.size > 1)
    rejectPeriods(step, [
      'time-mode',
      'The message and the schedule have time modes whose dates differ in parts of the period.',
    ]);
  const dates = listDates(step.message.newPeriods).map((date) => addDays(date, shift));
  return { ...first, dates, source: undefined, amendmentId: step.amendmentId };
};

/** XASM: withdraws the ad hoc changes of the dates. */
const withoutAdHoc = (step: MessageStep, flight: FlightSchedule, dates: readonly LocalDate[]): FlightSchedule => {
  const days = new Set(dates);
  const keysOfBase = new Set(
    selectDates(flight.base, dates, step).selected.flatMap((variation) =>
      variation.dates.map((date) => toAdHocKey(variation, date, step.zoneOf)),
    ),
  );
  const isWithin = (variation: Variation): boolean =>
    variation.dates.some((date) => days.has(toModeDate(variation, date, toClock(step))));
  const isWithdrawn = (key: LocalDate, variations: readonly Variation[] = []): boolean =>
    variations.length === 0 ? keysOfBase.has(key) : variations.some(isWithin);
  const kept = [...flight.adHoc].filter(([key, { variations }]) => !isWithdrawn(key, variations));
  return { ...flight, adHoc: new Map(kept) };
};

const rename = (
  step: MessageStep,
  state: ScheduleState,
  { selected, dates }: { readonly selected: readonly Variation[]; readonly dates: readonly LocalDate[] },
): ScheduleState => {
  const { newFlight } = step.message;
  if (!newFlight) return state;
  const target = getFlight(state, newFlight);
  assertFree(step, target, dates);
  const number = nextVariationNumber(target);
  const moved = selected.map((each, index) => renameVariation(step, each, Math.min(999, number + index)));
  return withFlight(state, newFlight, { ...target, base: [...target.base, ...moved] });
};

/** Applies an SSM sub-message to the periods of its flight. Throws an AmendmentError when it does not fit them. */
export const changePeriods = (state: ScheduleState, step: MessageStep): ScheduleState => {
  const { action, withdrawsAdHoc, newPeriods, periods, flight: designator } = step.message;
  const dates = listDates(periods);
  const filed = getFlight(state, designator);
  const flight = withdrawsAdHoc ? withoutAdHoc(step, filed, dates) : filed;
  const update = (base: readonly Variation[]): ScheduleState => withFlight(state, designator, { ...flight, base });
  if (action === 'NEW') {
    assertFree(step, flight, dates);
    return update([...flight.base, buildVariation(step, { flight, dates })]);
  }
  const { selected, remaining, missing } = selectDates(flight.base, dates, step);
  if (action === 'SKD') return update(remaining);
  assertKnown(step, filed);
  if (missing[0] !== undefined)
    rejectDate(step, missing[0], ['outside-period', 'The flight is not scheduled on a date of the period.']);
  if (action === 'CNL') return update(remaining);
  if (isPatch(step)) return update([...remaining, ...selected.map((each) => patchVariation(step, each))]);
  if (action === 'RPL') return update([...remaining, buildVariation(step, { flight, dates })]);
  if (action === 'FLT') return rename(step, update(remaining), { selected, dates });
  if (action === 'REV') {
    assertFree(step, { ...flight, base: remaining }, listDates(newPeriods));
    return update([...remaining, movePeriod(step, selected)]);
  }
  throw new AmendmentError(`${action} has no meaning in an SSM.`, {
    reason: 'bad-action',
    field: 'action',
    value: action,
  });
};
