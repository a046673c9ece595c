import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { FlightPlan, StatusMessage } from '../../../domain/status/message.ts';
import { createSeededRandom } from '../../../lib/seeded-random.ts';
import { computeFlightTimes, type FlightTimes } from './flight-times.ts';
import { addMinutes, toLegKey, type DemoFlight } from './demo-flight.ts';
import { computeOutcome, type FlightOutcome } from './flight-outcome.ts';
import { buildMovementReports } from './movement-reports.ts';
import { buildPredepartureReports } from './predeparture-reports.ts';
import { toMessages, type StatusReport } from './status-reports.ts';

const planOf = (flight: DemoFlight): FlightPlan | undefined => {
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

/** Reports of a time when nobody may speak of the flight wait until somebody may; their order stays. */
const holdBack = (reports: readonly StatusReport[], from: UtcSecond, until: UtcSecond): readonly StatusReport[] =>
  reports
    .toSorted((a, b) => a.at - b.at)
    .map((report) => (report.at >= from && report.at < until ? { ...report, at: until } : report));

/** A flight is called off with all its legs, counted from the departure of the first. */
const firstDeparture = (flight: DemoFlight): UtcSecond =>
  flight.previousLeg === undefined ? flight.departsAt : firstDeparture(flight.previousLeg);

const withCancellation = (
  reports: readonly StatusReport[],
  flight: DemoFlight,
  fate: FlightOutcome,
): readonly StatusReport[] => {
  if (fate.kind !== 'cancelled' && fate.kind !== 'reinstated') return reports;
  const at = addMinutes(firstDeparture(flight), -fate.minutesBefore);
  const cancellation: StatusReport = { at, facts: { cancelled: true } };
  if (fate.kind === 'cancelled') return [...reports.filter((report) => report.at < at), cancellation];
  const again = addMinutes(firstDeparture(flight), -fate.againMinutesBefore);
  const reinstatement: StatusReport = { at: again, facts: { cancelled: false } };
  return [cancellation, reinstatement, ...holdBack(reports, at, again)];
};

/** Seconds after which what happens is known, 30 to 110, the same for all that happens to a leg: so nothing overtakes. */
const latencyOf = ({ reference }: DemoFlight): number =>
  30 + Math.floor(createSeededRandom('latency')(toLegKey(reference)) * 80);

const asKnown = (course: FlightTimes, flight: DemoFlight): readonly StatusReport[] => {
  const latency = latencyOf(flight);
  return buildMovementReports(flight, course).map((report) => ({ ...report, at: (report.at + latency) as UtcSecond }));
};

/**
 * All messages of a flight, ascending: from two days before its scheduled departure, or from its announcement when no schedule
 * holds it, until its baggage is there. The same flight with the same fate always has the same life; from one fate to another
 * it differs from seven hours before the departure of the first leg on, not before.
 */
export const buildFlightMessages = (
  flight: DemoFlight,
  fate: FlightOutcome = computeOutcome(flight),
): readonly StatusMessage[] => {
  const course = computeFlightTimes(flight, fate);
  const reports = [...buildPredepartureReports(flight, course), ...asKnown(course, flight)];
  const announcedAt = flight.unscheduled?.announcedAt;
  const told = announcedAt === undefined ? reports : holdBack(reports, -Infinity as UtcSecond, announcedAt);
  return toMessages(withCancellation(told, flight, fate), { reference: flight.reference, plan: planOf(flight) });
};
