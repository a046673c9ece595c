import type { LocalDate } from '#domain/time/dates.ts';
import type { ScheduleLeg } from '../schedule.ts';
import { AmendmentError } from './amendment-error.ts';
import { type DateCancellation, isLegCancelled, toLegKey } from './cancellations.ts';
import { assertLegsExist, isInScope } from './change-legs.ts';
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
  rerouteVariation,
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

/** A remark on a message that was applied. */
export type AmendmentNotice = {
  /** Line of the sub-message. */
  readonly line: number;
  readonly reason: string;
  readonly field: string;
  readonly value: string;
  readonly message: string;
};

export type AppliedMessage = {
  readonly state: ScheduleState;
  readonly cancellations: readonly CancellationChange[];
  readonly notices: readonly AmendmentNotice[];
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

/** Returns whether one of the legs that a message names is cancelled. */
const isCancelled = ({ previous, flights }: DateContext, legChange: readonly string[] = []): boolean =>
  previous?.cancelled === true &&
  (previous.cancelledLegs === undefined ||
    flights.some(({ variation }) =>
      variation.legs.some((leg) => isInScope(legChange, leg) && previous.cancelledLegs?.includes(toLegKey(leg))),
    ));
const isWhollyCancelled = ({ previous }: DateContext): boolean =>
  previous?.cancelled === true && previous.cancelledLegs === undefined;

const noCancellation: DateCancellation = { cancelled: false };

/** Returns which legs are cancelled after CNL or RIN of the legs that the message names. */
const computeCancellation = ({ step, flights, previous }: DateContext, sets: boolean): DateCancellation => {
  const { legChange = [] } = step.message;
  const legs = flights.flatMap(({ variation }) => variation.legs);
  assertLegsExist(legChange, legs);
  const before = previous?.cancelledLegs ?? (previous?.cancelled ? legs.map(toLegKey) : []);
  const after = legs.filter((leg) => (isInScope(legChange, leg) ? sets : before.includes(toLegKey(leg)))).map(toLegKey);
  if (after.length === 0) return noCancellation;
  return { cancelled: true, ...(after.length < legs.length && { cancelledLegs: after }) };
};

const keepCancellation = ({ previous }: DateContext): DateCancellation => ({
  cancelled: previous?.cancelled === true,
  ...(previous?.cancelledLegs && { cancelledLegs: previous.cancelledLegs }),
});

/** Returns the change of a date; undefined withdraws all of it. */
const computeChange = (context: DateContext): AdHocChange | undefined => {
  const { step, day, flight, flights, previous } = context;
  const { amendmentId, message } = step;
  const { action, reasons, legChange } = message;
  const [first] = flights;
  const change = (variations: AdHocChange['variations'], cancellation = noCancellation): AdHocChange => ({
    variations,
    ...cancellation,
    amendmentId,
  });
  if (action === 'NEW') {
    if (first && !isWhollyCancelled(context))
      rejectDate(step, day, ['already-scheduled', 'The flight is scheduled on the date already.']);
    return change([buildVariation(step, { flight, dates: [day] })]);
  }
  assertKnown(step, flight);
  if (!first) return rejectDate(step, day, ['outside-period', 'The flight is not scheduled on the date.']);
  if (action === 'CNL') return change(previous?.variations, computeCancellation(context, true));
  if (action === 'RIN') {
    const withdraws = reasons.includes('RTNS');
    if (!isCancelled(context, legChange) && !(withdraws && previous))
      rejectDate(step, day, ['not-cancelled', 'The flight is not cancelled on the date.']);
    const rest = withdraws ? noCancellation : computeCancellation(context, false);
    const isWithdrawn = withdraws || (previous?.variations === undefined && !rest.cancelled);
    return isWithdrawn ? undefined : change(previous?.variations, rest);
  }
  if (action === 'RRT' && legChange) return change(listSingles(flights).map((each) => rerouteVariation(step, each)));
  if (action === 'RPL' || action === 'RRT') {
    const template = action === 'RRT' ? first.variation.legs[0] : undefined;
    return change([buildVariation(step, { flight, dates: [day], template })]);
  }
  if (isPatch(step))
    return change(
      listSingles(flights).map((each) => patchVariation(step, each)),
      keepCancellation(context),
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

/** Splits flights at the legs that a leg change identifier names; the legs of each part follow each other. Throws an AmendmentError. */
const splitLegs = (
  { step, day }: DateContext,
  singles: readonly Variation[],
): { readonly named: readonly Variation[]; readonly others: readonly Variation[] } => {
  const { legChange = [] } = step.message;
  assertLegsExist(
    legChange,
    singles.flatMap(({ legs }) => legs),
  );
  const select = (isNamed: boolean): readonly Variation[] =>
    singles.flatMap((variation) => {
      const [first, ...rest] = variation.legs.filter((leg) => isInScope(legChange, leg) === isNamed);
      if (!first) return [];
      const legs = [first, ...rest].map((leg, index) => ({ ...leg, sequence: index + 1 }));
      if (legs.some((leg, index) => index > 0 && legs[index - 1]?.arrival.station !== leg.departure.station))
        return rejectDate(step, day, ['legs-not-aligned', 'The legs that remain do not follow each other.']);
      return [{ ...variation, legs: [{ ...first, sequence: 1 }, ...legs.slice(1)] as const }];
    });
  return { named: select(true), others: select(false) };
};

/** Moves the flights of a date, or the legs that the message names, to another designator. */
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
  const { named, others } = splitLegs(context, listSingles(flights));
  const variations = named.map((each) => renameVariation(step, each, number));
  const cancellation = keepCancellation(context);
  const remaining = others.map((each) => ({ ...each, amendmentId }));
  const isLeft = remaining.length > 0 && cancellation.cancelled;
  const moved = setAdHoc(flight, key, {
    variations: remaining,
    ...(isLeft ? cancellation : noCancellation),
    amendmentId,
  });
  const change = { variations, ...cancellation, amendmentId };
  return withFlight(withFlight(state, message.flight, moved), newFlight, setAdHoc(target, key, change));
};

/** Lists the legs whose cancellation the change sets or withdraws. */
const listCancellationChanges = (
  { step, day, previous }: DateContext,
  next: FlightSchedule,
  change: AdHocChange | undefined,
): readonly CancellationChange[] => {
  const { action, legChange = [] } = step.message;
  return listFlightsOn(next, day, toClock(step)).flatMap(({ variation, key: originDate }) =>
    [true, false].flatMap((cancelled) => {
      const legs = variation.legs.filter(
        (leg) =>
          isLegCancelled(change, leg) === cancelled &&
          (isLegCancelled(previous, leg) !== cancelled || (action === 'CNL' && cancelled && isInScope(legChange, leg))),
      );
      return legs.length > 0 ? [{ cancelled, originDate, legs }] : [];
    }),
  );
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
  if (message.action === 'FLT') return { state: rename(state, context), cancellations: [], notices: [] };
  const change = computeChange(context);
  const [added] = change?.variations ?? [];
  const key = knownKey ?? (added ? toAdHocKey(added, day, zoneOf) : day);
  const next = setAdHoc(flight, key, change);
  return {
    state: withFlight(state, message.flight, next),
    cancellations: listCancellationChanges(context, next, change),
    notices: [],
  };
};
