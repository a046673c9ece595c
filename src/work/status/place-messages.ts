import type { Directory } from '../../domain/directory.ts';
import { keyOrder } from '../../domain/keys.ts';
import { dateAt } from '../../domain/dates.ts';
import type { LandingFacts, StatusMessage } from '../../domain/status/message.ts';
import type { Sql } from '../../store/database.ts';
import type { StatusSubject } from '../../store/flight-statuses.ts';
import type { InstanceRow } from '../../store/instance-days.ts';
import type { StatusTarget } from '../../store/status-targets.ts';
import { matchFlights } from './match-flights.ts';
import { planUnscheduled } from './plan-flights.ts';
import { frameOf, readListRow } from './scheduled-frame.ts';
import { locationMeant } from './station-codes.ts';

/** What became of the search for a message's flight. */
export type Placed =
  | {
      readonly subject: StatusSubject;
      readonly facts: StatusMessage['facts'];
      readonly landings: readonly LandingFacts<number>[];
      /** Where the message describes a flight that no schedule holds: that flight, and what its times would be compared with. */
      readonly plan?: { readonly row: InstanceRow; readonly frame: StatusSubject['frame'] };
    }
  | { readonly reason: string; readonly value: string };

type Landings =
  | { readonly landings: readonly LandingFacts<number>[] }
  | { readonly reason: string; readonly value: string };

const resolveLandings = (landings: readonly LandingFacts<string>[], directory: Directory): Landings => {
  const resolved: LandingFacts<number>[] = [];
  for (const { airport, ...landing } of landings) {
    if (airport === undefined || airport === null) {
      resolved.push(airport === null ? { ...landing, airport } : landing);
      continue;
    }
    const location = locationMeant(directory, airport);
    if (!location) return { reason: 'airport-unknown', value: airport };
    resolved.push({ ...landing, airport: location.id });
  }
  return { landings: resolved };
};

/**
 * A report of arrival at an airport where the flight was not due is the report of a landing elsewhere: a telegram names the
 * airport it comes from, and cannot know the schedule.
 */
const withUnforeseenLanding = (message: StatusMessage, arrival: number, directory: Directory): StatusMessage => {
  const { flight, facts, landings } = message;
  if (flight.by !== 'designator' || flight.departureAirport !== '' || flight.arrivalAirport === undefined)
    return message;
  if (locationMeant(directory, flight.arrivalAirport)?.id === arrival) return message;
  const {
    estimatedOn,
    estimatedIn,
    actualOn,
    actualIn,
    arrivalGate: _g,
    arrivalTerminal: _t,
    baggage: _b,
    ...others
  } = facts;
  const landing = {
    id: flight.arrivalAirport,
    airport: flight.arrivalAirport,
    ...(estimatedOn !== undefined && { estimatedOn }),
    ...(estimatedIn !== undefined && { estimatedIn }),
    ...(actualOn !== undefined && { actualOn }),
    ...(actualIn !== undefined && { actualIn }),
  };
  return { ...message, facts: others, landings: [...landings, landing] };
};

const subjectOfTarget = (target: StatusTarget): StatusSubject => {
  const { departsOn, statusOrder, standing } = target;
  if (standing) return { departsOn, statusOrder, ...standing };
  const row = readListRow(target);
  return {
    departsOn,
    statusOrder,
    key: Buffer.from(row.statusKey, 'hex'),
    frame: frameOf(target, row),
  };
};

const subjectOfRow = (row: InstanceRow): StatusSubject => {
  const departsOn = dateAt(row.departsAt);
  const target = {
    departsOn,
    key: row.key,
    keyOrder: keyOrder(row.key),
    statusOrder: keyOrder(row.statusKey),
    departure: row.departureId,
    arrival: row.arrivalId,
    flightType: row.flightType,
    serviceType: row.serviceType,
    isMarketing: false,
    isRecovery: row.original !== undefined,
    doc: row.doc,
  };
  return subjectOfTarget(target);
};

/** Finds the flight of each message, or lays out the one that a message describes; each answer stands in its message's place. */
export const placeMessages = async (
  sql: Sql,
  messages: readonly StatusMessage[],
  directory: Directory,
): Promise<readonly Placed[]> => {
  const matches = await matchFlights(
    sql,
    messages.map(({ flight }) => flight),
    directory,
  );
  const recovering = messages.flatMap(({ plan }) => (plan?.recovers ? [plan.recovers] : []));
  const originals = new Map(
    recovering.length === 0
      ? []
      : (await matchFlights(sql, recovering, directory)).map((match, index) => [recovering[index], match] as const),
  );
  return messages.map((message, index): Placed => {
    const match = matches[index];
    const target = match && 'target' in match ? match.target : undefined;
    const { plan, flight } = message;
    const told = target ? withUnforeseenLanding(message, target.arrival, directory) : message;
    const resolved = resolveLandings(told.landings, directory);
    if ('reason' in resolved) return resolved;
    const { landings } = resolved;
    const { facts } = told;
    if (plan && target?.flightType !== 'S') {
      const original = plan.recovers && originals.get(plan.recovers);
      const context = { reference: flight, original: original && 'target' in original ? original.target : undefined };
      const planned = planUnscheduled(plan, context, directory);
      if ('reason' in planned) return planned;
      const own = subjectOfRow(planned.row);
      const subject = target ? subjectOfTarget(target) : own;
      return { subject, facts, landings, plan: { row: planned.row, frame: own.frame } };
    }
    if (target) return { subject: subjectOfTarget(target), facts, landings };
    const reason = match && 'reason' in match ? match.reason : 'no-such-flight';
    return { reason, value: describeReference(flight) };
  });
};

/** A reference as a person reads it. */
export const describeReference = (flight: StatusMessage['flight']): string =>
  flight.by === 'designator'
    ? `${flight.carrier} ${flight.flightNumber}${flight.suffix} of ${new Date(flight.originDate * 86_400_000).toISOString().slice(0, 10)}, ${flight.departureAirport || '?'}-${flight.arrivalAirport ?? '?'}`
    : `${flight.by} ${flight.key}`;
