import type { LocalDate } from '../../time/dates.ts';
import type { ScheduleLeg } from '../schedule.ts';
import { AmendmentError } from './amendment-error.ts';
import { listDates } from './date-sets.ts';
import {
  type AdHocChange,
  type DatedVariation,
  type FlightSchedule,
  listFlightsOn,
  toAdHocKey,
  type Variation,
} from './flight-schedule.ts';
import {
  assertKnown,
  buildVariation,
  getFlight,
  isPatch,
  type MessageStep,
  nextVariationNumber,
  patchVariation,
  rejectDate,
  renameVariation,
  type ScheduleState,
  toClock,
  withFlight,
} from './select-dates.ts';

/** A flight date whose cancellation a message sets or withdraws. */
export type CancellationChange = {
  readonly cancelled: boolean;
  readonly originDate: LocalDate;
  readonly legs: readonly Pick<ScheduleLeg, 'carrier' | 'flightNumber' | 'suffix' | 'departure' | 'arrival'>[];
};

export type AppliedMessage = {
  readonly state: ScheduleState;
  readonly cancellations: readonly CancellationChange[];
};

/** The flights of the date, and the ad hoc change that is in force. */
type DateContext = {
  readonly step: MessageStep;
  readonly day: LocalDate;
  readonly flight: FlightSchedule;
  readonly flights: readonly DatedVariation[];
  readonly key: LocalDate;
  readonly previous: AdHocChange | undefined;
};

const setAdHoc = (flight: FlightSchedule, key: LocalDate, change: AdHocChange | undefined): FlightSchedule => {
  const adHoc = new Map(flight.adHoc);
  if (change) adHoc.set(key, change);
  else adHoc.delete(key);
  return { ...flight, adHoc };
};

const isCancelled = ({ previous }: DateContext): boolean => previous?.cancelled === true;

/** Returns the change of a date; undefined withdraws all of it. */
const computeChange = (context: DateContext): AdHocChange | undefined => {
  const { step, day, flight, flights, previous } = context;
  const { amendmentId, message } = step;
  const { action, reasons } = message;
  const [first] = flights;
  const change = (variations: AdHocChange['variations'], cancelled: boolean): AdHocChange => ({
    variations,
    cancelled,
    amendmentId,
  });
  if (action === 'NEW') {
    if (first && !isCancelled(context))
      rejectDate(step, day, ['already-scheduled', 'The flight is scheduled on the date already.']);
    return change([buildVariation(step, { flight, dates: [day] })], false);
  }
  assertKnown(step, flight);
  if (!first) return rejectDate(step, day, ['outside-period', 'The flight is not scheduled on the date.']);
  if (action === 'CNL') return change(previous?.variations, true);
  if (action === 'RIN') {
    const withdraws = reasons.includes('RTNS');
    if (!isCancelled(context) && !(withdraws && previous))
      rejectDate(step, day, ['not-cancelled', 'The flight is not cancelled on the date.']);
    return withdraws || previous?.variations === undefined ? undefined : change(previous.variations, false);
  }
  if (action === 'RPL' || action === 'RRT') {
    const template = action === 'RRT' ? first.variation.legs[0] : undefined;
    return change([buildVariation(step, { flight, dates: [day], template })], false);
  }
  if (isPatch(step))
    return change(
      listSingles(flights).map((each) => patchVariation(step, each)),
      isCancelled(context),
    );
  throw new AmendmentError(`${action} has no meaning in an ASM.`, {
    reason: 'bad-action',
    field: 'action',
    value: action,
  });
};

/** Returns the flights of one date by themselves. */
const listSingles = (flights: readonly DatedVariation[]): readonly Variation[] =>
  flights.map(({ variation, date }) => ({ ...variation, dates: [date], source: undefined }));

/** Moves the flights of a date to another designator. */
const rename = (state: ScheduleState, context: DateContext): ScheduleState => {
  const { step, day, flight, flights, key } = context;
  const { amendmentId, message } = step;
  const { newFlight } = message;
  assertKnown(step, flight);
  if (!newFlight || flights.length === 0)
    return rejectDate(step, day, ['outside-period', 'The flight is not scheduled on the date.']);
  const target = getFlight(state, newFlight);
  if (listFlightsOn(target, day, toClock(step)).length > 0)
    rejectDate(step, day, ['already-scheduled', 'The new designator is scheduled on the date already.']);
  const number = nextVariationNumber(target);
  const variations = listSingles(flights).map((each) => renameVariation(step, each, number));
  const moved = setAdHoc(flight, key, { variations: [], cancelled: false, amendmentId });
  const change = { variations, cancelled: isCancelled(context), amendmentId };
  return withFlight(withFlight(state, message.flight, moved), newFlight, setAdHoc(target, key, change));
};

/** Applies an ASM sub-message to one flight date. Throws an AmendmentError when it does not fit the schedule. */
export const changeDate = (state: ScheduleState, step: MessageStep): AppliedMessage => {
  const { message, zoneOf } = step;
  const [day] = listDates(message.periods);
  if (day === undefined) throw new Error('an ASM has a date');
  const flight = getFlight(state, message.flight);
  const flights = listFlightsOn(flight, day, toClock(step));
  const knownKey = flights[0]?.key;
  if (flights.some(({ key }) => key !== knownKey))
    rejectDate(step, day, ['several-flights', 'The flight leaves twice on the date, on two local dates.']);
  const previous = flight.adHoc.get(knownKey ?? day);
  const context = { step, day, flight, flights, key: knownKey ?? day, previous };
  if (message.action === 'FLT') return { state: rename(state, context), cancellations: [] };
  const change = computeChange(context);
  const [added] = change?.variations ?? [];
  const key = knownKey ?? (added ? toAdHocKey(added, day, zoneOf) : day);
  const next = setAdHoc(flight, key, change);
  const cancelled = change?.cancelled === true;
  const isNews = cancelled !== (previous?.cancelled === true) || message.action === 'CNL';
  return {
    state: withFlight(state, message.flight, next),
    cancellations: isNews
      ? listFlightsOn(next, day, toClock(step)).map(({ variation, key: originDate }) => ({
          cancelled,
          originDate,
          legs: variation.legs,
        }))
      : [],
  };
};
