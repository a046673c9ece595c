import type { Directory } from '../../../domain/master-data/directory.ts';
import type { FlightObservations } from '../../../domain/status/observed-flight.ts';
import type { FlightFacts } from '../../../domain/status/message.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { listStatuses, type FlightStatusRow, formatStatusId } from '../../../store/status/flight-statuses.ts';
import { listStoredMessageIds } from '../../../store/status/status-messages.ts';
import type { StatusCandidate } from '../../../store/status/status-candidates.ts';
import { findLegsByNumber, type DesignatorReference } from './legs-by-number.ts';
import { dependsOnStatus } from './message-batches.ts';
import { findLocation } from './code-lookups.ts';

/**
 * The instance that a reference means, or the reason why none was found. `landingId` is set when the message reports the departure from a
 * diversion airport: it is the ID of that landing.
 */
export type FlightMatch =
  | { readonly target: StatusCandidate; readonly landingId?: string }
  | { readonly reason: 'no-such-flight' | 'ambiguous-flight' };

/** A search for the flight of a message or, without an ID, of a flight that a message mentions. */
export type NumberQuery = {
  readonly reference: DesignatorReference;
  readonly id: string | undefined;
  readonly facts: FlightFacts | undefined;
};

type Statuses = ReadonlyMap<string, FlightStatusRow>;

const selectSingle = (legs: readonly StatusCandidate[]): FlightMatch => {
  const [target, other] = legs;
  if (!target) return { reason: 'no-such-flight' };
  return other ? { reason: 'ambiguous-flight' } : { target };
};

/** Selects the leg that has departed and not arrived: an unscheduled landing can only be its own. */
const selectInAir = (legs: readonly StatusCandidate[], statuses: Statuses): readonly StatusCandidate[] =>
  legs.length < 2
    ? legs
    : legs.filter((leg) => ['inAir', 'OutGate'].includes(statuses.get(formatStatusId(leg))?.state ?? ''));

/** Returns the ID of the latest landing of a leg at an airport, made or expected, from which the message can report the departure. */
const findLandingAt = (
  leg: StatusCandidate,
  status: FlightStatusRow | undefined,
  { airport, facts }: { readonly airport: number; readonly facts: FlightFacts | undefined },
): string | undefined => {
  if (!status || status.known === '') return undefined;
  const known: FlightObservations = JSON.parse(status.known);
  const departedAt = facts?.actualOff ?? facts?.actualOut ?? facts?.estimatedOff ?? facts?.estimatedOut ?? undefined;
  return Object.entries(known.landings).findLast(([, { facts: landing }]) => {
    const landed = landing.actualOn?.[0];
    if (landing.airport?.[0] !== airport) return false;
    // After a return to its departure airport, only a departure after the landing continues the flight.
    return leg.departure !== airport || (typeof landed === 'number' && departedAt !== undefined && departedAt > landed);
  })?.[0];
};

const matchDeparture = (
  legs: readonly StatusCandidate[],
  departure: { readonly airport: number; readonly facts: FlightFacts | undefined },
  statuses: Statuses,
): FlightMatch | undefined => {
  for (const leg of legs) {
    const landingId = findLandingAt(leg, statuses.get(formatStatusId(leg)), departure);
    if (landingId !== undefined) return { target: leg, landingId };
  }
  return undefined;
};

const selectLeg = (
  query: NumberQuery,
  legs: readonly StatusCandidate[],
  { statuses, directory }: { readonly statuses: Statuses; readonly directory: Directory },
): FlightMatch => {
  const { departureAirport, arrivalAirport, datedBy } = query.reference;
  const arrival = arrivalAirport === undefined ? undefined : findLocation(directory, arrivalAirport)?.id;
  if (departureAirport === '') {
    if (arrivalAirport === undefined) return selectSingle(legs);
    const due = legs.filter((leg) => leg.arrival === arrival);
    return selectSingle(due.length > 0 ? due : selectInAir(legs, statuses));
  }
  const departure = findLocation(directory, departureAirport)?.id;
  const continuation =
    datedBy === 'utc' &&
    departure !== undefined &&
    matchDeparture(legs, { airport: departure, facts: query.facts }, statuses);
  if (continuation) return continuation;
  const departing = legs.filter((leg) => leg.departure === departure);
  return selectSingle(arrivalAirport === undefined ? departing : departing.filter((leg) => leg.arrival === arrival));
};

/**
 * Finds legs by designator and date when keys do not find them: references without both airports, or to airports to which a flight was refiled.
 * A telegram names one airport, which may be that of an unscheduled landing; then the status of the flight decides which leg is meant. A message
 * that was stored before keeps its leg.
 */
export const searchByNumber = async (
  sql: Sql,
  queries: readonly NumberQuery[],
  directory: Directory,
): Promise<readonly FlightMatch[]> => {
  const legs = await findLegsByNumber(
    sql,
    queries.map(({ reference }) => reference),
    directory,
  );
  const telegrams = queries.filter(({ reference }) => dependsOnStatus(reference));
  const candidates = telegrams.flatMap(({ reference }) => legs.get(reference) ?? []);
  const found = await listStatuses(sql, [...new Map(candidates.map((leg) => [formatStatusId(leg), leg])).values()]);
  const statuses = new Map(found.map((status) => [formatStatusId(status), status]));
  const storedIds = await listStoredMessageIds(
    sql,
    telegrams.flatMap(({ reference, id }) =>
      (legs.get(reference) ?? []).flatMap((leg) => (id === undefined ? [] : { ...leg, id })),
    ),
  );
  return queries.map((query) => {
    const ofFlight = legs.get(query.reference) ?? [];
    const storedLeg = ofFlight.find((leg) => storedIds.has(`${formatStatusId(leg)}|${query.id}`));
    return storedLeg ? { target: storedLeg } : selectLeg(query, ofFlight, { statuses, directory });
  });
};
