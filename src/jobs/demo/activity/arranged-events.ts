import { truncateToSecond, type UtcMillisecond, type UtcSecond } from '../../../domain/status/instants.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import { listAlternates } from './airport-geography.ts';
import { interpolate, createSeededRandom, pick } from '../../../lib/seeded-random.ts';
import { computeFlightTimes } from './flight-times.ts';
import { type DemoFlight, type LinkedLegs, linkLegs, toFlightKey, toLegKey } from './demo-flight.ts';
import { createCharterFlight, createRecoveryFlight } from './unscheduled-flights.ts';
import { isEligible, type FlightOutcome } from './flight-outcome.ts';
import { buildBusinessFlights } from './general-aviation.ts';
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
/**
 * In each shift of eight hours, one event of each kind is arranged for flights that depart in its first three hours.
 */
const SHIFT = 8 * HOUR;
const SELECTION = 3 * HOUR;
/**
 * The caller provides flights from 40 hours before to 50 hours after, so that each shift sees all its candidates.
 * Seconds.
 */
const LOOK_BACK = 40 * HOUR;
const LOOK_AHEAD = 50 * HOUR;
/** Block time of diverted flights: short enough that one diversion is recent at any time. */
const DIVERTED_BLOCK = { min: 5.5 * HOUR, max: 8 * HOUR };
/**
 * Minutes from the cancellation to the scheduled departure: the first flights of a day are cancelled before the day
 * begins.
 */
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
  const [nearest, ...others] = listAlternates(reference.departureAirport, reference.arrivalAirport ?? '');
  if (nearest === undefined) return undefined;
  const airport = pick(createSeededRandom('alternate')(toLegKey(reference)), [nearest, ...others]);
  return { kind: 'diverted', airport, type: 'Unplanned', continues: false };
};

const canDivert = (flight: DemoFlight): boolean => {
  const block = flight.arrivesAt - flight.departsAt;
  return block >= DIVERTED_BLOCK.min && block <= DIVERTED_BLOCK.max && chooseDiversion(flight) !== undefined;
};

const arrangeShift = (
  flights: readonly DemoFlight[],
  multiLegFlights: ReadonlySet<string>,
): readonly ArrangedOutcome[] => {
  const candidates = shuffle(flights);
  const isCandidate = (flight: DemoFlight): boolean =>
    !multiLegFlights.has(toFlightKey(flight.reference)) && isEligible(flight);
  const diverted = candidates.find((flight) => canDivert(flight) && isCandidate(flight));
  const returned = candidates.find((flight) => flight !== diverted && isCandidate(flight));
  const cancelled = candidates.find((flight) => flight !== diverted && flight !== returned && isCandidate(flight));
  const outcome = diverted && chooseDiversion(diverted);
  const share = cancelled ? createSeededRandom('called off')(toLegKey(cancelled.reference)) : 0;
  const minutesBefore = Math.round(interpolate(share, CANCELLED_BEFORE.min, CANCELLED_BEFORE.max));
  return [
    ...(diverted && outcome ? [{ flight: diverted, outcome }] : []),
    ...(returned ? [{ flight: returned, outcome: { kind: 'returned' } as const }] : []),
    ...(cancelled ? [{ flight: cancelled, outcome: { kind: 'cancelled', minutesBefore } as const }] : []),
  ];
};

const createRecoveryFlights = (outcomes: readonly ArrangedOutcome[]): readonly DemoFlight[] =>
  outcomes.flatMap(({ flight, outcome }) => {
    const { diversion } = computeFlightTimes(flight, outcome);
    return diversion ? [createRecoveryFlight(flight, diversion)] : [];
  });

/**
 * Returns the arranged events with messages between two instants, given the flights that depart from 40 hours before
 * `from` to 50 hours after `to`. The same flights are selected for any interval.
 */
export const arrangeEventsBetween = (
  from: UtcSecond,
  to: UtcSecond,
  { flights, multiLegFlights }: LinkedLegs,
): ArrangedEvents => {
  const first = Math.ceil((from - LOOK_BACK) / SHIFT);
  const last = Math.floor((to + LOOK_AHEAD - SELECTION) / SHIFT);
  const shifts = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const byShift = Map.groupBy(
    flights.filter(({ departsAt }) => departsAt % SHIFT < SELECTION),
    ({ departsAt }) => Math.floor(departsAt / SHIFT),
  );
  const outcomes = shifts.flatMap((shift) => arrangeShift(byShift.get(shift) ?? [], multiLegFlights));
  const charters = shifts.map((shift) => createCharterFlight((shift * SHIFT) as UtcSecond, shift % 3));
  const extraFlights = [...createRecoveryFlights(outcomes), ...charters];
  const business = buildBusinessFlights((from - LOOK_BACK) as UtcSecond, (to + LOOK_AHEAD) as UtcSecond);
  return {
    outcomes,
    extraFlights,
    extraMessages: [...extraFlights.map((flight) => buildFlightMessages(flight)), ...business],
  };
};

/**
 * Returns the arranged events around an instant, given the flights that depart from 40 hours before it to 50 hours
 * after it. At any time at least one flight was diverted and one returned to its gate within the last 24 hours, one
 * recovery flight is known, one flight of the UTC day is cancelled, and one charter and one business flight are
 * announced or in the air. An event without a suitable flight is left out.
 */
export const arrangeEventsAt = (now: UtcMillisecond, flights: readonly DemoFlight[]): ArrangedEvents =>
  arrangeEventsBetween(truncateToSecond(now), truncateToSecond(now), linkLegs(flights));
