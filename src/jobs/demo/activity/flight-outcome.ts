import type { DiversionType } from '../../../domain/status/message.ts';
import { listAlternates } from './airport-geography.ts';
import { interpolate, createSeededRandom, pick } from '../../../lib/seeded-random.ts';
import {
  carriesPassengers,
  toFlightKey,
  toRotationKey,
  isSurfaceFlight,
  toLegKey,
  type DemoFlight,
} from './demo-flight.ts';

/** The outcome of a flight. Minutes count back from the scheduled departure of its first leg. */
export type FlightOutcome =
  | { readonly kind: 'flown' }
  | { readonly kind: 'cancelled'; readonly minutesBefore: number }
  | { readonly kind: 'reinstated'; readonly minutesBefore: number; readonly againMinutesBefore: number }
  /** Leaves the gate, returns to it, and departs later. */
  | { readonly kind: 'returned' }
  | {
      readonly kind: 'diverted';
      readonly airport: string;
      readonly type: DiversionType;
      /** Whether the flight continues to its destination under its own designator. */
      readonly continues: boolean;
    };

/** Shares of all flights; REINSTATED is a share of the cancelled flights. */
const CANCELLED = 0.01;
const REINSTATED = 0.08;
const RETURNED = 0.002;
const DIVERTED = 0.002;
/** The shortest block time of a diverted flight, minutes. */
const MIN_DIVERTED_BLOCK = 75;

const computeCancellation = (flight: DemoFlight): FlightOutcome | undefined => {
  // The return flight of a cancelled flight has no aircraft: it is cancelled too.
  const random = createSeededRandom(`cancellation|${toRotationKey(flight)}`);
  if (random('decided') >= CANCELLED) return undefined;
  const share = createSeededRandom('cancelled before')(toFlightKey(flight.reference));
  const minutesBefore = Math.round(interpolate(share, 120, 360));
  if (random('reinstated') >= REINSTATED) return { kind: 'cancelled', minutesBefore };
  return { kind: 'reinstated', minutesBefore, againMinutesBefore: minutesBefore - 45 };
};

const computeDiversion = ({ reference, departsAt, arrivesAt }: DemoFlight): FlightOutcome => {
  const random = createSeededRandom(`diversion|${toLegKey(reference)}`);
  const { departureAirport, arrivalAirport = '' } = reference;
  const [nearest, ...others] = listAlternates(departureAirport, arrivalAirport);
  if ((arrivesAt - departsAt) / 60 < MIN_DIVERTED_BLOCK) return { kind: 'flown' };
  if (nearest === undefined || random('return') < 0.3)
    return { kind: 'diverted', airport: departureAirport, type: 'InAirReturn', continues: true };
  const type = pick<DiversionType>(random('type'), ['Unplanned', 'Unplanned', 'TechnicalStop']);
  return { kind: 'diverted', airport: pick(random('airport'), [nearest, ...others]), type, continues: true };
};

/**
 * Returns the random outcome of a flight: one in a hundred is cancelled with all its legs. Some legs return to the
 * gate, or are diverted and continue from there, so that the following legs can be flown.
 */
export const computeOutcome = (flight: DemoFlight): FlightOutcome => {
  if (flight.unscheduled !== undefined) return { kind: 'flown' };
  const cancellation = computeCancellation(flight);
  if (cancellation) return cancellation;
  if (isSurfaceFlight(flight)) return { kind: 'flown' };
  const share = createSeededRandom('fate')(toLegKey(flight.reference));
  if (share < RETURNED) return { kind: 'returned' };
  if (share < RETURNED + DIVERTED) return computeDiversion(flight);
  return { kind: 'flown' };
};

/**
 * Returns whether events may be arranged for a flight: it carries passengers, has one leg, and its random outcome is
 * `flown`.
 */
export const isEligible = (flight: DemoFlight): boolean =>
  carriesPassengers(flight) &&
  !isSurfaceFlight(flight) &&
  flight.previousLeg === undefined &&
  computeOutcome(flight).kind === 'flown';
