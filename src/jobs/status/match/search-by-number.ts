import type { Directory } from '../../../domain/master-data/directory.ts';
import type { FlightObservations } from '../../../domain/status/observed-flight.ts';
import type { FlightFacts } from '../../../domain/status/message.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { listStatuses, type FlightStatusRow, formatStatusId } from '../../../store/status/flight-statuses.ts';
import { listStoredMessageIds } from '../../../store/status/status-messages.ts';
import type { StatusCandidate } from '../../../store/status/status-candidates.ts';
import { legsOfNumbers, type ByDesignator } from './legs-of-numbers.ts';
import { dependsOnStatus } from './message-batches.ts';
import { locationMeant } from './station-codes.ts';

/**
 * The instance a reference means, or the reason why none could be told. `leaves` is given where the message tells of going on
 * from an airport the flight had been diverted to: the id of that landing.
 */
export type Match =
  | { readonly target: StatusCandidate; readonly leaves?: string }
  | { readonly reason: 'no-such-flight' | 'ambiguous-flight' };

/** Who looks for a flight: a message or, without an id, one that only mentions it. */
export type Seeker = {
  readonly reference: ByDesignator;
  readonly id: string | undefined;
  readonly facts: FlightFacts | undefined;
};

type Statuses = ReadonlyMap<string, FlightStatusRow>;

const only = (legs: readonly StatusCandidate[]): Match => {
  const [target, other] = legs;
  if (!target) return { reason: 'no-such-flight' };
  return other ? { reason: 'ambiguous-flight' } : { target };
};

/** Of several legs the one that has left and not arrived: a landing that no schedule foresees can only be its. */
const underWay = (legs: readonly StatusCandidate[], statuses: Statuses): readonly StatusCandidate[] =>
  legs.length < 2
    ? legs
    : legs.filter((leg) => ['inAir', 'OutGate'].includes(statuses.get(formatStatusId(leg))?.state ?? ''));

/** The landing a leg made, or was to make, at an airport; the latest one that the flight is not known to have left before. */
const landingAt = (
  leg: StatusCandidate,
  status: FlightStatusRow | undefined,
  { airport, facts }: { readonly airport: number; readonly facts: FlightFacts | undefined },
): string | undefined => {
  if (!status || status.known === '') return undefined;
  const known: FlightObservations = JSON.parse(status.known);
  const leaves = facts?.actualOff ?? facts?.actualOut ?? facts?.estimatedOff ?? facts?.estimatedOut ?? undefined;
  return Object.entries(known.landings).findLast(([, { facts: landing }]) => {
    const landed = landing.actualOn?.[0];
    if (landing.airport?.[0] !== airport) return false;
    // Back at its departure airport a flight has left before; only what follows the landing is its going on.
    return leg.departure !== airport || (typeof landed === 'number' && leaves !== undefined && leaves > landed);
  })?.[0];
};

const departing = (
  legs: readonly StatusCandidate[],
  told: { readonly airport: number; readonly facts: FlightFacts | undefined },
  statuses: Statuses,
): Match | undefined => {
  for (const leg of legs) {
    const leaves = landingAt(leg, statuses.get(formatStatusId(leg)), told);
    if (leaves !== undefined) return { target: leg, leaves };
  }
  return undefined;
};

const choose = (
  seeker: Seeker,
  legs: readonly StatusCandidate[],
  { statuses, directory }: { readonly statuses: Statuses; readonly directory: Directory },
): Match => {
  const { departureAirport, arrivalAirport, datedBy } = seeker.reference;
  const arrival = arrivalAirport === undefined ? undefined : locationMeant(directory, arrivalAirport)?.id;
  if (departureAirport === '') {
    if (arrivalAirport === undefined) return only(legs);
    const due = legs.filter((leg) => leg.arrival === arrival);
    return only(due.length > 0 ? due : underWay(legs, statuses));
  }
  const departure = locationMeant(directory, departureAirport)?.id;
  const goingOn =
    datedBy === 'utc' &&
    departure !== undefined &&
    departing(legs, { airport: departure, facts: seeker.facts }, statuses);
  if (goingOn) return goingOn;
  const leaving = legs.filter((leg) => leg.departure === departure);
  return only(arrivalAirport === undefined ? leaving : leaving.filter((leg) => leg.arrival === arrival));
};

/**
 * Finds legs by designator and date where keys do not lead to them: references that do not name both airports, or that name
 * those a flight has been filed anew for. A telegram names one airport only, and may speak of a landing that was not scheduled
 * or of going on from there: then what is known of the flight tells which leg is meant. A message that has been stored
 * belongs to the leg it was stored with, whatever has become known since.
 */
export const searchByNumber = async (
  sql: Sql,
  seekers: readonly Seeker[],
  directory: Directory,
): Promise<readonly Match[]> => {
  const legs = await legsOfNumbers(
    sql,
    seekers.map(({ reference }) => reference),
    directory,
  );
  const telegrams = seekers.filter(({ reference }) => dependsOnStatus(reference));
  const places = telegrams.flatMap(({ reference }) => legs.get(reference) ?? []);
  const found = await listStatuses(sql, [...new Map(places.map((place) => [formatStatusId(place), place])).values()]);
  const statuses = new Map(found.map((status) => [formatStatusId(status), status]));
  const kept = await listStoredMessageIds(
    sql,
    telegrams.flatMap(({ reference, id }) =>
      (legs.get(reference) ?? []).flatMap((leg) => (id === undefined ? [] : { ...leg, id })),
    ),
  );
  return seekers.map((seeker) => {
    const ofFlight = legs.get(seeker.reference) ?? [];
    const before = ofFlight.find((leg) => kept.has(`${formatStatusId(leg)}|${seeker.id}`));
    return before ? { target: before } : choose(seeker, ofFlight, { statuses, directory });
  });
};
