import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import {
  factEnds,
  type FlightFacts,
  type FlightReference,
  type LandingFacts,
  type StatusMessage,
  type UnscheduledFlightDescription,
} from '#domain/status/message.ts';
import { formatDate, toDate } from '#domain/time/dates.ts';
import { mapInTurns } from '#lib/map-in-turns.ts';
import type { InstanceRow } from '#store/flights/instance-row.ts';
import type { Sql } from '#store/pool/database.ts';
import type { ScheduleReference, StatusFlight } from '#store/status/flight-statuses.ts';
import type { StatusCandidate } from '#store/status/status-instances.ts';
import { readListRow, toScheduleReference } from '../flights/schedule-reference.ts';
import { findRouteError, findSecondFlight, formatUtcMinute } from './check-plan.ts';
import { findLocation } from './flight-codes.ts';
import { type FlightMatch, matchFlights } from './match-flights.ts';
import type { PlanError } from './plan-ends.ts';
import { type PlanContext, planUnscheduledFlight, type UnscheduledPlan } from './plan-unscheduled.ts';

const arrivalNames = ['estimatedOn', 'estimatedIn', 'actualOn', 'actualIn'] as const satisfies (keyof FlightFacts)[];
const departureNames = [
  'estimatedOut',
  'estimatedOff',
  'actualOut',
  'actualOff',
] as const satisfies (keyof FlightFacts)[];

/** Moves some times of a message to a diversion landing. */
const moveToLanding = (
  message: StatusMessage,
  landing: LandingFacts<string>,
  names: readonly ((typeof arrivalNames)[number] | (typeof departureNames)[number])[],
): StatusMessage => {
  const moved = new Set<string>(names);
  const entries = Object.entries(message.facts);
  const facts: FlightFacts = Object.fromEntries(entries.filter(([name]) => !moved.has(name)));
  const times: Partial<LandingFacts<string>> = Object.fromEntries(entries.filter(([name]) => moved.has(name)));
  return { ...message, facts, landings: [...message.landings, { ...times, ...landing }] };
};

/**
 * Returns a telegram with the meaning that the schedule of its flight gives it. A telegram names the airport that sends it: an arrival at
 * another airport than the scheduled one is a diversion landing, and a departure from there (`landingId`) continues the flight.
 */
const interpretTelegram = (
  message: StatusMessage,
  { target, landingId }: { readonly target: StatusCandidate; readonly landingId: string | undefined },
  masterDataIndex: MasterDataIndex,
): StatusMessage => {
  if (landingId !== undefined) return moveToLanding(message, { id: landingId }, departureNames);
  const { flight, facts, landings } = message;
  if (flight.by !== 'designator' || flight.departureAirport !== '' || flight.arrivalAirport === undefined)
    return message;
  const arrived = arrivalNames.some((name) => typeof facts[name] === 'number');
  if (!arrived || landings.length > 0) return message;
  if (findLocation(masterDataIndex, flight.arrivalAirport)?.id === target.arrival) return message;
  const moved = moveToLanding(message, { id: flight.arrivalAirport, airport: flight.arrivalAirport }, arrivalNames);
  // Gate, baggage and the like are of the airport of the landing, not of the scheduled one.
  const others = Object.entries(moved.facts).filter(([name]) => factEnds[name] !== 'arrival');
  return { ...moved, facts: Object.fromEntries(others) };
};

/** Formats a flight reference for a load report. */
const formatReference = (flight: FlightReference): string => {
  if (flight.by !== 'designator') return `${flight.by} ${flight.key}`;
  const { originDate, scheduledOut, scheduledIn } = flight;
  const date = originDate === undefined ? '' : ` of ${formatDate(originDate)}`;
  const [departure, arrival] = [scheduledOut, scheduledIn].map((minute) =>
    minute === undefined ? '' : ` ${formatUtcMinute(minute)}`,
  );
  const route = `${flight.departureAirport || '?'}${departure}-${flight.arrivalAirport ?? '?'}${arrival}`;
  return `${flight.carrier} ${flight.flightNumber}${flight.suffix}${date}, ${route}`;
};

/** Why a message cannot be matched, and the value that is the cause. */
type MatchError = PlanError;

/** The row of a flight that a message describes, its schedule reference, and the codes of carriers that the reference data lack. */
type FlightPlanRow = Exclude<UnscheduledPlan, MatchError> & { readonly reference: ScheduleReference };

/** The flight of a message, with what the message reports; or why none was found. */
export type MessageMatch =
  | {
      readonly subject: StatusFlight;
      readonly facts: StatusMessage['facts'];
      readonly landings: readonly LandingFacts<number>[];
      /** Set when the message describes an unscheduled flight. */
      readonly plan?: FlightPlanRow;
      /** Why the description was ignored, when the flight is known anyway. */
      readonly planError?: string;
      /** What in the reference differs from the schedule of the flight, and the reference. */
      readonly remark?: MatchError;
    }
  | MatchError;

