import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { UtcSecond } from '#domain/status/instants.ts';
import type { DesignatorReference, FlightReference, MessageIdentity } from '#domain/status/message.ts';
import type { FlightObservations } from '#domain/status/observed-flight.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '#store/pool/database.ts';
import { type FlightStatusRow, formatStatusId, listStatuses, toDistinctIds } from '#store/status/flight-statuses.ts';
import type { StatusCandidate } from '#store/status/status-instances.ts';
import { formatStoredId, listStoredMessageIds } from '#store/status/status-messages.ts';
import { findByKeys, type FlightQuery, toReports } from './find-by-keys.ts';
import { findLocation } from './flight-codes.ts';
import { hasOriginDate, type Leg, listLegDates, listLegsByNumber } from './legs-by-number.ts';
import { fitsLeg, hasIndependentTimes, type Reports, selectByReports } from './select-by-reports.ts';
import { hasScheduledTime, selectByTime, toDistinctLegs } from './select-by-time.ts';

/** Whether the leg of a reference depends on the status of its flight: telegrams name one airport only. */
export const dependsOnStatus = (reference: FlightReference): boolean =>
  reference.by === 'designator' &&
  !hasScheduledTime(reference) &&
  (reference.datedBy === 'utc' || reference.departureAirport === '');

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
  | {
      readonly reason: 'no-such-flight' | 'ambiguous-flight' | 'contradictory-flight';
      /** The flights of the designator that depart near the scheduled time; set if none of them has it. */
      readonly others?: readonly StatusCandidate[];
    };

/** A search for the flight of a message or, without an identity, of a flight that a message mentions. */
type NumberQuery = Reports & {
  readonly reference: DesignatorReference;
  readonly identity: MessageIdentity | undefined;
};

type Statuses = ReadonlyMap<string, FlightStatusRow>;

/** The flights with the number of a query, those that leave on its date, and the dates that senders give each. */
type NumberMatch = {
  readonly all: readonly Leg[];
  readonly ofDate: readonly Leg[];
  /** Only for dates in UTC, which are read in several ways. */
  readonly dates: ReadonlyMap<Leg, readonly LocalDate[]> | undefined;
};

type SelectionContext = {
  readonly match: NumberMatch;
  readonly statuses: Statuses;
  readonly masterDataIndex: MasterDataIndex;
};

/** Returns the function that decides whether a leg has the date of a reference. */
const createDateFilter = (
  reference: DesignatorReference,
  dates: NumberMatch['dates'],
  masterDataIndex: MasterDataIndex,
): ((leg: Leg) => boolean) => {
  const { originDate, datedBy } = reference;
  if (originDate === undefined) return () => false;
  if (datedBy === 'departure') return ({ target }) => target.departsOn === originDate;
  if (datedBy === 'utc') return (leg) => dates?.get(leg)?.includes(originDate) ?? false;
  return (leg) => hasOriginDate(leg, originDate, { reference, masterDataIndex });
};

const toNumberMatch = (
  reference: DesignatorReference,
  all: readonly Leg[],
  masterDataIndex: MasterDataIndex,
): NumberMatch => {
  const dates = reference.datedBy === 'utc' ? listLegDates(all, { reference, masterDataIndex }) : undefined;
  const hasDate = createDateFilter(reference, dates, masterDataIndex);
  return { all, ofDate: all.filter((leg) => !leg.target.hasStops && hasDate(leg)), dates };
};

/** Whether all dates that senders give a leg are the one of the reference. */
const isCertain = (leg: Leg, { originDate }: DesignatorReference, { dates }: NumberMatch): boolean =>
  dates?.get(leg)?.every((date) => date === originDate) ?? true;

