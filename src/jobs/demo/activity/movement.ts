import type { UtcSecond } from '../../../domain/status/instants.ts';
import { between, chanceOf, type Chance } from './chance.ts';
import type { Course } from './course.ts';
import { carriesPassengers, keepsToTheGround, later, legKey, type DemoFlight } from './demo-flight.ts';
import { diversionReports } from './diversion.ts';
import { beltBy, gateAt } from './gates.ts';
import type { Report } from './reports.ts';

const ARRIVAL_GATE_CHANGED = 0.1;
/** One estimate on the way for so many minutes in the air, four at the most. */
const ESTIMATE_EVERY = 100;
/** The first estimates of touchdown are wrong by up to this share of the time still to fly. */
const ERROR = 0.06;

/** A stretch from take-off to touchdown, and how long it rolls to its gate, seconds. */
type Stretch = { readonly off: UtcSecond; readonly on: UtcSecond; readonly taxi: number };

const minuteOf = (at: number): UtcSecond => (Math.round(at / 60) * 60) as UtcSecond;

/** Touchdown and gate as somebody sees them at a moment of the flight: the nearer, the truer. */
const expected = ({ on, taxi }: Stretch, at: UtcSecond, chance: Chance) => {
  const error = between(chance('error'), -ERROR, ERROR) * Math.max(0, on - at);
  const estimatedOn = minuteOf(on + error);
  return { estimatedOn, estimatedIn: minuteOf(estimatedOn + taxi) };
};

const onTheWay = (stretch: Stretch, chance: Chance): readonly Report[] => {
  const airborne = stretch.on - stretch.off;
  const count = Math.min(4, Math.ceil(airborne / 60 / ESTIMATE_EVERY));
  return Array.from({ length: count }, (_, index) => {
    const at = minuteOf(stretch.off + (airborne * (index + 0.6 + 0.3 * chance(`way ${index}`))) / count);
    return { at, facts: expected(stretch, at, chance) };
  });
};

const arrival = (flight: DemoFlight, stretch: Stretch, chance: Chance): readonly Report[] => {
  const { on, taxi, off } = stretch;
  const atGate = (on + taxi) as UtcSecond;
  const { reference, arrivalTerminal } = flight;
  const movements: readonly Report[] = [
    { at: on, facts: { actualOn: on, estimatedIn: atGate } },
    { at: atGate, facts: { actualIn: atGate } },
  ];
  if (!carriesPassengers(flight)) return movements;
  const arrivalGate = gateAt(reference.arrivalAirport ?? '', arrivalTerminal, chance('arrival gate'));
  const before = Math.min((on - off) / 120, between(chance('arrival gate at'), 15, 40));
  const change = { at: later(on, -before), facts: { arrivalGate } };
  return [
    ...(chance('arrival gate change') < ARRIVAL_GATE_CHANGED ? [change] : []),
    ...movements,
    { at: later(on, between(chance('belt at'), 4, 12)), facts: { baggage: beltBy(chance) } },
  ];
};

/** A first leaving of the gate that is taken back. */
const firstTry = (course: Course, flight: DemoFlight): readonly Report[] => {
  if (!course.firstTry) return [];
  const { out, back } = course.firstTry;
  const delay = (later(back, 60) - flight.departsAt) / 60;
  return [
    { at: out, facts: { actualOut: out, estimatedOff: later(out, 15) } },
    {
      at: back,
      facts: {
        actualOut: null,
        estimatedOff: null,
        estimatedOut: later(back, 60),
        estimatedIn: later(flight.arrivesAt, delay),
      },
    },
    { at: later(course.out, -10), facts: { estimatedOut: course.out } },
  ];
};

const byRoad = ({ out, in: there }: Course, chance: Chance): readonly Report[] => {
  const halfway = minuteOf((out + there) / 2);
  const guess = minuteOf(there + between(chance('error'), -0.2, 0.2) * (there - halfway));
  return [
    { at: out, facts: { actualOut: out, estimatedIn: guess } },
    { at: halfway, facts: { estimatedIn: there } },
    { at: there, facts: { actualIn: there } },
  ];
};

/** What is reported of a flight from the moment it leaves the gate until the baggage is there. */
export const movementsOf = (flight: DemoFlight, course: Course): readonly Report[] => {
  const chance = chanceOf(`movement|${legKey(flight.reference)}`);
  if (keepsToTheGround(flight)) return byRoad(course, chance);
  const { out, off, on, landing } = course;
  const taxi = course.in - on;
  // Until somebody decides otherwise the flight is on its way to where it was to go.
  const planned: Stretch = {
    off,
    on: landing ? later(off, (flight.arrivesAt - flight.departsAt) / 60 - 20) : on,
    taxi,
  };
  const last: Stretch = landing?.goesOn ? { off: landing.goesOn.off, on, taxi } : planned;
  const before = onTheWay(planned, chance).filter(({ at }) => !landing || at < landing.decidedAt);
  const leaving: readonly Report[] = [
    ...firstTry(course, flight),
    { at: out, facts: { actualOut: out, estimatedOff: later(out, 15), ...expected(planned, out, chance) } },
    { at: off, facts: { actualOff: off, ...expected(planned, off, chance) } },
    ...before,
  ];
  if (!landing) return [...leaving, ...arrival(flight, last, chance)];
  const diversion = diversionReports(landing, expected(last, last.off, chance));
  if (!landing.goesOn) return [...leaving, ...diversion];
  return [...leaving, ...diversion, ...onTheWay(last, chance), ...arrival(flight, last, chance)];
};
