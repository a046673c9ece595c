import type { UtcMillisecond } from '#domain/status/instants.ts';
import {
  formatDate,
  formatMinute,
  localDate,
  type LocalDate,
  type LocalMinute,
  type UtcMinute,
} from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { joinTexts } from '../pool/driver/driver.ts';
import { deleteBatches, type DeleteBatchesOptions } from '../tasks/delete-batches.ts';

/** Identifies the status of a flight: its local date of scheduled departure, and the order of its status key. */
export type StatusId = { readonly departsOn: LocalDate; readonly statusOrder: bigint };

/** Formats a status id as text, for keys of maps and sets. */
export const formatStatusId = ({ departsOn, statusOrder }: StatusId): string => `${departsOn}|${statusOrder}`;

/** Returns each of these statuses once. */
export const toDistinctIds = <Id extends StatusId>(ids: readonly Id[]): readonly Id[] => [
  ...new Map(ids.map((id) => [formatStatusId(id), id])).values(),
];

/** The scheduled airports and times of a flight, with which its status is compared. */
export type ScheduleReference = {
  /** Ids of locations. */
  readonly departure: number;
  readonly arrival: number;
  readonly scheduledOut: UtcMinute;
  /** True where the departure time is only estimated from that of the arrival. */
  readonly isDepartureEstimated?: boolean;
  /** Undefined where the arrival time is not known. */
  readonly scheduledIn: UtcMinute | undefined;
  /** Local time minus UTC at the scheduled times, minutes: used where the time zone of a location is not known. */
  readonly departureOffset: number;
  readonly arrivalOffset: number;
  readonly isRecovery: boolean;
};

/** Orders messages: the later time is newer, and of two at the same time the greater id. */
export type MessageTime = { readonly observedAt: UtcMillisecond; readonly id: string };

/** The latest reported departure and arrival, each local at the scheduled airport: actual, else estimated. */
export type LatestTimes = { readonly departure: LocalMinute | undefined; readonly arrival: LocalMinute | undefined };

/** The status of a flight as it is stored. */
export type FlightStatusRow = StatusId & {
  /** The status key, 32 bytes. */
  readonly key: Buffer;
  readonly reference: ScheduleReference;
  /** The newest message; undefined before the first. */
  readonly newest: MessageTime | undefined;
  /** The newest message with a flight plan, for an unscheduled flight. */
  readonly describedAt: MessageTime | undefined;
  /** The JSON of a FlightObservations; '' when nothing was observed. */
  readonly observationsJson: string;
  /** The JSON of the latest StatusDetails; '' when nothing was observed. */
  readonly statusJson: string;
  readonly state: string;
  readonly registration: string | undefined;
  readonly seats: string | undefined;
  /** Its latest known times, undefined while only the schedule is known. */
  readonly latestTimes: LatestTimes;
  /** Ids of the locations to which it was diverted. */
  readonly diversions: readonly number[];
};

/** The columns of a ScheduleReference. */
export type ScheduleReferenceRow = {
  readonly departure: number;
  readonly arrival: number;
  readonly scheduledOut: number;
  readonly isDepartureEstimated: boolean;
  readonly scheduledIn: number | null;
  readonly departureOffset: number;
  readonly arrivalOffset: number;
  readonly isRecovery: boolean;
};

/** Reads a ScheduleReference from its columns. */
export const readScheduleReference = (row: ScheduleReferenceRow): ScheduleReference => ({
  departure: row.departure,
  arrival: row.arrival,
  scheduledOut: row.scheduledOut as UtcMinute,
  ...(row.isDepartureEstimated && { isDepartureEstimated: true }),
  scheduledIn: row.scheduledIn === null ? undefined : (row.scheduledIn as UtcMinute),
  departureOffset: row.departureOffset,
  arrivalOffset: row.arrivalOffset,
  isRecovery: row.isRecovery,
});

