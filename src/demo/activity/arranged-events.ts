import { truncateToSecond, type UtcMillisecond, type UtcSecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { listAlternates } from '../world/airports.ts';
import { interpolate, createSeededRandom, pick } from '#lib/seeded-random.ts';
import { computeFlightTimes, isEligible, type FlightOutcome } from './flight-times.ts';
import { type DemoFlight, type LinkedLegs, linkLegs, toFlightKey, toLegKey, toRotationKey } from './demo-flight.ts';
import { createCharterFlight, createRecoveryFlight, buildBusinessFlights } from './unscheduled-flights.ts';
import { findRotation } from '../world/timetable.ts';
import { buildFlightMessages } from './flight-messages.ts';

/** A scheduled flight with an outcome that was arranged for it. */
export type ArrangedOutcome = { readonly flight: DemoFlight; readonly outcome: FlightOutcome };

/** Events that are arranged so that the demo world always shows each kind. */
export type ArrangedEvents = {
  /** Scheduled flights with arranged outcomes; all others have random outcomes. */
  readonly outcomes: readonly ArrangedOutcome[];
  /** Flights without schedule: recovery flights and charters. */
  readonly extraFlights: readonly DemoFlight[];
  /** The messages of each extra flight and of each business flight. */
  readonly extraMessages: readonly (readonly StatusMessage[])[];
};

const HOUR = 3600;
/** In each shift of eight hours, one event of each kind is arranged for flights that depart in its first three hours. */
const SHIFT = 8 * HOUR;
const SELECTION = 3 * HOUR;
/** Each shift needs the flights from 96 hours before to 50 hours after: all its candidates, and the outbound flights. Seconds. */
const LOOK_BACK = 96 * HOUR;
const LOOK_AHEAD = 50 * HOUR;
/** Block time of diverted flights: short enough that one diversion is recent at any time. */
const DIVERTED_BLOCK = { min: 5.5 * HOUR, max: 8 * HOUR };
/** Minutes from the cancellation to the departure: the first flights of a day are cancelled before the day begins. */
const CANCELLED_BEFORE = { min: 190, max: 355 };

/** Shuffles flights in a reproducible way. */
const shuffle = (flights: readonly DemoFlight[]): readonly DemoFlight[] => {
  const random = createSeededRandom('chosen');
  return flights
    .map((flight) => ({ flight, order: random(toLegKey(flight.reference)) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ flight }) => flight);
};

const chooseDiversion = ({ reference }: DemoFlight): FlightOutcome | undefined => {
  const alternates = listAlternates(reference);
  if (alternates.length === 0) return undefined;
  const airport = pick(createSeededRandom('alternate')(toLegKey(reference)), alternates);
  return { kind: 'diverted', airport, type: 'Unplanned', continues: false };
};

const canDivert = (flight: DemoFlight): boolean => {
  const block = flight.arrivesAt - flight.departsAt;
  return block >= DIVERTED_BLOCK.min && block <= DIVERTED_BLOCK.max && chooseDiversion(flight) !== undefined;
};

/** The share of the rotations that can be cancelled; the others can be diverted, so that no flight has both outcomes. */
const CANCELLABLE = 0.15;

const isCancellable = (flight: DemoFlight): boolean =>
  createSeededRandom('cancellable')(toRotationKey(flight)) < CANCELLABLE;

const arrangeShift = (
  candidates: readonly DemoFlight[],
  { multiLegFlights }: LinkedLegs,
  returnFlights: ReadonlyMap<string, DemoFlight>,
): readonly ArrangedOutcome[] => {
  const find = (isSuitable: (flight: DemoFlight) => boolean): DemoFlight | undefined =>
    candidates.find(
      (flight) => isSuitable(flight) && !multiLegFlights.has(toFlightKey(flight.reference)) && isEligible(flight),
    );
  // No other flight waits for the aircraft of a flight that brings it back to its base.
  const isLast = (flight: DemoFlight): boolean =>
    findRotation(flight.reference)?.isLast === true && !isCancellable(flight);
  const diverted = find((flight) => isLast(flight) && canDivert(flight));
  const returned = find((flight) => isLast(flight) && flight !== diverted);
  const cancelled = find((flight) => findRotation(flight.reference)?.isLast === false && isCancellable(flight));
  const outcome = diverted && chooseDiversion(diverted);
  const cancel = (flight: DemoFlight): ArrangedOutcome => {
    const share = createSeededRandom('called off')(toLegKey(flight.reference));
    const minutesBefore = Math.round(interpolate(share, CANCELLED_BEFORE.min, CANCELLED_BEFORE.max));
    return { flight, outcome: { kind: 'cancelled', minutesBefore } };
  };
  const returnFlight = cancelled && returnFlights.get(toLegKey(cancelled.reference));
  return [
    ...(diverted && outcome ? [{ flight: diverted, outcome }] : []),
    ...(returned ? [{ flight: returned, outcome: { kind: 'returned' } as const }] : []),
    ...[cancelled, returnFlight].filter((flight) => flight !== undefined).map(cancel),
  ];
};

/**
 * Returns the arranged events with messages between two instants, given the flights that depart from 96 hours before
 * `from` to 50 hours after `to`. The same flights are selected for any interval. At any time at least one flight was diverted and one
 * returned to its gate within the last 24 hours, one recovery flight is known, one flight of the UTC day is cancelled, and one charter and one
 * business flight are announced or in the air. An event without a suitable flight is left out.
 */
export const arrangeEventsBetween = (from: UtcSecond, to: UtcSecond, linked: LinkedLegs): ArrangedEvents => {
  const { flights } = linked;
  const first = Math.ceil((from - LOOK_BACK) / SHIFT);
  const last = Math.floor((to + LOOK_AHEAD - SELECTION) / SHIFT);
  const shifts = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const byShift = Map.groupBy(
    flights.filter(({ departsAt }) => departsAt % SHIFT < SELECTION),
    ({ departsAt }) => Math.floor(departsAt / SHIFT),
  );
  const returnFlights = new Map(
    flights.flatMap((flight) => (flight.broughtBy ? [[toLegKey(flight.broughtBy.reference), flight] as const] : [])),
  );
  const outcomes = shifts.flatMap((shift) => arrangeShift(shuffle(byShift.get(shift) ?? []), linked, returnFlights));
  const recoveries = outcomes.flatMap(({ flight, outcome }) => {
    const { diversion } = computeFlightTimes(flight, outcome);
    return diversion ? [createRecoveryFlight(flight, diversion)] : [];
  });
  const charters = shifts.map((shift) => createCharterFlight(shift, SHIFT));
  const extraFlights = [...recoveries, ...charters];
  const business = buildBusinessFlights((from - LOOK_BACK) as UtcSecond, (to + LOOK_AHEAD) as UtcSecond);
  return {
    outcomes,
    extraFlights,
    extraMessages: [...extraFlights.map((flight) => buildFlightMessages(flight)), ...business],
  };
};

/**
 * Returns the messages of each flight of an interval in seconds: of the scheduled flights that `isListed` selects, with their arranged or
 * random outcomes, and of all extra and business flights. Needs the flights that `arrangeEventsBetween` needs.
 */
export const listFlightMessages = (
  [from, to]: readonly [from: UtcSecond, to: UtcSecond],
  flights: readonly DemoFlight[],
  isListed: (flight: DemoFlight) => boolean,
): readonly (readonly StatusMessage[])[] => {
  const linked = linkLegs(flights);
  const { outcomes, extraMessages } = arrangeEventsBetween(from, to, linked);
  const arranged = new Map(outcomes.map(({ flight, outcome }) => [toLegKey(flight.reference), outcome]));
  const scheduled = linked.flights.filter(isListed);
  return [
    ...scheduled.map((flight) => buildFlightMessages(flight, arranged.get(toLegKey(flight.reference)))),
    ...extraMessages,
  ];
};

/** The longest time from the first message of a flight to its departure, and from its departure to its last message. Seconds. */
const FIRST_MESSAGE_BEFORE = 49 * HOUR;
const LAST_MESSAGE_AFTER = 40 * HOUR;

/**
 * Returns the status messages observed after `from` and until `to`, in ascending order, so that consecutive intervals return every message
 * exactly once. Needs the flights that `arrangeEventsBetween` needs; on one core the messages of 5,000 flights take 0.2 s.
 */
export const listMessages = (
  from: UtcMillisecond,
  to: UtcMillisecond,
  flights: readonly DemoFlight[],
): readonly StatusMessage[] => {
  const isListed = ({ departsAt }: DemoFlight): boolean =>
    (departsAt - FIRST_MESSAGE_BEFORE) * 1000 <= to && (departsAt + LAST_MESSAGE_AFTER) * 1000 >= from;
  return listFlightMessages([truncateToSecond(from), truncateToSecond(to)], flights, isListed)
    .flatMap((messages) => messages.filter(({ observedAt }) => observedAt > from && observedAt <= to))
    .toSorted((a, b) => a.observedAt - b.observedAt);
};
