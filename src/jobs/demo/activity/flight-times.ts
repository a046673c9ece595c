import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { DiversionType } from '../../../domain/status/message.ts';
import { computeDistanceRatio } from './airport-geography.ts';
import { interpolate, createSeededRandom, type NamedRandom } from '../../../lib/seeded-random.ts';
import { computeDepartureDelay, MAX_DELAY } from './delays.ts';
import { addMinutes, toLegKey, type DemoFlight } from './demo-flight.ts';
import { computeOutcome, type FlightOutcome } from './flight-outcome.ts';

type Diverted = Extract<FlightOutcome, { kind: 'diverted' }>;

/** A landing somewhere else. */
export type PlannedDiversion = {
  readonly airport: string;
  readonly type: DiversionType;
  readonly decidedAt: UtcSecond;
  readonly on: UtcSecond;
  readonly in: UtcSecond;
  /** When it leaves again under its designator; undefined when it ends there. */
  readonly goesOn: { readonly out: UtcSecond; readonly off: UtcSecond } | undefined;
};

/** How a flight goes, in whole minutes: gate, take-off, touchdown, gate. What is cancelled would have gone like this. */
export type FlightTimes = {
  readonly out: UtcSecond;
  readonly off: UtcSecond;
  /** At the scheduled airport; not reached by a flight that ends elsewhere. */
  readonly on: UtcSecond;
  readonly in: UtcSecond;
  /** A first leaving of the gate, and the coming back to it. */
  readonly firstTry: { readonly out: UtcSecond; readonly back: UtcSecond } | undefined;
  readonly landing: PlannedDiversion | undefined;
};

/** Ground time below which nobody turns an aircraft round, minutes, unless the schedule gives less. */
const SHORTEST_TURN = 30;

type Pace = { readonly taxiOut: number; readonly airborne: number; readonly taxiIn: number };

/** Minutes of each stretch. Very short flights roll less; airlines plan some minutes more than they mostly take. */
const paceOf = ({ departsAt, arrivesAt }: DemoFlight, chance: NamedRandom): Pace => {
  const block = (arrivesAt - departsAt) / 60;
  const size = Math.min(1, block / 90);
  return {
    taxiOut: Math.max(1, Math.round(size * interpolate(chance('taxi out'), 8, 22))),
    airborne: Math.max(5, Math.round((block - 24 * size) * interpolate(chance('airborne'), 0.95, 1.03))),
    taxiIn: Math.max(1, Math.round(size * interpolate(chance('taxi in'), 3, 10))),
  };
};

const landingOf = (
  { reference }: DemoFlight,
  { airport, type, continues }: Diverted,
  ctx: Context,
): PlannedDiversion => {
  const { chance, off, pace } = ctx;
  const { departureAirport, arrivalAirport = '' } = reference;
  const isReturn = type === 'InAirReturn';
  const flown = isReturn
    ? Math.min(pace.airborne, interpolate(chance('turns round'), 25, 50))
    : pace.airborne * computeDistanceRatio([departureAirport, airport], [departureAirport, arrivalAirport]) + 10;
  const on = addMinutes(off, Math.max(6, flown));
  const atGate = addMinutes(on, pace.taxiIn);
  const out = addMinutes(atGate, interpolate(chance('ground'), 45, 100));
  const notice = isReturn ? flown / 2 : Math.min(flown / 2, interpolate(chance('notice'), 25, 45));
  return {
    airport,
    type,
    decidedAt: addMinutes(on, -notice),
    on,
    in: atGate,
    goesOn: continues ? { out, off: addMinutes(out, pace.taxiOut) } : undefined,
  };
};

type Context = { readonly chance: NamedRandom; readonly off: UtcSecond; readonly pace: Pace };

/** Not before the leg before is in and the aircraft has been turned round. */
const readyAt = ({ previousLeg, departsAt }: DemoFlight): UtcSecond => {
  if (!previousLeg) return 0 as UtcSecond;
  const turn = Math.min(SHORTEST_TURN, (departsAt - previousLeg.arrivesAt) / 60);
  return addMinutes(computeFlightTimes(previousLeg, computeOutcome(previousLeg)).in, turn);
};

/** How a flight goes that has this fate; the same for the same flight. */
export const computeFlightTimes = (flight: DemoFlight, fate: FlightOutcome): FlightTimes => {
  const { reference, departsAt } = flight;
  const chance = createSeededRandom(`course|${toLegKey(reference)}`);
  const pace = paceOf(flight, chance);
  const delay = computeDepartureDelay(flight);
  // Who has called a flight off does not get it ready in time.
  const late = fate.kind === 'reinstated' ? Math.min(MAX_DELAY, Math.max(0, delay) + 60) : delay;
  const ready = readyAt(flight);
  const first = addMinutes(departsAt, late);
  const planned = first < ready ? ready : first;
  const back = addMinutes(planned, interpolate(chance('back'), 10, 25));
  const isReturned = fate.kind === 'returned';
  const out = isReturned ? addMinutes(back, interpolate(chance('repair'), 35, 100)) : planned;
  const off = addMinutes(out, pace.taxiOut);
  const landing = fate.kind === 'diverted' ? landingOf(flight, fate, { chance, off, pace }) : undefined;
  const remaining =
    landing === undefined || landing.type === 'InAirReturn'
      ? pace.airborne
      : Math.max(
          15,
          pace.airborne *
            computeDistanceRatio(
              [landing.airport, reference.arrivalAirport ?? ''],
              [reference.departureAirport, reference.arrivalAirport ?? ''],
            ) +
            8,
        );
  const on = addMinutes(landing?.goesOn?.off ?? off, remaining);
  return {
    out,
    off,
    on,
    in: addMinutes(on, pace.taxiIn),
    firstTry: isReturned ? { out: planned, back } : undefined,
    landing,
  };
};