const resolveLandings = (
  landings: readonly LandingFacts<string>[],
  masterDataIndex: MasterDataIndex,
): { readonly landings: readonly LandingFacts<number>[] } | MatchError => {
  const resolved: LandingFacts<number>[] = [];
  for (const { airport, ...landing } of landings) {
    if (airport === undefined || airport === null) {
      resolved.push(airport === null ? { ...landing, airport } : landing);
      continue;
    }
    const location = findLocation(masterDataIndex, airport);
    if (!location) return { reason: 'airport-unknown', value: airport };
    resolved.push({ ...landing, airport: location.id });
  }
  return { landings: resolved };
};

const toSubject = (target: StatusCandidate): StatusFlight => {
  const { departsOn, statusOrder, storedStatus } = target;
  if (storedStatus) return { departsOn, statusOrder, ...storedStatus };
  const row = readListRow(target);
  return {
    departsOn,
    statusOrder,
    key: Buffer.from(row.statusKey, 'hex'),
    reference: toScheduleReference(target, row),
  };
};

const toPlannedSubject = (row: InstanceRow): StatusFlight =>
  toSubject({
    departsOn: toDate(row.departsAt),
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
    hasStops: false,
    doc: row.doc,
  });

type FoundFlights = { readonly match: FlightMatch | undefined; readonly recovered: StatusCandidate | undefined };

/** An unscheduled flight that is known keeps its key: refiled to another airport, it is the same flight. */
const planFlight = (
  message: StatusMessage & { readonly plan: UnscheduledFlightDescription },
  { known, others, recovered }: Omit<PlanContext, 'reference'>,
  masterDataIndex: MasterDataIndex,
): FlightPlanRow | MatchError => {
  const { plan, flight } = message;
  const routeError = findRouteError(plan, flight, masterDataIndex);
  if (routeError) return routeError;
  const planned = planUnscheduledFlight(plan, { reference: flight, recovered, known, others }, masterDataIndex);
  return 'reason' in planned ? planned : { ...planned, reference: toPlannedSubject(planned.row).reference };
};

/** A plan describes neither a flight of a schedule nor one that it names by a marketing designator. */
const canDescribe = (target: StatusCandidate | undefined): boolean =>
  target?.flightType !== 'S' && target?.codeshare === undefined;

const matchOne = (
  message: StatusMessage,
  { match, recovered }: FoundFlights,
  masterDataIndex: MasterDataIndex,
): MessageMatch => {
  const { target, landingId } = match && 'target' in match ? match : { target: undefined };
  if (target?.hasStops) return { reason: 'flight-with-stops', value: formatReference(message.flight) };
  const interpreted = target ? interpretTelegram(message, { target, landingId }, masterDataIndex) : message;
  const resolved = resolveLandings(interpreted.landings, masterDataIndex);
  if ('reason' in resolved) return resolved;
  const reason = match && 'target' in match ? match.remark : undefined;
  const remark = reason && { reason, value: formatReference(message.flight) };
  const reported = { facts: interpreted.facts, landings: resolved.landings, ...(remark && { remark }) };
  const { plan } = message;
  // Neither of several flights is described, nor another one beside a flight that the message contradicts.
  const others = match && 'others' in match ? match.others : undefined;
  if (match && 'reason' in match && match.reason !== 'no-such-flight' && !(plan && others))
    return { reason: match.reason, value: formatReference(message.flight) };
  const planned =
    plan &&
    canDescribe(target) &&
    planFlight({ ...message, plan }, { known: target, others, recovered }, masterDataIndex);
  const secondFlight = planned && 'row' in planned && target && findSecondFlight(plan, message.flight, target);
  if (secondFlight) return secondFlight;
  if (planned && 'row' in planned)
    return { subject: target ? toSubject(target) : toPlannedSubject(planned.row), ...reported, plan: planned };
  // The facts of a known flight count even if its description is ignored.
  if (target) return { subject: toSubject(target), ...reported, ...(planned && { planError: planned.reason }) };
  if (planned) return planned;
  const unmatched = match && 'reason' in match ? match.reason : 'no-such-flight';
  return { reason: unmatched, value: formatReference(message.flight) };
};

/** Finds the flight of each message, or plans the one that a message describes. Returns matches in the positions of the messages. */
export const matchMessages = async (
  sql: Sql,
  messages: readonly StatusMessage[],
  masterDataIndex: MasterDataIndex,
): Promise<readonly MessageMatch[]> => {
  const matches = await matchFlights(sql, messages, masterDataIndex);
  const recovering = messages.flatMap(({ plan }) => (plan?.recovers ? [{ flight: plan.recovers }] : []));
  const recoveredFlights = new Map(
    (await matchFlights(sql, recovering, masterDataIndex)).flatMap((match, index) => {
      const reference = recovering[index]?.flight;
      return reference && 'target' in match ? [[reference, match.target] as const] : [];
    }),
  );
  return mapInTurns(messages, (message, index) => {
    const recovers = message.plan?.recovers;
    const recovered = recovers && recoveredFlights.get(recovers);
    return matchOne(message, { match: matches[index], recovered }, masterDataIndex);
  });
};
