import type { UtcSecond } from '../../../domain/status/instants.ts';
import { interpolate, createSeededRandom, type NamedRandom } from '../../../lib/seeded-random.ts';
import type { FlightTimes } from './flight-times.ts';
import { carriesPassengers, isSurfaceFlight, addMinutes, toLegKey, type DemoFlight } from './demo-flight.ts';
import { assignCounters, assignGate } from './gates.ts';
import { assignRegistrations } from './registrations.ts';
import type { StatusReport } from './status-reports.ts';

const AIRCRAFT_CHANGED = 0.03;
const GATE_CHANGED = 0.08;
/** A delay below this is told once, minutes; a longer one grows from one estimate to the next. */
const LONG_DELAY = 45;

/** Estimates come in steps of five minutes, as people give them. */
const inFives = (minutes: number): number => Math.round(minutes / 5) * 5;

const estimate = ({ departsAt, arrivesAt }: DemoFlight, at: UtcSecond, delay: number): StatusReport => ({
  at,
  // Nobody announces that a flight will arrive early before it is on its way.
  facts: { estimatedOut: addMinutes(departsAt, delay), estimatedIn: addMinutes(arrivesAt, Math.max(0, delay)) },
});

const facilities = (flight: DemoFlight, chance: NamedRandom, course: FlightTimes): readonly StatusReport[] => {
  const { reference, departsAt, departureTerminal, arrivalTerminal } = flight;
  if (!carriesPassengers(flight) || isSurfaceFlight(flight)) return [];
  const { departureAirport, arrivalAirport = '' } = reference;
  const departureGate = assignGate(departureAirport, departureTerminal, chance('departure gate'));
  const other = assignGate(departureAirport, departureTerminal, chance('other gate'));
  const leaves = course.firstTry?.out ?? course.out;
  const changesGate = chance('gate change') < GATE_CHANGED && other !== departureGate;
  return [
    {
      at: addMinutes(departsAt, -interpolate(chance('counter at'), 200, 260)),
      facts: { checkInCounter: assignCounters(departureAirport, departureTerminal, chance('counter')) },
    },
    {
      at: addMinutes(departsAt, -interpolate(chance('gate at'), 90, 180)),
      facts: { departureGate, arrivalGate: assignGate(arrivalAirport, arrivalTerminal, chance('arrival gate')) },
    },
    ...(changesGate
      ? [{ at: addMinutes(leaves, -interpolate(chance('change at'), 25, 60)), facts: { departureGate: other } }]
      : []),
  ];
};

/** The delay as it becomes known: roughly hours ahead, nearly exactly before the time of departure, and once more when it is long. */
const estimates = (flight: DemoFlight, chance: NamedRandom, course: FlightTimes): readonly StatusReport[] => {
  const { departsAt } = flight;
  const delay = ((course.firstTry?.out ?? course.out) - departsAt) / 60;
  const known = delay > LONG_DELAY ? delay * 0.6 : delay;
  const reports = [
    estimate(
      flight,
      addMinutes(departsAt, -interpolate(chance('guess at'), 85, 150)),
      inFives(Math.max(0, known * 0.5)),
    ),
    estimate(flight, addMinutes(departsAt, -interpolate(chance('estimate at'), 20, 45)), inFives(known)),
  ];
  if (delay <= LONG_DELAY) return reports;
  return [...reports, estimate(flight, addMinutes(departsAt, delay * 0.3), delay)];
};

const aircraft = (flight: DemoFlight, chance: NamedRandom): readonly StatusReport[] => {
  const { planned, spare } = assignRegistrations(flight);
  if (planned === '') return [];
  const change = {
    at: addMinutes(flight.departsAt, -interpolate(chance('spare at'), 300, 480)),
    facts: { registration: spare },
  };
  return chance('spare') < AIRCRAFT_CHANGED && spare !== planned ? [change] : [];
};

const orNothing = (text: string): string | undefined => (text === '' ? undefined : text);

/**
 * What is said of a flight before it leaves, from two days ahead. Up to seven hours before the scheduled time it does not
 * depend on what becomes of the flight.
 */
export const buildPredepartureReports = (flight: DemoFlight, course: FlightTimes): readonly StatusReport[] => {
  const { reference, departsAt, arrivesAt, aircraftType, departureTerminal, arrivalTerminal } = flight;
  const chance = createSeededRandom(`preparation|${toLegKey(reference)}`);
  const { planned } = assignRegistrations(flight);
  return [
    {
      at: addMinutes(departsAt, -interpolate(chance('first at'), 2760, 2880)),
      facts: {
        aircraftType,
        departureTerminal: orNothing(departureTerminal),
        arrivalTerminal: orNothing(arrivalTerminal),
      },
    },
    {
      at: addMinutes(departsAt, -interpolate(chance('day before at'), 1380, 1560)),
      facts: { registration: orNothing(planned), estimatedOut: departsAt, estimatedIn: arrivesAt },
    },
    ...aircraft(flight, chance),
    ...facilities(flight, chance, course),
    ...estimates(flight, chance, course),
  ];
};