type Row = ScheduleReferenceRow & {
  readonly departsOn: string;
  readonly statusOrder: bigint;
  readonly key: Buffer;
  readonly observedAt: Date | null;
  readonly lastId: string | null;
  readonly plannedAt: Date | null;
  readonly planId: string | null;
  readonly known: string;
  readonly doc: string;
  readonly state: string;
  readonly registration: string | null;
  readonly seats: string | null;
  readonly latestDeparture: number | null;
  readonly latestArrival: number | null;
  readonly diversions: number[] | null;
};

const toMessageTime = (at: Date | null, id: string | null): MessageTime | undefined =>
  at === null ? undefined : { observedAt: at.getTime() as UtcMillisecond, id: id ?? '' };

const toLocalMinute = (minute: number | null): LocalMinute | undefined =>
  minute === null ? undefined : (minute as LocalMinute);

const read = (row: Row): FlightStatusRow => ({
  departsOn: localDate(row.departsOn),
  statusOrder: row.statusOrder,
  key: row.key,
  reference: readScheduleReference(row),
  newest: toMessageTime(row.observedAt, row.lastId),
  describedAt: toMessageTime(row.plannedAt, row.planId),
  observationsJson: row.known,
  statusJson: row.doc,
  state: row.state,
  registration: row.registration ?? undefined,
  seats: row.seats ?? undefined,
  latestTimes: { departure: toLocalMinute(row.latestDeparture), arrival: toLocalMinute(row.latestArrival) },
  diversions: row.diversions ?? [],
});

const columns = (sql: Sql) => sql`
  s.departs_on as "departsOn", s.status_order as "statusOrder", s.key, s.departure, s.arrival,
  s.scheduled_out as "scheduledOut", s.scheduled_in as "scheduledIn", s.departure_offset as "departureOffset",
  s.arrival_offset as "arrivalOffset", s.departure_estimated as "isDepartureEstimated", s.is_recovery as "isRecovery", s.observed_at as "observedAt",
  s.last_id as "lastId", s.planned_at as "plannedAt", s.plan_id as "planId", s.known, s.doc, s.state, s.registration, s.seats,
  (extract(epoch from s.latest_departs_at) / 60)::int as "latestDeparture", (extract(epoch from s.latest_arrives_at) / 60)::int as "latestArrival"`;

const unnestIds = (sql: Sql, ids: readonly StatusId[]) => sql`
  unnest(${ids.map(({ departsOn }) => formatDate(departsOn))}::date[], ${ids.map(({ statusOrder }) => String(statusOrder))}::bigint[])
    as wanted(departs_on, status_order)`;

const selectDiversions = (sql: Sql) => sql`
  (select array_agg(location order by location) from flight_diversion d
    where d.departs_on = s.departs_on and d.status_order = s.status_order) as diversions`;

/** Returns the statuses of these flights, in no particular order; flights without one are left out. */
export const listStatuses = async (sql: Sql, ids: readonly StatusId[]): Promise<readonly FlightStatusRow[]> => {
  if (ids.length === 0) return [];
  const rows = await sql<Row[]>`
    select ${columns(sql)}, ${selectDiversions(sql)}
    from ${unnestIds(sql, ids)} join flight_status s using (departs_on, status_order)`;
  return rows.map(read);
};

/** Returns the newest messages with a flight plan of these flights, by `formatStatusId`; flights without one are left out. */
export const listPlanTimes = async (sql: Sql, ids: readonly StatusId[]): Promise<ReadonlyMap<string, MessageTime>> => {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ departsOn: string; statusOrder: bigint; plannedAt: Date; planId: string | null }[]>`
    select s.departs_on as "departsOn", s.status_order as "statusOrder", s.planned_at as "plannedAt", s.plan_id as "planId"
    from ${unnestIds(sql, ids)} join flight_status s using (departs_on, status_order)
    where s.planned_at is not null`;
  return new Map(
    rows.map(({ departsOn, statusOrder, plannedAt, planId }) => [
      formatStatusId({ departsOn: localDate(departsOn), statusOrder }),
      { observedAt: plannedAt.getTime() as UtcMillisecond, id: planId ?? '' },
    ]),
  );
};

const compare = (a: StatusId, b: StatusId): number =>
  a.departsOn - b.departsOn || (a.statusOrder < b.statusOrder ? -1 : a.statusOrder > b.statusOrder ? 1 : 0);

