import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { FlightFacts } from '../../../domain/status/message.ts';
import { createSeededRandom, interpolate, type NamedRandom } from '../../../lib/seeded-random.ts';
import { addMinutes, carriesPassengers, type DemoFlight, isSurfaceFlight, toLegKey } from './demo-flight.ts';
import type { FlightTimes, PlannedDiversion } from './flight-times.ts';
import { assignBelt, assignGate } from './gates.ts';
import type { StatusReport } from './status-reports.ts';

/** The only landing elsewhere that a flight of the demo world makes. */
const ID = '1';

/** What is reported of a landing elsewhere; `expected` is when the flight will then be where it was to go, if it goes on. */
const buildDiversionReports = (landing: PlannedDiversion, expected: FlightFacts): readonly StatusReport[] => {
  const { airport, type, decidedAt, on, in: atGate, goesOn } = landing;
  const continues = goesOn !== undefined;
  const decided: StatusReport = {
    at: decidedAt,
    facts: { estimatedOn: null, estimatedIn: null },
    landings: [{ id: ID, airport, type, estimatedOn: on, estimatedIn: atGate, continues }],
  };
  const down: readonly StatusReport[] = [
    decided,
    { at: on, facts: {}, landings: [{ id: ID, actualOn: on, estimatedIn: atGate }] },
    { at: atGate, facts: {}, landings: [{ id: ID, actualIn: atGate }] },
  ];
  if (!goesOn) return down;
  const { out, off } = goesOn;
  return [
    ...down,
    { at: addMinutes(atGate, 8), facts: expected, landings: [{ id: ID, estimatedOut: out, estimatedOff: off }] },
    { at: out, facts: {}, landings: [{ id: ID, actualOut: out }] },
    { at: off, facts: expected, landings: [{ id: ID, actualOff: off }] },
  ];
};

const ARRIVAL_GATE_CHANGED = 0.1;
/** One estimate on the way for so many minutes in the air, four at the most. */
const ESTIMATE_EVERY = 100;
/** The first estimates of touchdown are wrong by up to this share of the time still to fly. */
const ERROR = 0.06;

/** A stretch from take-off to touchdown, and how long it rolls to its gate, seconds. */
type Stretch = { readonly off: UtcSecond; readonly on: UtcSecond; readonly taxi: number };

const minuteOf = (at: number): UtcSecond => (Math.round(at / 60) * 60) as UtcSecond;

/** Touchdown and gate as somebody sees them at a moment of the flight: the nearer, the truer. */
const expected = ({ on, taxi }: Stretch, at: UtcSecond, chance: NamedRandom) => {
  const error = interpolate(chance('error'), -ERROR, ERROR) * Math.max(0, on - at);
  const estimatedOn = minuteOf(on + error);
  return { estimatedOn, estimatedIn: minuteOf(estimatedOn + taxi) };
};

const onTheWay = (stretch: Stretch, chance: NamedRandom): readonly StatusReport[] => {
  const airborne = stretch.on - stretch.off;
  const count = Math.min(4, Math.ceil(airborne / 60 / ESTIMATE_EVERY));
  return Array.from({ length: count }, (_, index) => {
    const at = minuteOf(stretch.off + (airborne * (index + 0.6 + 0.3 * chance(`way ${index}`))) / count);
    return { at, facts: expected(stretch, at, chance) };
  });
};

const arrival = (flight: DemoFlight, stretch: Stretch, chance: NamedRandom): readonly StatusReport[] => {
  const { on, taxi, off } = stretch;
  const atGate = (on + taxi) as UtcSecond;
  const { reference, arrivalTerminal } = flight;
  const movements: readonly StatusReport[] = [
    { at: on, facts: { actualOn: on, estimatedIn: atGate } },
    { at: atGate, facts: { actualIn: atGate } },
  ];
  if (!carriesPassengers(flight)) return movements;
  const arrivalGate = assignGate(reference.arrivalAirport ?? '', arrivalTerminal, chance('arrival gate'));
  const before = Math.min((on - off) / 120, interpolate(chance('arrival gate at'), 15, 40));
  const change = { at: addMinutes(on, -before), facts: { arrivalGate } };
  return [
    ...(chance('arrival gate change') < ARRIVAL_GATE_CHANGED ? [change] : []),
    ...movements,
    { at: addMinutes(on, interpolate(chance('belt at'), 4, 12)), facts: { baggage: assignBelt(chance) } },
  ];
};

/** A first leaving of the gate that is taken back. */
const firstTry = (course: FlightTimes, flight: DemoFlight): readonly StatusReport[] => {
  if (!course.firstTry) return [];
  const { out, back } = course.firstTry;
  const delay = (addMinutes(back, 60) - flight.departsAt) / 60;
  return [
    { at: out, facts: { actualOut: out, estimatedOff: addMinutes(out, 15) } },
    {
      at: back,
      facts: {
        actualOut: null,
        estimatedOff: null,
        estimatedOut: addMinutes(back, 60),
        estimatedIn: addMinutes(flight.arrivesAt, delay),
      },
    },
    { at: addMinutes(course.out, -10), facts: { estimatedOut: course.out } },
  ];
};

const byRoad = ({ out, in: there }: FlightTimes, chance: NamedRandom): readonly StatusReport[] => {
  const halfway = minuteOf((out + there) / 2);
  const guess = minuteOf(there + interpolate(chance('error'), -0.2, 0.2) * (there - halfway));
  return [
    { at: out, facts: { actualOut: out, estimatedIn: guess } },
    { at: halfway, facts: { estimatedIn: there } },
    { at: there, facts: { actualIn: there } },
  ];
};

/** What is reported of a flight from the moment it leaves the gate until the baggage is there. */
export const buildMovementReports = (flight: DemoFlight, course: FlightTimes): readonly StatusReport[] => {
  const chance = createSeededRandom(`movement|${toLegKey(flight.reference)}`);
  if (isSurfaceFlight(flight)) return byRoad(course, chance);
  const { out, off, on, landing } = course;
  const taxi = course.in - on;
  // Until somebody decides otherwise the flight is on its way to where it was to go.
  const planned: Stretch = {
    off,
    on: landing ? addMinutes(off, (flight.arrivesAt - flight.departsAt) / 60 - 20) : on,
    taxi,
  };
  const last: Stretch = landing?.goesOn ? { off: landing.goesOn.off, on, taxi } : planned;
  const before = onTheWay(planned, chance).filter(({ at }) => !landing || at < landing.decidedAt);
  const leaving: readonly StatusReport[] = [
    ...firstTry(course, flight),
    { at: out, facts: { actualOut: out, estimatedOff: addMinutes(out, 15), ...expected(planned, out, chance) } },
    { at: off, facts: { actualOff: off, ...expected(planned, off, chance) } },
    ...before,
  ];
  if (!landing) return [...leaving, ...arrival(flight, last, chance)];
  const diversion = buildDiversionReports(landing, expected(last, last.off, chance));
  if (!landing.goesOn) return [...leaving, ...diversion];
  return [...leaving, ...diversion, ...onTheWay(last, chance), ...arrival(flight, last, chance)];
};
