import type { UtcSecond } from '#domain/status/instants.ts';
import { interpolate, createSeededRandom, type NamedRandom } from '#lib/seeded-random.ts';
import { type FlightTimes, computeFlightTimes, computeOutcome, type FlightOutcome } from './flight-times.ts';
import {
  carriesPassengers,
  isSurfaceFlight,
  addMinutes,
  toLegKey,
  type DemoFlight,
  assignAircraft,
} from './demo-flight.ts';
import { assignCounters, assignGate, assignStand, type StatusReport, toMessages } from './status-reports.ts';
import type { UnscheduledFlightDescription, StatusMessage } from '#domain/status/message.ts';
import { buildMovementReports } from './movement-reports.ts';

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

const buildBoardingReports = (departs: UtcSecond, random: NamedRandom): readonly StatusReport[] => {
  const [boarding, closed] = [interpolate(random('boarding at'), 30, 45), interpolate(random('gate closed at'), 8, 15)];
  return [
    ['Boarding', addMinutes(departs, -boarding)] as const,
    ['GateClosed', addMinutes(departs, -closed)] as const,
  ].map(([status, at]) => ({ at, facts: { boarding: { status, at } } }));
};

const buildFacilityReports = (flight: DemoFlight, random: NamedRandom, times: FlightTimes): readonly StatusReport[] => {
  const { reference, departsAt, departureTerminal, arrivalTerminal } = flight;
  if (!carriesPassengers(flight) || isSurfaceFlight(flight)) return [];
  const { departureAirport, arrivalAirport = '' } = reference;
  const departureGate = assignGate(departureAirport, departureTerminal, random('departure gate'));
  const other = assignGate(departureAirport, departureTerminal, random('other gate'));
  const departs = times.gateReturn?.out ?? times.out;
  const changesGate = random('gate change') < GATE_CHANGED && other !== departureGate;
  const counterAt = addMinutes(departsAt, -interpolate(random('counter at'), 200, 260));
  return [
    {
      at: counterAt,
      facts: {
        checkInCounter: assignCounters(departureAirport, departureTerminal, random('counter')),
        checkIn: { status: 'Open', at: counterAt },
      },
    },
    {
      at: addMinutes(departsAt, -interpolate(random('gate at'), 90, 180)),
      facts: {
        departureGate,
        departureStand: assignStand(random('departure stand')),
        arrivalGate: assignGate(arrivalAirport, arrivalTerminal, random('arrival gate')),
        arrivalStand: assignStand(random('arrival stand')),
      },
    },
    ...buildBoardingReports(departs, random),
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
const buildPredepartureReports = (flight: DemoFlight, times: FlightTimes): readonly StatusReport[] => {
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

const buildPlan = (flight: DemoFlight): UnscheduledFlightDescription | undefined => {
  const { reference, departsAt, arrivesAt, serviceType, aircraftType, unscheduled } = flight;
  if (!unscheduled) return undefined;
  return {
    flightType: 'Unscheduled',
    departureAirport: reference.departureAirport,
    arrivalAirport: reference.arrivalAirport ?? '',
    departsAt,
    arrivesAt,
    serviceType,
    aircraftType,
    recovers: unscheduled.recovers,
  };
};

/** Postpones the reports of an interval to its end; their order stays. */
const postponeReports = (
  reports: readonly StatusReport[],
  from: UtcSecond,
  until: UtcSecond,
): readonly StatusReport[] =>
  reports
    .toSorted((a, b) => a.at - b.at)
    .map((report) => (report.at >= from && report.at < until ? { ...report, at: until } : report));

/** Returns the departure of the first leg: a cancellation applies to all legs, and its time counts from there. */
const findFirstDeparture = (flight: DemoFlight): UtcSecond =>
  flight.previousLeg === undefined ? flight.departsAt : findFirstDeparture(flight.previousLeg);

const applyCancellation = (
  reports: readonly StatusReport[],
  flight: DemoFlight,
  outcome: FlightOutcome,
): readonly StatusReport[] => {
  if (outcome.kind !== 'cancelled' && outcome.kind !== 'reinstated') return reports;
  const at = addMinutes(findFirstDeparture(flight), -outcome.minutesBefore);
  const cancellation: StatusReport = { at, facts: { cancelled: true } };
  if (outcome.kind === 'cancelled') return [...reports.filter((report) => report.at < at), cancellation];
  const again = addMinutes(findFirstDeparture(flight), -outcome.againMinutesBefore);
  const reinstatement: StatusReport = { at: again, facts: { cancelled: false } };
  return [cancellation, reinstatement, ...postponeReports(reports, at, again)];
};

/** Returns the reporting delay of a leg, 30 to 110 seconds; it is constant, so that reports stay in order. */
const computeLatency = ({ reference }: DemoFlight): number =>
  30 + Math.floor(createSeededRandom('latency')(toLegKey(reference)) * 80);

const buildDelayedReports = (times: FlightTimes, flight: DemoFlight): readonly StatusReport[] => {
  const latency = computeLatency(flight);
  return buildMovementReports(flight, times).map((report) => ({ ...report, at: (report.at + latency) as UtcSecond }));
};

/**
 * Returns all messages of a flight in ascending order: from two days before its scheduled departure, or from its
 * announcement if it has no schedule, to the delivery of its baggage. The result depends on flight and outcome only;
 * the outcome changes no message from before seven hours ahead of the first departure.
 */
export const buildFlightMessages = (
  flight: DemoFlight,
  outcome: FlightOutcome = computeOutcome(flight),
): readonly StatusMessage[] => {
  const times = computeFlightTimes(flight, outcome);
  const reports = [...buildPredepartureReports(flight, times), ...buildDelayedReports(times, flight)];
  const announcedAt = flight.unscheduled?.announcedAt;
  const announced = announcedAt === undefined ? reports : postponeReports(reports, -Infinity as UtcSecond, announcedAt);
  return toMessages(applyCancellation(announced, flight, outcome), {
    reference: flight.reference,
    plan: buildPlan(flight),
  });
};