/**
 * Locks all statuses until the transaction ends, for one that locks flights in its own order, such as a file of many batches: it could
 * deadlock with others, which now wait before they lock anything. Lock the schedules first.
 */
export const lockAllStatuses = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('flightdata statuses'))`;
};

/** Starts a transaction that locks the statuses of its flights in one call; such transactions run side by side. */
export const lockStatusesShared = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtext('flightdata statuses'))`;
};

/** Ends the transaction `sql` with an error instead of waiting longer than this for a lock. */
export const limitLockWait = async (sql: Sql, ms: number): Promise<void> => {
  await sql`select set_config('lock_timeout', ${String(ms)}, true)`;
};

/** A flight whose status the caller locks. */
export type StatusFlight = StatusId & { readonly key: Buffer; readonly reference: ScheduleReference };

/**
 * Locks the statuses of flights until the transaction ends, inserts those that are missing, and returns all of them.
 * They are locked in one order, so that concurrent feeds never deadlock.
 */
export const lockStatuses = async (sql: Sql, flights: readonly StatusFlight[]): Promise<readonly FlightStatusRow[]> => {
  if (flights.length === 0) return [];
  const ordered = flights.toSorted(compare);
  const references = ordered.map(({ reference }) => reference);
  const inserted = sql`
    insert into flight_status (departs_on, status_order, key, departure, arrival, scheduled_out, scheduled_in,
      departure_offset, arrival_offset, departure_estimated, is_recovery)
    select departs_on, status_order, decode(key, 'hex'), departure, arrival, scheduled_out, scheduled_in,
      departure_offset, arrival_offset, departure_estimated::boolean, is_recovery::boolean
    from unnest(
      ${ordered.map(({ departsOn }) => formatDate(departsOn))}::date[],
      ${ordered.map(({ statusOrder }) => String(statusOrder))}::bigint[],
      ${ordered.map(({ key }) => key.toString('hex'))}::text[],
      ${references.map(({ departure }) => departure)}::int[],
      ${references.map(({ arrival }) => arrival)}::int[],
      ${references.map(({ scheduledOut }) => scheduledOut)}::int[],
      ${references.map(({ scheduledIn }) => scheduledIn ?? null)}::int[],
      ${references.map(({ departureOffset }) => departureOffset)}::smallint[],
      ${references.map(({ arrivalOffset }) => arrivalOffset)}::smallint[],
      ${references.map(({ isDepartureEstimated = false }) => String(isDepartureEstimated))}::text[],
      ${references.map(({ isRecovery }) => String(isRecovery))}::text[]
    ) as given(departs_on, status_order, key, departure, arrival, scheduled_out, scheduled_in, departure_offset,
      arrival_offset, departure_estimated, is_recovery)
    on conflict do nothing`;
  const locked = sql<Row[]>`
    select ${columns(sql)}, null as diversions
    from ${unnestIds(sql, ordered)} join flight_status s using (departs_on, status_order)
    order by s.departs_on, s.status_order for update of s`;
  // The second statement follows the first over the connection of the transaction, without waiting for its response.
  const [, rows] = await Promise.all([inserted, locked]);
  return rows.map(read);
};

const formatLatest = (minute: LocalMinute | undefined): string | null =>
  minute === undefined ? null : formatMinute(minute);