/** Selects the only leg, or the one that the times of the message fit. */
const selectSingle = (query: NumberQuery, legs: readonly Leg[], match: NumberMatch): FlightMatch => {
  const distinct = toDistinctLegs(legs);
  const [leg, other] = distinct;
  if (!leg) return { reason: 'no-such-flight' };
  const selected = other ? selectByReports(distinct, query) : leg;
  if (!selected) return { reason: 'ambiguous-flight' };
  if (match.dates === undefined) return { target: selected.target };
  const isSure = isCertain(selected, query.reference, match);
  if (!isSure && !hasIndependentTimes(query)) return { reason: 'ambiguous-flight' };
  const fits = fitsLeg(selected, query, isSure);
  return fits ? { target: selected.target } : { reason: 'contradictory-flight' };
};

/** Selects the leg that has departed and not arrived: an unscheduled landing can only be its own. The only leg of a date needs no report of that. */
const selectInAir = (query: NumberQuery, legs: readonly Leg[], { match, statuses }: SelectionContext): readonly Leg[] =>
  legs.length < 2 && legs.every((leg) => isCertain(leg, query.reference, match))
    ? legs
    : legs.filter(({ target }) => ['inAir', 'OutGate'].includes(statuses.get(formatStatusId(target))?.state ?? ''));

const getDeparture = ({ facts }: NumberQuery): UtcSecond | undefined =>
  facts?.actualOff ?? facts?.actualOut ?? facts?.estimatedOff ?? facts?.estimatedOut ?? undefined;

/** Seconds after a landing within which the flight continues. */
const MAX_STAY = 86_400;

/** Returns the ID of the latest landing of a leg at an airport, made or expected, from which the message can report the departure. */
const findLandingAt = (
  { target }: Leg,
  status: FlightStatusRow | undefined,
  { airport, departedAt }: { readonly airport: number; readonly departedAt: UtcSecond | undefined },
): string | undefined => {
  if (!status || status.observationsJson === '') return undefined;
  const known: FlightObservations = JSON.parse(status.observationsJson);
  return Object.entries(known.landings).findLast(([, { facts }]) => {
    const landed = facts.actualOn?.[0];
    if (facts.airport?.[0] !== airport) return false;
    if (typeof landed !== 'number' || departedAt === undefined) return target.departure !== airport;
    // After a return to its departure airport, only a departure after the landing continues the flight.
    return departedAt > landed ? departedAt < landed + MAX_STAY : target.departure !== airport;
  })?.[0];
};

/** Selects the leg that a message from its departure airport means. A leg with a landing there can continue from it. */
const selectDeparting = (
  query: NumberQuery,
  { airport, arrival }: { readonly airport: number | undefined; readonly arrival: number | undefined },
  { match, statuses }: SelectionContext,
): FlightMatch => {
  const legs = match.ofDate;
  const departing = legs.filter(
    ({ target }) => target.departure === airport && (arrival === undefined || target.arrival === arrival),
  );
  if (query.reference.datedBy !== 'utc' || airport === undefined) return selectSingle(query, departing, match);
  const departedAt = getDeparture(query);
  const landings = new Map(
    legs.flatMap((leg) => {
      const landingId = findLandingAt(leg, statuses.get(formatStatusId(leg.target)), { airport, departedAt });
      return landingId === undefined ? [] : [[leg, landingId] as const];
    }),
  );
  const [continuing, another] = toDistinctLegs([...landings.keys()]);
  const landingId = continuing && landings.get(continuing);
  if (!continuing || landingId === undefined) return selectSingle(query, departing, match);
  const others = departing.filter((leg) => !landings.has(leg) && fitsLeg(leg, query, false));
  const isOther = others.length > 0 && selectByReports(others, query) !== undefined;
  return another || isOther ? { reason: 'ambiguous-flight' } : { target: continuing.target, landingId };
};

