import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { DiversionType } from '../../../domain/status/message.ts';
import { computeDistanceRatio } from './airport-geography.ts';
import { interpolate, createSeededRandom, type NamedRandom } from '../../../lib/seeded-random.ts';
import { computeDepartureDelay, MAX_DELAY } from './delays.ts';
import { addMinutes, toLegKey, type DemoFlight } from './demo-flight.ts';
import { computeOutcome, type FlightOutcome } from './flight-outcome.ts';

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

type PhaseMinutes = { readonly taxiOut: number; readonly airborne: number; readonly taxiIn: number };

/** Returns the minutes of each phase. Short flights taxi less, and schedules have some minutes to spare. */
const computePhases = ({ departsAt, arrivesAt }: DemoFlight, random: NamedRandom): PhaseMinutes => {
  const block = (arrivesAt - departsAt) / 60;
  const size = Math.min(1, block / 90);
  return {
    taxiOut: Math.max(1, Math.round(size * interpolate(random('taxi out'), 8, 22))),
    airborne: Math.max(5, Math.round((block - 24 * size) * interpolate(random('airborne'), 0.95, 1.03))),
    taxiIn: Math.max(1, Math.round(size * interpolate(random('taxi in'), 3, 10))),
  };
};

const computeDiversion = (
  { reference }: DemoFlight,
  { airport, type, continues }: Diverted,
  context: DepartureContext,
): PlannedDiversion => {
  const { random, off, phases } = context;
  const { departureAirport, arrivalAirport = '' } = reference;
  const isAirReturn = type === 'InAirReturn';
  const flown = isAirReturn
    ? Math.min(phases.airborne, interpolate(random('turns round'), 25, 50))
    : phases.airborne * computeDistanceRatio([departureAirport, airport], [departureAirport, arrivalAirport]) + 10;
  const on = addMinutes(off, Math.max(6, flown));
  const atGate = addMinutes(on, phases.taxiIn);
  const out = addMinutes(atGate, interpolate(random('ground'), 45, 100));
  const notice = isAirReturn ? flown / 2 : Math.min(flown / 2, interpolate(random('notice'), 25, 45));
  return {
    airport,
    type,
    decidedAt: addMinutes(on, -notice),
    on,
    in: atGate,
    continuation: continues ? { out, off: addMinutes(out, phases.taxiOut) } : undefined,
  };
};

type DepartureContext = { readonly random: NamedRandom; readonly off: UtcSecond; readonly phases: PhaseMinutes };

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
  const ready = computeReadyTime(flight);
  const first = addMinutes(departsAt, totalDelay);
  const firstOut = first < ready ? ready : first;
  const back = addMinutes(firstOut, interpolate(random('back'), 10, 25));
  const hasReturned = outcome.kind === 'returned';
  const out = hasReturned ? addMinutes(back, interpolate(random('repair'), 35, 100)) : firstOut;
  const off = addMinutes(out, phases.taxiOut);
  const diversion =
    outcome.kind === 'diverted' ? computeDiversion(flight, outcome, { random, off, phases }) : undefined;
  const remaining =
    diversion === undefined || diversion.type === 'InAirReturn'
      ? phases.airborne
      : Math.max(
          15,
          phases.airborne *
            computeDistanceRatio(
              [diversion.airport, reference.arrivalAirport ?? ''],
              [reference.departureAirport, reference.arrivalAirport ?? ''],
            ) +
            8,
        );
  const on = addMinutes(diversion?.continuation?.off ?? off, remaining);
  return {
    out,
    off,
    on,
    in: addMinutes(on, phases.taxiIn),
    gateReturn: hasReturned ? { out: firstOut, back } : undefined,
    diversion,
  };
};
