import type { UtcSecond } from '../../../domain/status/instants.ts';
import { interpolate, createSeededRandom, type NamedRandom } from '../../../lib/seeded-random.ts';
import type { FlightTimes } from './flight-times.ts';
import { carriesPassengers, isSurfaceFlight, addMinutes, toLegKey, type DemoFlight } from './demo-flight.ts';
import { assignCounters, assignGate } from './gates.ts';
import { assignAircraft } from './registrations.ts';
import type { StatusReport } from './status-reports.ts';

const GATE_CHANGED = 0.08;
/** A shorter delay is estimated correctly at once; a longer one grows from one estimate to the next. Minutes. */
const LONG_DELAY = 45;

/** Estimates are multiples of five minutes. */
const roundToFive = (minutes: number): number => Math.round(minutes / 5) * 5;

const buildEstimate = ({ departsAt, arrivesAt }: DemoFlight, at: UtcSecond, delay: number): StatusReport => ({
  at,
  // An early arrival is not estimated before departure.
  facts: { estimatedOut: addMinutes(departsAt, delay), estimatedIn: addMinutes(arrivesAt, Math.max(0, delay)) },
});

const buildFacilityReports = (flight: DemoFlight, random: NamedRandom, times: FlightTimes): readonly StatusReport[] => {
  const { reference, departsAt, departureTerminal, arrivalTerminal } = flight;
  if (!carriesPassengers(flight) || isSurfaceFlight(flight)) return [];
  const { departureAirport, arrivalAirport = '' } = reference;
  const departureGate = assignGate(departureAirport, departureTerminal, random('departure gate'));
  const other = assignGate(departureAirport, departureTerminal, random('other gate'));
  const departs = times.gateReturn?.out ?? times.out;
  const changesGate = random('gate change') < GATE_CHANGED && other !== departureGate;
  return [
    {
      at: addMinutes(departsAt, -interpolate(random('counter at'), 200, 260)),
      facts: { checkInCounter: assignCounters(departureAirport, departureTerminal, random('counter')) },
    },
    {
      at: addMinutes(departsAt, -interpolate(random('gate at'), 90, 180)),
      facts: { departureGate, arrivalGate: assignGate(arrivalAirport, arrivalTerminal, random('arrival gate')) },
    },
    ...(changesGate
      ? [{ at: addMinutes(departs, -interpolate(random('change at'), 25, 60)), facts: { departureGate: other } }]
      : []),
  ];
};

/**
 * Returns the estimates of a delay: a rough one hours ahead, a better one shortly before departure, and a third one for
 * a long delay.
 */
const buildEstimates = (flight: DemoFlight, random: NamedRandom, times: FlightTimes): readonly StatusReport[] => {
  const { departsAt } = flight;
  const delay = ((times.gateReturn?.out ?? times.out) - departsAt) / 60;
  const estimated = delay > LONG_DELAY ? delay * 0.6 : delay;
  const reports = [
    buildEstimate(
      flight,
      addMinutes(departsAt, -interpolate(random('guess at'), 85, 150)),
      roundToFive(Math.max(0, estimated * 0.5)),
    ),
    buildEstimate(flight, addMinutes(departsAt, -interpolate(random('estimate at'), 20, 45)), roundToFive(estimated)),
  ];
  if (delay <= LONG_DELAY) return reports;
  return [...reports, buildEstimate(flight, addMinutes(departsAt, delay * 0.3), delay)];
};

const buildAircraftReports = (flight: DemoFlight, random: NamedRandom): readonly StatusReport[] => {
  const { spare } = assignAircraft(flight);
  if (spare === undefined) return [];
  return [
    { at: addMinutes(flight.departsAt, -interpolate(random('spare at'), 300, 480)), facts: { registration: spare } },
  ];
};

const orUndefined = (text: string): string | undefined => (text === '' ? undefined : text);

/**
 * Returns the reports of a flight before its departure, from two days ahead. Until seven hours before the scheduled
 * departure they do not depend on the outcome of the flight.
 */
export const buildPredepartureReports = (flight: DemoFlight, times: FlightTimes): readonly StatusReport[] => {
  const { reference, departsAt, arrivesAt, aircraftType, departureTerminal, arrivalTerminal } = flight;
  const random = createSeededRandom(`preparation|${toLegKey(reference)}`);
  const { planned } = assignAircraft(flight);
  return [
    {
      at: addMinutes(departsAt, -interpolate(random('first at'), 2760, 2880)),
      facts: {
        aircraftType,
        departureTerminal: orUndefined(departureTerminal),
        arrivalTerminal: orUndefined(arrivalTerminal),
      },
    },
    {
      at: addMinutes(departsAt, -interpolate(random('day before at'), 1380, 1560)),
      facts: { registration: orUndefined(planned), estimatedOut: departsAt, estimatedIn: arrivesAt },
    },
    ...buildAircraftReports(flight, random),
    ...buildFacilityReports(flight, random, times),
    ...buildEstimates(flight, random, times),
  ];
};