/** Updates statuses that are locked. */
export const updateStatuses = async (sql: Sql, statuses: readonly FlightStatusRow[]): Promise<void> => {
  if (statuses.length === 0) return;
  const references = statuses.map(({ reference }) => reference);
  await sql`
    update flight_status s set
      departure = given.departure, arrival = given.arrival, scheduled_out = given.scheduled_out,
      scheduled_in = given.scheduled_in, departure_offset = given.departure_offset, arrival_offset = given.arrival_offset,
      departure_estimated = given.departure_estimated::boolean, is_recovery = given.is_recovery::boolean, observed_at = given.observed_at, last_id = given.last_id,
      planned_at = given.planned_at, plan_id = given.plan_id,
      -- string_to_array makes nothing of a single empty text
      known = coalesce(given.known, ''), doc = coalesce(given.doc, ''), state = given.state, registration = given.registration, seats = given.seats,
      latest_departs_at = given.departs_at, latest_departs_hour = date_trunc('hour', given.departs_at),
      latest_arrives_at = given.arrives_at, latest_arrives_hour = date_trunc('hour', given.arrives_at)
    from unnest(
      ${statuses.map(({ departsOn }) => formatDate(departsOn))}::date[],
      ${statuses.map(({ statusOrder }) => String(statusOrder))}::bigint[],
      ${references.map(({ departure }) => departure)}::int[],
      ${references.map(({ arrival }) => arrival)}::int[],
      ${references.map(({ scheduledOut }) => scheduledOut)}::int[],
      ${references.map(({ scheduledIn }) => scheduledIn ?? null)}::int[],
      ${references.map(({ departureOffset }) => departureOffset)}::smallint[],
      ${references.map(({ arrivalOffset }) => arrivalOffset)}::smallint[],
      ${references.map(({ isDepartureEstimated = false }) => String(isDepartureEstimated))}::text[],
      ${references.map(({ isRecovery }) => String(isRecovery))}::text[],
      ${statuses.map(({ newest }) => (newest ? new Date(newest.observedAt).toISOString() : null))}::timestamptz[],
      ${statuses.map(({ newest }) => newest?.id ?? null)}::text[],
      ${statuses.map(({ describedAt }) => (describedAt ? new Date(describedAt.observedAt).toISOString() : null))}::timestamptz[],
      ${statuses.map(({ describedAt }) => describedAt?.id ?? null)}::text[],
      string_to_array(${joinTexts(statuses.map(({ observationsJson }) => observationsJson))}, E'\\x1f'),
      string_to_array(${joinTexts(statuses.map(({ statusJson }) => statusJson))}, E'\\x1f'),
      ${statuses.map(({ state }) => state)}::text[],
      ${statuses.map(({ registration }) => registration ?? null)}::text[],
      ${statuses.map(({ seats }) => seats ?? null)}::text[],
      ${statuses.map(({ latestTimes }) => formatLatest(latestTimes.departure))}::timestamp[],
      ${statuses.map(({ latestTimes }) => formatLatest(latestTimes.arrival))}::timestamp[]
    ) as given(departs_on, status_order, departure, arrival, scheduled_out, scheduled_in, departure_offset, arrival_offset,
      departure_estimated, is_recovery, observed_at, last_id, planned_at, plan_id, known, doc, state, registration, seats, departs_at, arrives_at)
    where s.departs_on = given.departs_on and s.status_order = given.status_order`;
};

/** Replaces the diversions of flights. */
export const replaceDiversions = async (
  sql: Sql,
  flights: readonly (StatusId & { readonly diversions: readonly number[] })[],
): Promise<void> => {
  if (flights.length === 0) return;
  await sql`
    delete from flight_diversion d using ${unnestIds(sql, flights)}
    where d.departs_on = wanted.departs_on and d.status_order = wanted.status_order`;
  const rows = flights.flatMap(({ departsOn, statusOrder, diversions }) =>
    [...new Set(diversions)].map((location) => ({ departsOn, statusOrder, location })),
  );
  await sql`
    insert into flight_diversion (location, departs_on, status_order)
    select * from unnest(
      ${rows.map(({ location }) => location)}::int[],
      ${rows.map(({ departsOn }) => formatDate(departsOn))}::date[],
      ${rows.map(({ statusOrder }) => String(statusOrder))}::bigint[])
    on conflict do nothing`;
};

/** Returns whether local time minus UTC at a location (ID) at an instant is `offset` minutes. */
export type OffsetCheck = (location: number, utc: UtcMinute, offset: number) => boolean;

