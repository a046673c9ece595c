import type { UtcSecond } from '#domain/status/instants.ts';
import type { FlightFacts, LandingFacts } from '#domain/status/message.ts';
import { createSeededRandom, interpolate, type NamedRandom } from '#lib/seeded-random.ts';
import { addMinutes, carriesPassengers, type DemoFlight, isSurfaceFlight, toLegKey } from './demo-flight.ts';
import type { FlightTimes, PlannedDiversion } from './flight-times.ts';
import { assignBelt, assignGate, type StatusReport } from './status-reports.ts';

/** Returns a report of the landing of a diverted flight, which has at most one. */
const reportLanding = (
  at: UtcSecond,
  landing: Omit<LandingFacts<string>, 'id'>,
  facts: FlightFacts = {},
): StatusReport => ({ at, facts, landings: [{ id: '1', ...landing }] });

/** Returns the reports of a diversion; `expected` are the estimates for the destination after the flight continues. */
const buildDiversionReports = (diversion: PlannedDiversion, expected: FlightFacts): readonly StatusReport[] => {
  const { airport, type, decidedAt, on, in: atGate, continuation } = diversion;
  const decided = { airport, type, estimatedOn: on, estimatedIn: atGate, continues: continuation !== undefined };
  const landed = [
    reportLanding(decidedAt, decided, { estimatedOn: null, estimatedIn: null }),
    reportLanding(on, { actualOn: on, estimatedIn: atGate }),
    reportLanding(atGate, { actualIn: atGate }),
  ];
  if (!continuation) return landed;
  const { out, off } = continuation;
  return [
    ...landed,
    reportLanding(addMinutes(atGate, 8), { estimatedOut: out, estimatedOff: off }, expected),
    reportLanding(out, { actualOut: out }),
    reportLanding(off, { actualOff: off }, expected),
  ];
};

const ARRIVAL_GATE_CHANGED = 0.1;
/** Minutes in the air for each estimate en route, up to four estimates. */
const ESTIMATE_INTERVAL = 100;
/** The largest error of a touchdown estimate, as a share of the remaining flight time. */
const MAX_ERROR = 0.06;

/** One flight from take-off to touchdown, and its taxi time to the gate in seconds. */
type Airborne = { readonly off: UtcSecond; readonly on: UtcSecond; readonly taxi: number };

const roundToMinute = (at: number): UtcSecond => (Math.round(at / 60) * 60) as UtcSecond;

/** Returns the estimates of touchdown and gate arrival at an instant: the later, the more exact. */
const estimateArrival = ({ on, taxi }: Airborne, at: UtcSecond, random: NamedRandom) => {
  const error = interpolate(random('error'), -MAX_ERROR, MAX_ERROR) * Math.max(0, on - at);
  const estimatedOn = roundToMinute(on + error);
  return { estimatedOn, estimatedIn: roundToMinute(estimatedOn + taxi) };
};

const buildEnRouteReports = (airborne: Airborne, random: NamedRandom): readonly StatusReport[] => {
  const seconds = airborne.on - airborne.off;
  const count = Math.min(4, Math.ceil(seconds / 60 / ESTIMATE_INTERVAL));
  return Array.from({ length: count }, (_, index) => {
    const at = roundToMinute(airborne.off + (seconds * (index + 0.6 + 0.3 * random(`way ${index}`))) / count);
    return { at, facts: estimateArrival(airborne, at, random) };
  });
};

const buildArrivalReports = (flight: DemoFlight, airborne: Airborne, random: NamedRandom): readonly StatusReport[] => {
  const { on, taxi, off } = airborne;
  const atGate = (on + taxi) as UtcSecond;
  const { reference, arrivalTerminal } = flight;
  const movements: readonly StatusReport[] = [
    { at: on, facts: { actualOn: on, estimatedIn: atGate } },
    { at: atGate, facts: { actualIn: atGate } },
  ];
  if (!carriesPassengers(flight)) return movements;
  const arrivalGate = assignGate(reference.arrivalAirport, arrivalTerminal, random('arrival gate'));
  const minutesBefore = Math.min((on - off) / 120, interpolate(random('arrival gate at'), 15, 40));
  const change = { at: addMinutes(on, -minutesBefore), facts: { arrivalGate } };
  return [
    ...(random('arrival gate change') < ARRIVAL_GATE_CHANGED ? [change] : []),
    ...movements,
    { at: addMinutes(on, interpolate(random('belt at'), 4, 12)), facts: { baggage: assignBelt(random) } },
  ];
};

/** Returns the reports of a departure from the gate that is taken back. */
const buildGateReturnReports = (times: FlightTimes, flight: DemoFlight): readonly StatusReport[] => {
  if (!times.gateReturn) return [];
  const { out, back } = times.gateReturn;
  const estimatedOut = addMinutes(back, 60);
  const estimatedIn = addMinutes(flight.arrivesAt, (estimatedOut - flight.departsAt) / 60);
  return [
    { at: out, facts: { actualOut: out, estimatedOff: addMinutes(out, 15) } },
    { at: back, facts: { actualOut: null, estimatedOff: null, estimatedOut, estimatedIn } },
    { at: addMinutes(times.out, -10), facts: { estimatedOut: times.out } },
  ];
};

const buildSurfaceReports = ({ out, in: arrival }: FlightTimes, random: NamedRandom): readonly StatusReport[] => {
  const halfway = roundToMinute((out + arrival) / 2);
  const estimate = roundToMinute(arrival + interpolate(random('error'), -0.2, 0.2) * (arrival - halfway));
  return [
    { at: out, facts: { actualOut: out, estimatedIn: estimate } },
    { at: halfway, facts: { estimatedIn: arrival } },
    { at: arrival, facts: { actualIn: arrival } },
  ];
};

/** Returns the reports of a flight from the departure from the gate to the delivery of the baggage. */
export const buildMovementReports = (flight: DemoFlight, times: FlightTimes): readonly StatusReport[] => {
  const random = createSeededRandom(`movement|${toLegKey(flight.reference)}`);
  if (isSurfaceFlight(flight)) return buildSurfaceReports(times, random);
  const { out, off, on, diversion } = times;
  const taxi = times.in - on;
  // Until the decision to divert, estimates are for the scheduled destination.
  const plannedOn = diversion ? addMinutes(off, (flight.arrivesAt - flight.departsAt) / 60 - 20) : on;
  const planned: Airborne = { off, on: plannedOn, taxi };
  const departing: readonly StatusReport[] = [
    ...buildGateReturnReports(times, flight),
    { at: out, facts: { actualOut: out, estimatedOff: addMinutes(out, 15), ...estimateArrival(planned, out, random) } },
    { at: off, facts: { actualOff: off, ...estimateArrival(planned, off, random) } },
    ...buildEnRouteReports(planned, random).filter(({ at }) => !diversion || at < diversion.decidedAt),
  ];
  if (!diversion) return [...departing, ...buildArrivalReports(flight, planned, random)];
  const last: Airborne = diversion.continuation ? { off: diversion.continuation.off, on, taxi } : planned;
  const diverted = buildDiversionReports(diversion, estimateArrival(last, last.off, random));
  const continued = [...buildEnRouteReports(last, random), ...buildArrivalReports(flight, last, random)];
  return [...departing, ...diverted, ...(diversion.continuation ? continued : [])];
};