/** Selects the leg with the scheduled times of a reference. They can be those of a whole flight with stops, which is not a leg. */
const selectTimed = ({ reference }: NumberQuery, { match, masterDataIndex }: SelectionContext): FlightMatch => {
  const context = { masterDataIndex, hasDate: createDateFilter(reference, match.dates, masterDataIndex) };
  const byStops = Map.groupBy(match.all, ({ target }) => target.hasStops);
  const selection = selectByTime(byStops.get(false) ?? [], reference, context);
  const whole = 'leg' in selection ? selection : selectByTime(byStops.get(true) ?? [], reference, context);
  if ('leg' in whole) {
    const { leg, remark } = whole;
    return { target: leg.target, ...(remark && { remark }) };
  }
  return 'reason' in selection ? selection : { reason: 'no-such-flight' };
};

const selectLeg = (query: NumberQuery, context: SelectionContext): FlightMatch => {
  const { match, masterDataIndex } = context;
  if (hasScheduledTime(query.reference)) return selectTimed(query, context);
  const { departureAirport, arrivalAirport } = query.reference;
  const legs = match.ofDate;
  const arrival = arrivalAirport === undefined ? undefined : findLocation(masterDataIndex, arrivalAirport)?.id;
  if (departureAirport !== '') {
    // An unknown airport is that of no leg.
    if (arrivalAirport !== undefined && arrival === undefined) return { reason: 'no-such-flight' };
    const airport = findLocation(masterDataIndex, departureAirport)?.id;
    return selectDeparting(query, { airport, arrival }, context);
  }
  if (arrivalAirport === undefined) return selectSingle(query, legs, match);
  const due = legs.filter(({ target }) => target.arrival === arrival);
  return selectSingle(query, due.length > 0 ? due : selectInAir(query, legs, context), match);
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
  const matches = new Map(
    queries.map(({ reference }) => [reference, toNumberMatch(reference, found.get(reference) ?? [], masterDataIndex)]),
  );
  const listTargets = (reference: DesignatorReference): readonly StatusCandidate[] =>
    matches.get(reference)?.ofDate.map(({ target }) => target) ?? [];
  const telegrams = queries.filter(({ reference }) => dependsOnStatus(reference));
  const known = await listStatuses(sql, toDistinctIds(telegrams.flatMap(({ reference }) => listTargets(reference))));
  const statuses = new Map(known.map((status) => [formatStatusId(status), status]));
  const storedIds = await listStoredMessageIds(
    sql,
    telegrams.flatMap(({ reference, identity }) =>
      identity ? listTargets(reference).map((target) => ({ ...target, ...identity })) : [],
    ),
  );
  return queries.map((query) => {
    const { identity, reference } = query;
    const match = matches.get(reference) ?? { all: [], ofDate: [], dates: undefined };
    const stored =
      identity && listTargets(reference).find((target) => storedIds.has(formatStoredId({ ...target, ...identity })));
    return stored ? { target: stored } : selectLeg(query, { match, statuses, masterDataIndex });
  });
};

/** Finds the flights of queries. Returns matches in the positions of the queries. */
export const matchFlights = async (
  sql: Sql,
  queries: readonly FlightQuery[],
  masterDataIndex: MasterDataIndex,
): Promise<readonly FlightMatch[]> => {
  const byKeys = await findByKeys(sql, queries, masterDataIndex);
  const searches = new Map<number, NumberQuery>();
  for (const [index, query] of queries.entries()) {
    const { flight, id, source, sender } = query;
    const identity = id === undefined || source === undefined ? undefined : { id, source, sender };
    if (byKeys[index]?.length !== 1 && flight.by === 'designator')
      searches.set(index, { reference: flight, identity, ...toReports(query) });
  }
  const searched = await searchByNumber(sql, [...searches.values()], masterDataIndex);
  const found = new Map([...searches.keys()].map((index, position) => [index, searched[position]]));
  return queries.map((_, index): FlightMatch => {
    const match = found.get(index);
    const [target] = byKeys[index] ?? [];
    return match ?? (target ? { target } : { reason: 'no-such-flight' });
  });
};
