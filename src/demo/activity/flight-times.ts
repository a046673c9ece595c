import { interpolate, createSeededRandom, pick, type NamedRandom } from '#lib/seeded-random.ts';
import {
  type DemoFlight,
  type DemoReference,
  toRotationKey,
  carriesPassengers,
  toFlightKey,
  isSurfaceFlight,
  toLegKey,
  addMinutes,
} from './demo-flight.ts';
import type { DiversionType } from '#domain/status/message.ts';
import { listAlternates, computeDistanceRatio } from '../world/airports.ts';
import type { UtcSecond } from '#domain/status/instants.ts';

/** A cumulated share of all flights, and the range of their minutes. */
type DelayBand = readonly [upTo: number, min: number, max: number];

/** The delay of the flight itself: most depart within five minutes of their time, one in sixty at least 100 minutes late. */
const ownDelay: readonly DelayBand[] = [
  [0.6, -5, 5],
  [0.84, 5, 14],
  [0.94, 14, 45],
  [0.985, 45, 100],
  [1, 100, 180],
];

/** The delay of all departures of an airport in one hour: usually none. */
const congestionDelay: readonly DelayBand[] = [
  [0.85, 0, 0],
  [0.96, 5, 20],
  [1, 20, 50],
];

/** The longest delay, minutes; only earlier legs and gate returns make a flight later. */
const MAX_DELAY = 180;

const pickMinutes = (bands: readonly DelayBand[], share: number): number => {
  let reached = 0;
  for (const [upTo, min, max] of bands) {
    if (share < upTo) return interpolate((share - reached) / (upTo - reached), min, max);
    reached = upTo;
  }
  return 0;
};

/**
 * Returns the departure delay of a flight, -5 to 180 minutes: one part is common to all flights of the aircraft from its base and back,
 * the other to all departures of an airport in one hour.
 */
export const computeDepartureDelay = (flight: DemoFlight): number => {
  const hour = Math.floor(flight.departsAt / 3600);
  const congestion = createSeededRandom(`crowding|${flight.reference.departureAirport}`)(String(hour));
  const own = createSeededRandom('delay')(toRotationKey(flight));
  return Math.min(MAX_DELAY, Math.round(pickMinutes(ownDelay, own) + pickMinutes(congestionDelay, congestion)));
};

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

const chooseDiversion = ({ reference, departsAt, arrivesAt }: DemoFlight): FlightOutcome => {
  if ((arrivesAt - departsAt) / 60 < MIN_DIVERTED_BLOCK) return { kind: 'flown' };
  const random = createSeededRandom(`diversion|${toLegKey(reference)}`);
  const alternates = listAlternates(reference);
  if (alternates.length === 0 || random('return') < 0.3)
    return { kind: 'diverted', airport: reference.departureAirport, type: 'InAirReturn', continues: true };
  const type = pick<DiversionType>(random('type'), ['Unplanned', 'Unplanned', 'TechnicalStop']);
  return { kind: 'diverted', airport: pick(random('airport'), alternates), type, continues: true };
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
  if (share < RETURNED + DIVERTED) return chooseDiversion(flight);
  return { kind: 'flown' };
};

/** Returns whether events may be arranged for a flight: it carries passengers, has one leg, and is flown by its random outcome. */
export const isEligible = (flight: DemoFlight): boolean =>
  carriesPassengers(flight) &&
  !isSurfaceFlight(flight) &&
  flight.previousLeg === undefined &&
  computeOutcome(flight).kind === 'flown';

type Diverted = Extract<FlightOutcome, { kind: 'diverted' }>;

/** The times of a diversion, with its landing at another airport. */
export type PlannedDiversion = {
  readonly airport: string;
  readonly type: DiversionType;
  readonly decidedAt: UtcSecond;
  readonly on: UtcSecond;
  readonly in: UtcSecond;
  /** The departure from the other airport under the same designator; undefined when the flight ends there. */
  readonly continuation: { readonly out: UtcSecond; readonly off: UtcSecond } | undefined;
};

