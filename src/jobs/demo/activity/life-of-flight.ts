import type { UtcSecond } from '../../../domain/status/instants.ts';
import type { FlightPlan, StatusMessage } from '../../../domain/status/message.ts';
import { chanceOf } from './chance.ts';
import { courseOf, type Course } from './course.ts';
import { later, legKey, type DemoFlight } from './demo-flight.ts';
import { fateOf, type Fate } from './fate.ts';
import { movementsOf } from './movement.ts';
import { preparationsOf } from './preparation.ts';
import { toMessages, type Report } from './reports.ts';

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
const holdBack = (reports: readonly Report[], from: UtcSecond, until: UtcSecond): readonly Report[] =>
  reports
    .toSorted((a, b) => a.at - b.at)
    .map((report) => (report.at >= from && report.at < until ? { ...report, at: until } : report));

/** A flight is called off with all its legs, counted from the departure of the first. */
const firstDeparture = (flight: DemoFlight): UtcSecond =>
  flight.follows === undefined ? flight.departsAt : firstDeparture(flight.follows);

const withCancellation = (reports: readonly Report[], flight: DemoFlight, fate: Fate): readonly Report[] => {
  if (fate.kind !== 'cancelled' && fate.kind !== 'reinstated') return reports;
  const at = later(firstDeparture(flight), -fate.minutesBefore);
  const cancellation: Report = { at, facts: { cancelled: true } };
  if (fate.kind === 'cancelled') return [...reports.filter((report) => report.at < at), cancellation];
  const again = later(firstDeparture(flight), -fate.againMinutesBefore);
  const reinstatement: Report = { at: again, facts: { cancelled: false } };
  return [cancellation, reinstatement, ...holdBack(reports, at, again)];
};

/** Seconds after which what happens is known, 30 to 110, the same for all that happens to a leg: so nothing overtakes. */
const latencyOf = ({ reference }: DemoFlight): number => 30 + Math.floor(chanceOf('latency')(legKey(reference)) * 80);

const asKnown = (course: Course, flight: DemoFlight): readonly Report[] => {
  const latency = latencyOf(flight);
  return movementsOf(flight, course).map((report) => ({ ...report, at: (report.at + latency) as UtcSecond }));
};

/**
 * All messages of a flight, ascending: from two days before its scheduled departure, or from its announcement when no schedule
 * holds it, until its baggage is there. The same flight with the same fate always has the same life; from one fate to another
 * it differs from seven hours before the departure of the first leg on, not before.
 */
export const lifeOfFlight = (flight: DemoFlight, fate: Fate = fateOf(flight)): readonly StatusMessage[] => {
  const course = courseOf(flight, fate);
  const reports = [...preparationsOf(flight, course), ...asKnown(course, flight)];
  const announcedAt = flight.unscheduled?.announcedAt;
  const told = announcedAt === undefined ? reports : holdBack(reports, -Infinity as UtcSecond, announcedAt);
  return toMessages(withCancellation(told, flight, fate), { reference: flight.reference, plan: planOf(flight) });
};
