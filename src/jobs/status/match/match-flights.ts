import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { computeScheduleKey, computeStatusKey, toKeyOrder } from '#domain/schedule/keys.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { DesignatorReference, FlightFacts, FlightReference, MessageIdentity } from '#domain/status/message.ts';
import type { FlightObservations } from '#domain/status/observed-flight.ts';
import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '#store/pool/database.ts';
import { type FlightStatusRow, formatStatusId, listStatuses, toDistinctIds } from '#store/status/flight-statuses.ts';
import { listCandidatesByKey, type StatusCandidate } from '#store/status/status-instances.ts';
import { formatStoredId, listStoredMessageIds } from '#store/status/status-messages.ts';
import { findLocation, getStationCode, listDesignators } from './flight-codes.ts';
import { hasOriginDate, type Leg, listLegsByNumber, MAX_LEG_DAYS } from './legs-by-number.ts';
import { selectByTime } from './select-by-time.ts';

/** Whether a reference names a scheduled time, which identifies its flight. */
const hasScheduledTime = ({ scheduledOut, scheduledIn }: DesignatorReference): boolean =>
  scheduledOut !== undefined || scheduledIn !== undefined;

/** Whether the leg of a reference depends on the status of its flight: telegrams name one airport only. */
export const dependsOnStatus = (reference: FlightReference): boolean =>
  reference.by === 'designator' &&
  !hasScheduledTime(reference) &&
  (reference.datedBy === 'utc' || reference.departureAirport === '');

const isOfDate = (leg: Leg, reference: DesignatorReference, masterDataIndex: MasterDataIndex): boolean => {
  const { originDate, datedBy } = reference;
  if (originDate === undefined) return false;
  return datedBy === 'departure'
    ? leg.target.departsOn === originDate
    : hasOriginDate(leg, originDate, { reference, masterDataIndex });
};

const selectByDate = (
  legs: readonly Leg[],
  reference: DesignatorReference,
  masterDataIndex: MasterDataIndex,
): readonly StatusCandidate[] => {
  const date = reference.originDate && formatDate(reference.originDate);
  const ofUtcDate = reference.datedBy === 'utc' ? legs.filter(({ row }) => row.departure.date.utc === date) : [];
  // Not all sources of telegrams use UTC: if no leg departs on that UTC date, it is the date of the flight.
  const selected = ofUtcDate.length > 0 ? ofUtcDate : legs.filter((leg) => isOfDate(leg, reference, masterDataIndex));
  return selected.map(({ target }) => target);
};

/**
 * The instance that a reference means, or the reason why none was found. `landingId` is set when the message reports the departure from a
 * diversion airport: it is the ID of that landing.
 */
export type FlightMatch =
  | {
      readonly target: StatusCandidate;
      readonly landingId?: string;
      /** What in the reference differs from the schedule of the flight. */
      readonly remark?: 'scheduled-time-differs';
    }
  | { readonly reason: 'no-such-flight' | 'ambiguous-flight' | 'contradictory-flight' };

