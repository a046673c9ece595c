import { toSecond, type UtcMillisecond, type UtcSecond } from '../../../domain/status/instants.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import { listAlternates } from './airport-geography.ts';
import { interpolate, createSeededRandom, pick } from '../../../lib/seeded-random.ts';
import { computeFlightTimes } from './flight-times.ts';
import { type DemoFlight, type LinkedLegs, linkLegs, toFlightKey, toLegKey } from './demo-flight.ts';
import { createCharterFlight, createRecoveryFlight } from './unscheduled-flights.ts';
import { isEligible, type FlightOutcome } from './flight-outcome.ts';
import { buildBusinessFlights } from './general-aviation.ts';
import { buildFlightMessages } from './flight-messages.ts';

/** A flight of the schedule and what has been decided for it. */
export type ArrangedOutcome = { readonly flight: DemoFlight; readonly fate: FlightOutcome };

/** What is arranged so that there is always something to see. */
export type ArrangedEvents = {
  /** Flights of the schedule to which something happens, besides what happens by chance. */
  readonly chosen: readonly ArrangedOutcome[];
  /** Flights that no schedule holds. */
  readonly extraFlights: readonly DemoFlight[];
  /** The lives of the extra flights, and of business aviation. */
  readonly extraLives: readonly (readonly StatusMessage[])[];
};

const HOUR = 3600;
/** Three times a day something of each kind is arranged, from among the flights that leave in the first three hours of a shift. */
const SHIFT = 8 * HOUR;
const CHOICE = 3 * HOUR;
/** The flights given reach back and ahead so far, seconds; a choice is made where all to choose from are among them. */
const BACK = 40 * HOUR;
const AHEAD = 50 * HOUR;
/** From gate to gate: long enough for a diversion worth the name, short enough for one to be in sight at any time. */
const DIVERTED = { least: 5.5 * HOUR, most: 8 * HOUR };
/** Before the scheduled departure, minutes: so the first flights of a day are called off before it begins. */
const CALLED_OFF = { least: 190, most: 355 };

/** By lot: which comes first says nothing of the flight. */
const shuffle = (flights: readonly DemoFlight[]): readonly DemoFlight[] => {
  const chance = createSeededRandom('chosen');
  return flights
    .map((flight) => ({ flight, lot: chance(toLegKey(flight.reference)) }))
    .toSorted((a, b) => a.lot - b.lot)
    .map(({ flight }) => flight);
};

const divertedFate = ({ reference }: DemoFlight): FlightOutcome | undefined => {
  const [nearest, ...others] = listAlternates(reference.departureAirport, reference.arrivalAirport ?? '');
  if (nearest === undefined) return undefined;
  const airport = pick(createSeededRandom('alternate')(toLegKey(reference)), [nearest, ...others]);
  return { kind: 'diverted', airport, type: 'Unplanned', continues: false };
};

const canDivert = (flight: DemoFlight): boolean => {
  const block = flight.arrivesAt - flight.departsAt;
  return block >= DIVERTED.least && block <= DIVERTED.most && divertedFate(flight) !== undefined;
};

const chooseFrom = (
  flights: readonly DemoFlight[],
  multiLegFlights: ReadonlySet<string>,
): readonly ArrangedOutcome[] => {
  const candidates = shuffle(flights);
  const isFree = (flight: DemoFlight): boolean =>
    !multiLegFlights.has(toFlightKey(flight.reference)) && isEligible(flight);
  const diverted = candidates.find((flight) => canDivert(flight) && isFree(flight));
  const returned = candidates.find((flight) => flight !== diverted && isFree(flight));
  const cancelled = candidates.find((flight) => flight !== diverted && flight !== returned && isFree(flight));
  const fate = diverted && divertedFate(diverted);
  const share = cancelled ? createSeededRandom('called off')(toLegKey(cancelled.reference)) : 0;
  const minutesBefore = Math.round(interpolate(share, CALLED_OFF.least, CALLED_OFF.most));
  return [
    ...(diverted && fate ? [{ flight: diverted, fate }] : []),
    ...(returned ? [{ flight: returned, fate: { kind: 'returned' } as const }] : []),
    ...(cancelled ? [{ flight: cancelled, fate: { kind: 'cancelled', minutesBefore } as const }] : []),
  ];
};

const recoveriesOf = (chosen: readonly ArrangedOutcome[]): readonly DemoFlight[] =>
  chosen.flatMap(({ flight, fate }) => {
    const { landing } = computeFlightTimes(flight, fate);
    return landing ? [createRecoveryFlight(flight, landing)] : [];
  });

/**
 * What is arranged as far as it bears on the messages of a stretch of time. The flights are those that depart from 40 hours
 * before it to 50 hours after it. Whatever the stretch, the same flights are chosen.
 */
export const arrangeEventsBetween = (
  from: UtcSecond,
  to: UtcSecond,
  { flights, multiLegFlights }: LinkedLegs,
): ArrangedEvents => {
  const first = Math.ceil((from - BACK) / SHIFT);
  const last = Math.floor((to + AHEAD - CHOICE) / SHIFT);
  const shifts = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const byShift = Map.groupBy(
    flights.filter(({ departsAt }) => departsAt % SHIFT < CHOICE),
    ({ departsAt }) => Math.floor(departsAt / SHIFT),
  );
  const chosen = shifts.flatMap((shift) => chooseFrom(byShift.get(shift) ?? [], multiLegFlights));
  const charters = shifts.map((shift) => createCharterFlight((shift * SHIFT) as UtcSecond, shift % 3));
  const extraFlights = [...recoveriesOf(chosen), ...charters];
  const business = buildBusinessFlights((from - BACK) as UtcSecond, (to + AHEAD) as UtcSecond);
  return {
    chosen,
    extraFlights,
    extraLives: [...extraFlights.map((flight) => buildFlightMessages(flight)), ...business],
  };
};

/**
 * What is arranged around an instant: at any time at least one flight has been diverted within the last 24 hours, one recovers
 * passengers, one of the UTC day is cancelled, one has returned to its gate within the last 24 hours, one charter and one
 * business flight are under way or known. The flights are those departing from 40 hours before to 50 hours after;
 * where no flight fits, as in a schedule without long flights, nothing is arranged.
 */
export const arrangeEventsAt = (now: UtcMillisecond, flights: readonly DemoFlight[]): ArrangedEvents =>
  arrangeEventsBetween(toSecond(now), toSecond(now), linkLegs(flights));
