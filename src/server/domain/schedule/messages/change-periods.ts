import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { Period } from '#domain/time/period.ts';
import type { ScheduleLeg } from '../schedule.ts';
import { AmendmentError } from './amendment-error.ts';
import type { AmendmentNotice } from './change-date.ts';
import { listDates } from './date-sets.ts';
import { type FlightSchedule, formatContent, toAdHocKey, toModeDate, type Variation } from './flight-schedule.ts';
import {
  assertKnown,
  buildVariation,
  type DateSelection,
  formatFlight,
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
import type { MessagePeriod } from './schedule-message.ts';

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

/** Gives open periods their end. */
const closePeriods = (periods: readonly MessagePeriod[], end: LocalDate): readonly Period[] =>
  periods.map((period) => (period.isOpen ? { ...period, to: end } : period));

/** Lists the dates of the new periods of REV; an open one ends with the filed schedule of the carrier. Throws an AmendmentError. */
const listRevisedDates = (step: MessageStep): readonly LocalDate[] => {
  const { newPeriods, flight } = step.message;
  if (!newPeriods.some(({ isOpen }) => isOpen)) return listDates(newPeriods);
  const end = step.seasonEndOf(flight.carrier);
  if (end === undefined)
    return rejectPeriods(step, ['open-period', 'The period has no end, and no schedule of the carrier is filed.']);
  return listDates(closePeriods(newPeriods, end));
};

/** Moves the dates of a routing to the new period. The days between two clocks must be the same on all dates. */
const movePeriod = (step: MessageStep, selected: readonly Variation[], revised: readonly LocalDate[]): Variation => {
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
  const dates = revised.map((date) => addDays(date, shift));
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

/** An open period ends with the filed schedule of the carrier, or, when the flight exists, with its last date. */
const listStatedDates = (step: MessageStep, { base }: FlightSchedule): readonly LocalDate[] => {
  const { message, seasonEndOf } = step;
  if (!message.periods.some(({ isOpen }) => isOpen)) return listDates(message.periods);
  const lastDates = base.flatMap(({ dates }) => dates.at(-1) ?? []);
  const seasonEnd = message.action === 'NEW' ? seasonEndOf(message.flight.carrier) : undefined;
  // The clock of the message can be a day ahead of that of the schedule.
  const end = seasonEnd ?? (lastDates.length > 0 ? addDays(Math.max(...lastDates) as LocalDate, 1) : undefined);
  if (end === undefined)
    return message.action === 'SKD'
      ? []
      : rejectPeriods(step, ['open-period', 'The period has no end, and no schedule of the carrier is filed.']);
  return listDates(closePeriods(message.periods, end));
};

/** Returns a notice when a message states dates that are not scheduled: it applies to the others. */
const findPartlyScheduled = (
  { message: { periods, flight, line } }: MessageStep,
  { missing }: DateSelection,
): readonly AmendmentNotice[] => {
  const isOpen = periods.some((period) => period.isOpen);
  const [first] = missing;
  if (first === undefined || isOpen) return [];
  return [
    {
      line,
      reason: 'partly-scheduled',
      field: 'period',
      value: `${formatFlight(flight)} ${formatDate(first)}`,
      message: `The flight is not scheduled on ${missing.length} dates of the period; the change applies to the others.`,
    },
  ];
};

type PeriodChange = { readonly state: ScheduleState; readonly notices: readonly AmendmentNotice[] };

/** Applies an SSM sub-message to the periods of its flight. Throws an AmendmentError when it does not fit them. */
export const changePeriods = (state: ScheduleState, step: MessageStep): PeriodChange => {
  const { action, withdrawsAdHoc, flight: designator } = step.message;
  const filed = getFlight(state, designator);
  const dates = listStatedDates(step, filed);
  const flight = withdrawsAdHoc ? withoutAdHoc(step, filed, dates) : filed;
  const update = (base: readonly Variation[]): ScheduleState => withFlight(state, designator, { ...flight, base });
  if (action === 'NEW') {
    assertFree(step, flight, dates);
    return { state: update([...flight.base, buildVariation(step, { flight, dates })]), notices: [] };
  }
  const selection = selectDates(flight.base, dates, step);
  const { selected, remaining, missing } = selection;
  if (action === 'SKD') return { state: update(remaining), notices: [] };
  assertKnown(step, filed);
  const notices = findPartlyScheduled(step, selection);
  const isAdHocAlone = action === 'CNL' && flight.adHoc.size < filed.adHoc.size;
  if (selected.length === 0 && !isAdHocAlone)
    return rejectDate(step, missing[0] ?? step.message.periods[0]?.from ?? (0 as LocalDate), [
      'outside-period',
      'The flight is not scheduled on any date of the period.',
    ]);
  if (action === 'CNL') return { state: update(remaining), notices };
  if (isPatch(step))
    return { state: update([...remaining, ...selected.map((each) => patchVariation(step, each))]), notices };
  const missed = new Set(missing);
  const existing = dates.filter((date) => !missed.has(date));
  if (action === 'RPL')
    return { state: update([...remaining, buildVariation(step, { flight, dates: existing })]), notices };
  if (action === 'FLT') return { state: rename(step, update(remaining), { selected, dates: existing }), notices };
  if (action === 'REV') {
    const after = listRevisedDates(step);
    assertFree(step, { ...flight, base: remaining }, after);
    return { state: update([...remaining, movePeriod(step, selected, after)]), notices };
  }
  throw new AmendmentError(`${action} has no meaning in an SSM.`, {
    reason: 'bad-action',
    field: 'action',
    value: action,
  });
};