/** A search for the flight of a message or, without an identity, of a flight that a message mentions. */
type NumberQuery = {
  readonly reference: DesignatorReference;
  readonly identity: MessageIdentity | undefined;
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
  if (!status || status.observationsJson === '') return undefined;
  const known: FlightObservations = JSON.parse(status.observationsJson);
  const departedAt = facts?.actualOff ?? facts?.actualOut ?? facts?.estimatedOff ?? facts?.estimatedOut ?? undefined;
  return Object.entries(known.landings).findLast(([, { facts }]) => {
    const landed = facts.actualOn?.[0];
    if (facts.airport?.[0] !== airport) return false;
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

/** Selects the leg with the scheduled times of a reference. They can be those of a whole flight with stops, which is not a leg. */
const selectTimed = (
  { reference }: NumberQuery,
  legs: readonly Leg[],
  masterDataIndex: MasterDataIndex,
): FlightMatch => {
  const byStops = Map.groupBy(legs, ({ target }) => target.hasStops);
  const selection = selectByTime(byStops.get(false) ?? [], reference, masterDataIndex);
  const whole = 'leg' in selection ? selection : selectByTime(byStops.get(true) ?? [], reference, masterDataIndex);
  if ('leg' in whole) {
    const { leg, remark } = whole;
    return { target: leg.target, ...(remark && { remark }) };
  }
  return 'reason' in selection ? selection : { reason: 'no-such-flight' };
};

const selectLeg = (
  query: NumberQuery,
  legs: readonly StatusCandidate[],
  { statuses, masterDataIndex }: { readonly statuses: Statuses; readonly masterDataIndex: MasterDataIndex },
): FlightMatch => {
  const { departureAirport, arrivalAirport, datedBy } = query.reference;
  const arrival = arrivalAirport === undefined ? undefined : findLocation(masterDataIndex, arrivalAirport)?.id;
  if (departureAirport === '') {
    if (arrivalAirport === undefined) return selectSingle(legs);
    const due = legs.filter((leg) => leg.arrival === arrival);
    return selectSingle(due.length > 0 ? due : selectInAir(legs, statuses));
  }
  const departure = findLocation(masterDataIndex, departureAirport)?.id;
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
const searchByNumber = async (
  sql: Sql,
  queries: readonly NumberQuery[],
  masterDataIndex: MasterDataIndex,
): Promise<readonly FlightMatch[]> => {
  const found = await listLegsByNumber(
    sql,
    queries.map(({ reference }) => reference),
    masterDataIndex,
  );
  const legs = new Map(
    queries.map(({ reference }) => {
      const single = (found.get(reference) ?? []).filter(({ target }) => !target.hasStops);
      return [reference, hasScheduledTime(reference) ? [] : selectByDate(single, reference, masterDataIndex)];
    }),
  );
  const telegrams = queries.filter(({ reference }) => dependsOnStatus(reference));
  const candidates = telegrams.flatMap(({ reference }) => legs.get(reference) ?? []);
  const known = await listStatuses(sql, toDistinctIds(candidates));
  const statuses = new Map(known.map((status) => [formatStatusId(status), status]));
  const storedIds = await listStoredMessageIds(
    sql,
    telegrams.flatMap(({ reference, identity }) =>
      identity ? (legs.get(reference) ?? []).map((leg) => ({ ...leg, ...identity })) : [],
    ),
  );
  return queries.map((query) => {
    if (hasScheduledTime(query.reference)) return selectTimed(query, found.get(query.reference) ?? [], masterDataIndex);
    const ofFlight = legs.get(query.reference) ?? [];
    const { identity } = query;
    const storedLeg = identity && ofFlight.find((leg) => storedIds.has(formatStoredId({ ...leg, ...identity })));
    return storedLeg ? { target: storedLeg } : selectLeg(query, ofFlight, { statuses, masterDataIndex });
  });
};

/** A key under which a reference may be found, and the date from which a flight with this key departs. */
type KeyCandidate = { readonly kind: 'schedule' | 'status'; readonly date: LocalDate; readonly key: Buffer };

const stationOf = (masterDataIndex: MasterDataIndex, code: string): string => {
  const location = findLocation(masterDataIndex, code);
  return location ? getStationCode(location) : code;
};

const listCandidates = (reference: FlightReference, masterDataIndex: MasterDataIndex): readonly KeyCandidate[] => {
  if (reference.by !== 'designator') {
    const key = Buffer.from(reference.key, 'hex');
    return [{ kind: reference.by === 'statusKey' ? 'status' : 'schedule', date: reference.departureDate, key }];
  }
  const { flightNumber, suffix, originDate, departureAirport, arrivalAirport, datedBy } = reference;
  if (departureAirport === '' || arrivalAirport === undefined || datedBy === 'utc') return [];
  if (originDate === undefined || hasScheduledTime(reference)) return [];
  const board = stationOf(masterDataIndex, departureAirport);
  const off = stationOf(masterDataIndex, arrivalAirport);
  return listDesignators(masterDataIndex, reference.carrier).flatMap((carrier): readonly KeyCandidate[] => {
    const designator: Designator = { carrier, flightNumber, suffix };
    const identity = { designator, date: originDate, board, off, occurrence: 1 };
    const byDeparture = { kind: 'status', date: originDate, key: computeStatusKey(identity) } as const;
    // Unscheduled flights have a status key only, and a source may give the date of the leg as origin date.
    return datedBy === 'departure'
      ? [byDeparture]
      : [{ kind: 'schedule', date: originDate, key: computeScheduleKey(identity) }, byDeparture];
  });
};

const toCandidateName = ({ kind, date, key }: KeyCandidate): string => `${kind}${date}|${key.toString('latin1')}`;

/** Finds the candidates of a batch, with one query per day and kind of key. */
const findByKeys = async (
  sql: Sql,
  candidates: readonly KeyCandidate[],
): Promise<ReadonlyMap<string, StatusCandidate>> => {
  const found = new Map<string, StatusCandidate>();
  const keep = (candidate: KeyCandidate, target: StatusCandidate): void => {
    const name = toCandidateName(candidate);
    // The operating flight has precedence over its marketing flights.
    if (found.get(name)?.isMarketing !== false) found.set(name, target);
  };
  for (const ofDay of Map.groupBy(candidates, ({ kind, date }) => `${kind}${date}`).values()) {
    const [first] = ofDay;
    if (!first) continue;
    const { kind, date } = first;
    const orders = [...new Set(ofDay.map(({ key }) => toKeyOrder(key)))];
    const targets = await listCandidatesByKey(
      sql,
      { kind, from: date, days: kind === 'status' ? 1 : MAX_LEG_DAYS },
      orders,
    );
    const byOrder = Map.groupBy(targets, (target) => (kind === 'status' ? target.statusOrder : target.keyOrder));
    for (const candidate of ofDay)
      for (const target of byOrder.get(toKeyOrder(candidate.key)) ?? [])
        if (kind === 'status' || target.key.equals(candidate.key)) keep(candidate, target);
  }
  return found;
};

/** Finds the first candidate of each list that exists; later ones are queried only where earlier ones do not exist. */
const findFirst = async (
  sql: Sql,
  lists: readonly (readonly KeyCandidate[])[],
): Promise<readonly (StatusCandidate | undefined)[]> => {
  const targets: (StatusCandidate | undefined)[] = lists.map(() => undefined);
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let step = 0; step < longest; step += 1) {
    const open = lists.map((ofOne, index) => (targets[index] ? undefined : ofOne[step]));
    const found = await findByKeys(
      sql,
      open.filter((candidate) => candidate !== undefined),
    );
    open.forEach((candidate, index) => {
      if (candidate) targets[index] = found.get(toCandidateName(candidate));
    });
  }
  return targets;
};

/** A query for the flight of a message, or for another flight that a message mentions. */
export type FlightQuery = {
  readonly flight: FlightReference;
  readonly id?: string | undefined;
  readonly source?: string | undefined;
  readonly sender?: number | undefined;
  readonly facts?: FlightFacts | undefined;
};

/** Finds the flights of queries. Returns matches in the positions of the queries. */
export const matchFlights = async (
  sql: Sql,
  queries: readonly FlightQuery[],
  masterDataIndex: MasterDataIndex,
): Promise<readonly FlightMatch[]> => {
  const targets = await findFirst(
    sql,
    queries.map(({ flight }) => listCandidates(flight, masterDataIndex)),
  );
  const searches = new Map<number, NumberQuery>();
  for (const [index, { flight, id, source, sender, facts }] of queries.entries()) {
    const identity = id === undefined || source === undefined ? undefined : { id, source, sender };
    if (!targets[index] && flight.by === 'designator') searches.set(index, { reference: flight, identity, facts });
  }
  const searched = await searchByNumber(sql, [...searches.values()], masterDataIndex);
  const found = new Map([...searches.keys()].map((index, position) => [index, searched[position]]));
  return queries.map((_, index): FlightMatch => {
    const target = targets[index];
    return target ? { target } : (found.get(index) ?? { reason: 'no-such-flight' });
  });
};
