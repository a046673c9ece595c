import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { UnscheduledFlightDescription, StatusMessage } from '../../../domain/status/message.ts';
import { createSeededRandom } from '../../../lib/seeded-random.ts';
import { computeFlightTimes, type FlightTimes } from './flight-times.ts';
import { addMinutes, toLegKey, type DemoFlight } from './demo-flight.ts';
import { computeOutcome, type FlightOutcome } from './flight-outcome.ts';
import { buildMovementReports } from './movement-reports.ts';
import { buildPredepartureReports } from './predeparture-reports.ts';
import { toMessages, type StatusReport } from './status-reports.ts';

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
