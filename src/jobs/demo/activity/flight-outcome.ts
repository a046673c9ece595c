import type { DiversionType } from '../../../domain/status/message.ts';
import { listAlternates } from './airport-geography.ts';
import { interpolate, createSeededRandom, pick } from '../../../lib/seeded-random.ts';
import { carriesPassengers, toFlightKey, isSurfaceFlight, toLegKey, type DemoFlight } from './demo-flight.ts';

/** What becomes of a flight. Minutes count back from the scheduled departure of its first leg. */
export type FlightOutcome =
  | { readonly kind: 'flown' }
  | { readonly kind: 'cancelled'; readonly minutesBefore: number }
  | { readonly kind: 'reinstated'; readonly minutesBefore: number; readonly againMinutesBefore: number }
  /** Leaves the gate and comes back to it before it leaves for good. */
  | { readonly kind: 'returned' }
  | {
      readonly kind: 'diverted';
      readonly airport: string;
      readonly type: DiversionType;
      /** Whether it goes on to its destination under its own designator. */
      readonly continues: boolean;
    };

const CANCELLED = 0.01;
/** Of the cancelled. */
const REINSTATED = 0.08;
const RETURNED = 0.002;
const DIVERTED = 0.002;
/** A shorter flight is over before anybody could turn it off, minutes from gate to gate. */
const SHORTEST_DIVERTED = 75;

const cancellationOf = (flight: DemoFlight): FlightOutcome | undefined => {
  const chance = createSeededRandom(`cancellation|${toFlightKey(flight.reference)}`);
  if (chance('decided') >= CANCELLED) return undefined;
  const minutesBefore = Math.round(interpolate(chance('before'), 120, 360));
  if (chance('reinstated') >= REINSTATED) return { kind: 'cancelled', minutesBefore };
  return { kind: 'reinstated', minutesBefore, againMinutesBefore: minutesBefore - 45 };
};

const diversionOf = ({ reference, departsAt, arrivesAt }: DemoFlight): FlightOutcome => {
  const chance = createSeededRandom(`diversion|${toLegKey(reference)}`);
  const { departureAirport, arrivalAirport = '' } = reference;
  const [nearest, ...others] = listAlternates(departureAirport, arrivalAirport);
  if ((arrivesAt - departsAt) / 60 < SHORTEST_DIVERTED) return { kind: 'flown' };
  if (nearest === undefined || chance('return') < 0.3)
    return { kind: 'diverted', airport: departureAirport, type: 'InAirReturn', continues: true };
  const type = pick<DiversionType>(chance('type'), ['Unplanned', 'Unplanned', 'TechnicalStop']);
  return { kind: 'diverted', airport: pick(chance('airport'), [nearest, ...others]), type, continues: true };
};

/**
 * What becomes of a flight when nothing else is decided for it: one in a hundred is cancelled, all its legs together; some legs
 * return to their gate, or land elsewhere and go on from there, so that the legs after them can be flown.
 */
export const computeOutcome = (flight: DemoFlight): FlightOutcome => {
  // What was put on for somebody's sake is flown.
  if (flight.unscheduled !== undefined) return { kind: 'flown' };
  const cancellation = cancellationOf(flight);
  if (cancellation) return cancellation;
  if (isSurfaceFlight(flight)) return { kind: 'flown' };
  const share = createSeededRandom('fate')(toLegKey(flight.reference));
  if (share < RETURNED) return { kind: 'returned' };
  if (share < RETURNED + DIVERTED) return diversionOf(flight);
  return { kind: 'flown' };
};

/** Whether a flight is one of many to choose from when something is to happen: it flies, with passengers and in one leg. */
export const isEligible = (flight: DemoFlight): boolean =>
  carriesPassengers(flight) &&
  !isSurfaceFlight(flight) &&
  flight.previousLeg === undefined &&
  computeOutcome(flight).kind === 'flown';