/** The OOOI times of a flight (out, off, on, in), in whole minutes. A cancelled flight has them too. */
export type FlightTimes = {
  readonly out: UtcSecond;
  readonly off: UtcSecond;
  /** At the scheduled airport; unused when the flight ends elsewhere. */
  readonly on: UtcSecond;
  readonly in: UtcSecond;
  /** A first departure from the gate, and the return to it. */
  readonly gateReturn: { readonly out: UtcSecond; readonly back: UtcSecond } | undefined;
  readonly diversion: PlannedDiversion | undefined;
};

/** The shortest turnaround, minutes, unless less is scheduled. */
const MIN_TURNAROUND = 30;

/** Returns the minutes of each phase. Short flights taxi less, and schedules have some minutes to spare. */
const computePhases = ({ departsAt, arrivesAt }: DemoFlight, random: NamedRandom) => {
  const block = (arrivesAt - departsAt) / 60;
  const size = Math.min(1, block / 90);
  return {
    taxiOut: Math.max(1, Math.round(size * interpolate(random('taxi out'), 8, 22))),
    airborne: Math.max(5, Math.round((block - 24 * size) * interpolate(random('airborne'), 0.95, 1.03))),
    taxiIn: Math.max(1, Math.round(size * interpolate(random('taxi in'), 3, 10))),
  };
};

type Departure = {
  readonly random: NamedRandom;
  readonly off: UtcSecond;
  readonly phases: ReturnType<typeof computePhases>;
};

const computeDiversion = (
  reference: DemoReference,
  { airport, type, continues }: Diverted,
  { random, off, phases }: Departure,
): PlannedDiversion => {
  const isAirReturn = type === 'InAirReturn';
  const flown = isAirReturn
    ? Math.min(phases.airborne, interpolate(random('turns round'), 25, 50))
    : phases.airborne * computeDistanceRatio([reference.departureAirport, airport], reference) + 10;
  const on = addMinutes(off, Math.max(6, flown));
  const atGate = addMinutes(on, phases.taxiIn);
  const out = addMinutes(atGate, interpolate(random('ground'), 45, 100));
  const notice = isAirReturn ? flown / 2 : Math.min(flown / 2, interpolate(random('notice'), 25, 45));
  const continuation = continues ? { out, off: addMinutes(out, phases.taxiOut) } : undefined;
  return { airport, type, decidedAt: addMinutes(on, -notice), on, in: atGate, continuation };
};

/** Returns when the aircraft is ready: after the previous leg, or the outbound flight, and a turnaround. */
const computeReadyTime = ({ previousLeg, broughtBy, departsAt }: DemoFlight): UtcSecond => {
  const previous = previousLeg ?? broughtBy;
  if (!previous) return 0 as UtcSecond;
  const turnaround = Math.min(MIN_TURNAROUND, (departsAt - previous.arrivesAt) / 60);
  return addMinutes(computeFlightTimes(previous, computeOutcome(previous)).in, turnaround);
};

/** Returns the times of a flight with this outcome; the same for the same flight. */
export const computeFlightTimes = (flight: DemoFlight, outcome: FlightOutcome): FlightTimes => {
  const { reference, departsAt } = flight;
  const random = createSeededRandom(`course|${toLegKey(reference)}`);
  const phases = computePhases(flight, random);
  const delay = computeDepartureDelay(flight);
  // A reinstated flight departs late.
  const totalDelay = outcome.kind === 'reinstated' ? Math.min(MAX_DELAY, Math.max(0, delay) + 60) : delay;
  const firstOut = Math.max(addMinutes(departsAt, totalDelay), computeReadyTime(flight)) as UtcSecond;
  const back = addMinutes(firstOut, interpolate(random('back'), 10, 25));
  const gateReturn = outcome.kind === 'returned' ? { out: firstOut, back } : undefined;
  const out = gateReturn ? addMinutes(back, interpolate(random('repair'), 35, 100)) : firstOut;
  const off = addMinutes(out, phases.taxiOut);
  const diversion =
    outcome.kind === 'diverted' ? computeDiversion(reference, outcome, { random, off, phases }) : undefined;
  const remaining =
    diversion === undefined || diversion.type === 'InAirReturn'
      ? phases.airborne
      : Math.max(
          15,
          phases.airborne * computeDistanceRatio([diversion.airport, reference.arrivalAirport], reference) + 8,
        );
  const on = addMinutes(diversion?.continuation?.off ?? off, remaining);
  return { out, off, on, in: addMinutes(on, phases.taxiIn), gateReturn, diversion };
};
