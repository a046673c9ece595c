import type { UtcSecond } from '../../../domain/status/instants.ts';
import { between, chanceOf, type Chance } from './chance.ts';
import type { Course } from './course.ts';
import { carriesPassengers, keepsToTheGround, later, legKey, type DemoFlight } from './demo-flight.ts';
import { countersAt, gateAt } from './gates.ts';
import { aircraftFor } from './registrations.ts';
import type { Report } from './reports.ts';

const AIRCRAFT_CHANGED = 0.03;
const GATE_CHANGED = 0.08;
/** A delay below this is told once, minutes; a longer one grows from one estimate to the next. */
const LONG_DELAY = 45;

/** Estimates come in steps of five minutes, as people give them. */
const inFives = (minutes: number): number => Math.round(minutes / 5) * 5;

const estimate = ({ departsAt, arrivesAt }: DemoFlight, at: UtcSecond, delay: number): Report => ({
  at,
  // Nobody announces that a flight will arrive early before it is on its way.
  facts: { estimatedOut: later(departsAt, delay), estimatedIn: later(arrivesAt, Math.max(0, delay)) },
});

const facilities = (flight: DemoFlight, chance: Chance, course: Course): readonly Report[] => {
  const { reference, departsAt, departureTerminal, arrivalTerminal } = flight;
  if (!carriesPassengers(flight) || keepsToTheGround(flight)) return [];
  const { departureAirport, arrivalAirport = '' } = reference;
  const departureGate = gateAt(departureAirport, departureTerminal, chance('departure gate'));
  const other = gateAt(departureAirport, departureTerminal, chance('other gate'));
  const leaves = course.firstTry?.out ?? course.out;
  const changesGate = chance('gate change') < GATE_CHANGED && other !== departureGate;
  return [
    {
      at: later(departsAt, -between(chance('counter at'), 200, 260)),
      facts: { checkInCounter: countersAt(departureAirport, departureTerminal, chance('counter')) },
    },
    {
      at: later(departsAt, -between(chance('gate at'), 90, 180)),
      facts: { departureGate, arrivalGate: gateAt(arrivalAirport, arrivalTerminal, chance('arrival gate')) },
    },
    ...(changesGate
      ? [{ at: later(leaves, -between(chance('change at'), 25, 60)), facts: { departureGate: other } }]
      : []),
  ];
};

/** The delay as it becomes known: roughly hours ahead, nearly exactly before the time of departure, and once more when it is long. */
const estimates = (flight: DemoFlight, chance: Chance, course: Course): readonly Report[] => {
  const { departsAt } = flight;
  const delay = ((course.firstTry?.out ?? course.out) - departsAt) / 60;
  const known = delay > LONG_DELAY ? delay * 0.6 : delay;
  const reports = [
    estimate(flight, later(departsAt, -between(chance('guess at'), 85, 150)), inFives(Math.max(0, known * 0.5))),
    estimate(flight, later(departsAt, -between(chance('estimate at'), 20, 45)), inFives(known)),
  ];
  if (delay <= LONG_DELAY) return reports;
  return [...reports, estimate(flight, later(departsAt, delay * 0.3), delay)];
};

const aircraft = (flight: DemoFlight, chance: Chance): readonly Report[] => {
  const { planned, spare } = aircraftFor(flight);
  if (planned === '') return [];
  const change = {
    at: later(flight.departsAt, -between(chance('spare at'), 300, 480)),
    facts: { registration: spare },
  };
  return chance('spare') < AIRCRAFT_CHANGED && spare !== planned ? [change] : [];
};

const orNothing = (text: string): string | undefined => (text === '' ? undefined : text);

/**
 * What is said of a flight before it leaves, from two days ahead. Up to seven hours before the scheduled time it does not
 * depend on what becomes of the flight.
 */
export const preparationsOf = (flight: DemoFlight, course: Course): readonly Report[] => {
  const { reference, departsAt, arrivesAt, aircraftType, departureTerminal, arrivalTerminal } = flight;
  const chance = chanceOf(`preparation|${legKey(reference)}`);
  const { planned } = aircraftFor(flight);
  return [
    {
      at: later(departsAt, -between(chance('first at'), 2760, 2880)),
      facts: {
        aircraftType,
        departureTerminal: orNothing(departureTerminal),
        arrivalTerminal: orNothing(arrivalTerminal),
      },
    },
    {
      at: later(departsAt, -between(chance('day before at'), 1380, 1560)),
      facts: { registration: orNothing(planned), estimatedOut: departsAt, estimatedIn: arrivesAt },
    },
    ...aircraft(flight, chance),
    ...facilities(flight, chance, course),
    ...estimates(flight, chance, course),
  ];
};
