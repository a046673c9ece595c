import type { Directory } from '../../../domain/master-data/directory.ts';
import { toKeyOrder } from '../../../domain/schedule/keys.ts';
import type { FlightPlan, FlightReference, LandingFacts, StatusMessage } from '../../../domain/status/message.ts';
import { toDate, formatDate } from '../../../domain/time/dates.ts';
import type { InstanceRow } from '../../../store/flights/expanded-days.ts';
import type { Sql } from '../../../store/pool/database.ts';
import type { ScheduleReference, StatusFlight } from '../../../store/status/flight-statuses.ts';
import type { StatusCandidate } from '../../../store/status/status-candidates.ts';
import { frameOf, readListRow } from '../flights/schedule-reference.ts';
import { asOfFlight } from './as-of-flight.ts';
import { matchFlights } from './match-flights.ts';
import { planUnscheduled } from './plan-unscheduled.ts';
import type { Match } from './search-by-number.ts';
import { locationMeant } from './station-codes.ts';

/** A reference as a person reads it. */
const describeReference = (flight: FlightReference): string =>
  flight.by === 'designator'
    ? `${flight.carrier} ${flight.flightNumber}${flight.suffix} of ${formatDate(flight.originDate)}, ${flight.departureAirport || '?'}-${flight.arrivalAirport ?? '?'}`
    : `${flight.by} ${flight.key}`;

/** What became of the search for a message's flight. */
export type Placed =
  | {
      readonly subject: StatusFlight;
      readonly facts: StatusMessage['facts'];
      readonly landings: readonly LandingFacts<number>[];
      /** Where the message describes a flight that no schedule holds: that flight, and what its times would be compared with. */
      readonly plan?: { readonly row: InstanceRow; readonly frame: ScheduleReference };
      /** Why the flight could not be laid out as the message describes it, where it is known all the same. */
      readonly planRefused?: string;
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

const subjectOfTarget = (target: StatusCandidate): StatusFlight => {
  const { departsOn, statusOrder, storedStatus: standing } = target;
  if (standing) return { departsOn, statusOrder, ...standing };
  const row = readListRow(target);
  return {
    departsOn,
    statusOrder,
    key: Buffer.from(row.statusKey, 'hex'),
    reference: frameOf(target, row),
  };
};

const subjectOfRow = (row: InstanceRow): StatusFlight => {
  const departsOn = toDate(row.departsAt);
  const target = {
    departsOn,
    key: row.key,
    keyOrder: toKeyOrder(row.key),
    statusOrder: toKeyOrder(row.statusKey),
    carrier: row.carrierId,
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

type Found = { readonly match: Match | undefined; readonly original: StatusCandidate | undefined };

/** Where a flight that no schedule holds is found, it keeps its key: filed anew for another airport it is the same flight. */
const placePlan = (
  message: StatusMessage & { readonly plan: FlightPlan },
  {
    target,
    original,
  }: { readonly target: StatusCandidate | undefined; readonly original: StatusCandidate | undefined },
  directory: Directory,
):
  | { readonly row: InstanceRow; readonly frame: ScheduleReference }
  | { readonly reason: string; readonly value: string } => {
  const { plan, flight, observedAt } = message;
  const planned = planUnscheduled(plan, { reference: flight, original, observedAt, standing: target }, directory);
  return 'reason' in planned ? planned : { row: planned.row, frame: subjectOfRow(planned.row).reference };
};

const placeOne = (message: StatusMessage, { match, original }: Found, directory: Directory): Placed => {
  const target = match && 'target' in match ? match.target : undefined;
  const leaves = match && 'target' in match ? match.leaves : undefined;
  const told = target ? asOfFlight(message, { target, leaves }, directory) : message;
  const resolved = resolveLandings(told.landings, directory);
  if ('reason' in resolved) return resolved;
  const said = { facts: told.facts, landings: resolved.landings };
  const { plan } = message;
  const planned =
    plan && target?.flightType !== 'S' && placePlan({ ...message, plan }, { target, original }, directory);
  if (planned && 'row' in planned)
    return { subject: target ? subjectOfTarget(target) : subjectOfRow(planned.row), ...said, plan: planned };
  // What a message tells of a flight that is known counts, even where its plan cannot be laid out.
  if (target) return { subject: subjectOfTarget(target), ...said, ...(planned && { planRefused: planned.reason }) };
  if (planned) return planned;
  const reason = match && 'reason' in match ? match.reason : 'no-such-flight';
  return { reason, value: describeReference(message.flight) };
};

/** Finds the flight of each message, or lays out the one that a message describes; each answer stands in its message's place. */
export const placeMessages = async (
  sql: Sql,
  messages: readonly StatusMessage[],
  directory: Directory,
): Promise<readonly Placed[]> => {
  const matches = await matchFlights(sql, messages, directory);
  const recovering = messages.flatMap(({ plan }) => (plan?.recovers ? [{ flight: plan.recovers }] : []));
  const originals = new Map(
    (await matchFlights(sql, recovering, directory)).flatMap((match, index) => {
      const reference = recovering[index]?.flight;
      return reference && 'target' in match ? [[reference, match.target] as const] : [];
    }),
  );
  return messages.map((message, index) => {
    const recovers = message.plan?.recovers;
    return placeOne(message, { match: matches[index], original: recovers && originals.get(recovers) }, directory);
  });
};