/** Returns the locations whose offset in the statuses of a day is another one now. */
const listCorrectedLocations = async (sql: Sql, day: string, isOffset: OffsetCheck): Promise<readonly number[]> => {
  const rows = await sql<{ location: number; offset: number; first: number; last: number }[]>`
    select location, "offset", min(utc) as first, max(utc) as last
    from flight_status s cross join lateral (values
      (s.departure, s.departure_offset, s.scheduled_out), (s.arrival, s.arrival_offset, s.scheduled_in)) as e(location, "offset", utc)
    where s.departs_on = ${day}::date and utc is not null
    group by location, "offset"`;
  const corrected = rows.filter(({ location, offset, first, last }) =>
    [first, last].some((utc) => !isOffset(location, utc as UtcMinute, offset)),
  );
  return corrected.map(({ location }) => location);
};

/** The UTC time of an end of a list row, which is a column only in local time. */
const utcOf = (sql: Sql, end: 'departure' | 'arrival') =>
  sql`((d.${sql(end)} #>> '{date,utc}') || ' ' || (d.${sql(end)} #>> '{time,utc}'))::timestamp`;

/** UTC is read from the row, at 50 microseconds each, only at corrected locations. */
const listOutdatedOfDay = (sql: Sql, day: string, corrected: readonly number[]) => sql<
  { departsOn: string; statusOrder: bigint }[]
>`
  select s.departs_on as "departsOn", s.status_order as "statusOrder"
  from flight_status s
  join flight_instance i on i.status_order = s.status_order and not i.is_marketing
    and i.departs_at >= ${day}::date and i.departs_at < ${day}::date + 1
  where s.departs_on = ${day}::date
    and ((s.departure, s.arrival, timestamp '1970-01-01' + (s.scheduled_out + s.departure_offset) * interval '1 minute',
        timestamp '1970-01-01' + (s.scheduled_in + s.arrival_offset) * interval '1 minute')
      is distinct from
        (i.departure, i.arrival, i.departs_at, case when s.scheduled_in is not null or i.flight_type = 'S' then i.arrives_at end)
      or case when array[s.departure, s.arrival] && ${[...corrected]}::int[] then (
        select (timestamp '1970-01-01' + s.scheduled_out * interval '1 minute', timestamp '1970-01-01' + s.scheduled_in * interval '1 minute')
          is distinct from (${utcOf(sql, 'departure')}, case when s.scheduled_in is not null then ${utcOf(sql, 'arrival')} end)
        from json_to_record(i.doc::json) as d(departure json, arrival json)) end)
  order by s.status_order`;

/**
 * Returns the statuses between two local dates whose schedule reference differs from the current schedule: also those where only UTC differs,
 * because the time zone of a location was corrected.
 */
export const listOutdatedStatuses = async (
  sql: Sql,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
  isOffset: OffsetCheck,
): Promise<readonly StatusId[]> => {
  const days = await sql<{ day: string }[]>`
    select distinct departs_on as day from flight_status
    where departs_on between ${formatDate(from)} and ${formatDate(to)} order by day`;
  const outdated: StatusId[] = [];
  for (const { day } of days) {
    const corrected = await listCorrectedLocations(sql, day, isOffset);
    for (const { departsOn, statusOrder } of await listOutdatedOfDay(sql, day, corrected))
      outdated.push({ departsOn: localDate(departsOn), statusOrder });
  }
  return outdated;
};

/**
 * Deletes statuses, diversions and messages of flights that depart on a local date, and returns the number of messages. Each batch is a
 * transaction of its own, unless `sql` is a transaction.
 */
export const pruneStatuses = async (sql: Sql, day: LocalDate, options: DeleteBatchesOptions = {}): Promise<number> => {
  const date = formatDate(day);
  const prune = (table: string): Promise<number> =>
    deleteBatches(async (batchSize) => {
      const { count } = await sql`
        delete from ${sql(table)} where ctid = any(array(select ctid from ${sql(table)} where departs_on = ${date} limit ${batchSize}))`;
      return count;
    }, options);
  const messages = await prune('status_message');
  await prune('flight_diversion');
  await prune('flight_status');
  return messages;
};

/** Rejects with the error of the database when the statuses of flights cannot be read. */
export const assertStatusesReadable = async (sql: Sql): Promise<void> => {
  await sql`select from flight_status limit 1`;
};
