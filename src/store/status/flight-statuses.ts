import { formatDate, localDate, type LocalDate, type UtcMinute } from '../../domain/time/dates.ts';
import type { UtcMillisecond } from '../../domain/status/instants.ts';
import type { Sql } from '../pool/database.ts';
import { joinTexts } from '../pool/driver/driver.ts';

/** What a flight's status is kept under: its local date of scheduled departure, and the order of its status key. */
export type StatusPlace = { readonly departsOn: LocalDate; readonly statusOrder: bigint };

/** A text that is the same for the same place and for no other. */
export const placeName = ({ departsOn, statusOrder }: StatusPlace): string => `${departsOn}|${statusOrder}`;

/** What the schedule says of a flight, as far as its status is compared with it. */
export type StatusFrame = {
  /** Ids of locations. */
  readonly departure: number;
  readonly arrival: number;
  readonly scheduledOut: UtcMinute;
  /** Undefined where nobody has said when the flight arrives. */
  readonly scheduledIn: UtcMinute | undefined;
  /** Local time ahead of UTC at the scheduled times, minutes: it stands where a location's zone is not known. */
  readonly departureOffset: number;
  readonly arrivalOffset: number;
  readonly isRecovery: boolean;
};

/** What says which of two messages is the newer. */
export type MessageTime = { readonly observedAt: UtcMillisecond; readonly id: string };

/** The status of a flight as it is kept. `known` is the domain's KnownFlight as JSON, `doc` the latest StatusDetails as JSON. */
export type FlightStatusRow = StatusPlace & {
  /** The status key, 32 bytes. */
  readonly key: Buffer;
  readonly frame: StatusFrame;
  /** The newest message: undefined when none has been counted yet. */
  readonly newest: MessageTime | undefined;
  /** The newest message that described the flight itself, where no schedule does. */
  readonly planned: MessageTime | undefined;
  readonly known: string;
  readonly doc: string;
  readonly state: string;
  readonly registration: string | undefined;
  readonly seats: string | undefined;
  /** Ids of the locations it was diverted to. */
  readonly diversions: readonly number[];
};

/** A StatusFrame as its columns come. */
export type FrameRow = {
  readonly departure: number;
  readonly arrival: number;
  readonly scheduledOut: number;
  readonly scheduledIn: number | null;
  readonly departureOffset: number;
  readonly arrivalOffset: number;
  readonly isRecovery: boolean;
};

/** Reads a StatusFrame. */
export const readFrame = (row: FrameRow): StatusFrame => ({
  departure: row.departure,
  arrival: row.arrival,
  scheduledOut: row.scheduledOut as UtcMinute,
  scheduledIn: row.scheduledIn === null ? undefined : (row.scheduledIn as UtcMinute),
  departureOffset: row.departureOffset,
  arrivalOffset: row.arrivalOffset,
  isRecovery: row.isRecovery,
});

type Row = FrameRow & {
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
  readonly diversions: number[] | null;
};

const timeOf = (at: Date | null, id: string | null): MessageTime | undefined =>
  at === null ? undefined : { observedAt: at.getTime() as UtcMillisecond, id: id ?? '' };

const read = (row: Row): FlightStatusRow => ({
  departsOn: localDate(row.departsOn),
  statusOrder: row.statusOrder,
  key: row.key,
  frame: readFrame(row),
  newest: timeOf(row.observedAt, row.lastId),
  planned: timeOf(row.plannedAt, row.planId),
  known: row.known,
  doc: row.doc,
  state: row.state,
  registration: row.registration ?? undefined,
  seats: row.seats ?? undefined,
  diversions: row.diversions ?? [],
});

const columns = (sql: Sql) => sql`
  s.departs_on as "departsOn", s.status_order as "statusOrder", s.key, s.departure, s.arrival,
  s.scheduled_out as "scheduledOut", s.scheduled_in as "scheduledIn", s.departure_offset as "departureOffset",
  s.arrival_offset as "arrivalOffset", s.is_recovery as "isRecovery", s.observed_at as "observedAt",
  s.last_id as "lastId", s.planned_at as "plannedAt", s.plan_id as "planId", s.known, s.doc, s.state, s.registration, s.seats`;

const places = (sql: Sql, wanted: readonly StatusPlace[]) => sql`
  unnest(${wanted.map(({ departsOn }) => formatDate(departsOn))}::date[], ${wanted.map(({ statusOrder }) => String(statusOrder))}::bigint[])
    as wanted(departs_on, status_order)`;

const diversionsOf = (sql: Sql) => sql`
  (select array_agg(location order by location) from flight_diversion d
    where d.departs_on = s.departs_on and d.status_order = s.status_order) as diversions`;

/** The statuses kept of these flights, in no particular order; flights without one are left out. */
export const findStatuses = async (sql: Sql, wanted: readonly StatusPlace[]): Promise<readonly FlightStatusRow[]> => {
  if (wanted.length === 0) return [];
  const rows = await sql<Row[]>`
    select ${columns(sql)}, ${diversionsOf(sql)}
    from ${places(sql, wanted)} join flight_status s using (departs_on, status_order)`;
  return rows.map(read);
};

/** The messages that described these flights themselves, by the names of their places; flights without one are left out. */
export const findPlanned = async (
  sql: Sql,
  wanted: readonly StatusPlace[],
): Promise<ReadonlyMap<string, MessageTime>> => {
  if (wanted.length === 0) return new Map();
  const rows = await sql<{ departsOn: string; statusOrder: bigint; plannedAt: Date; planId: string | null }[]>`
    select s.departs_on as "departsOn", s.status_order as "statusOrder", s.planned_at as "plannedAt", s.plan_id as "planId"
    from ${places(sql, wanted)} join flight_status s using (departs_on, status_order)
    where s.planned_at is not null`;
  return new Map(
    rows.map(({ departsOn, statusOrder, plannedAt, planId }) => [
      placeName({ departsOn: localDate(departsOn), statusOrder }),
      { observedAt: plannedAt.getTime() as UtcMillisecond, id: planId ?? '' },
    ]),
  );
};

const compare = (a: StatusPlace, b: StatusPlace): number =>
  a.departsOn - b.departsOn || (a.statusOrder < b.statusOrder ? -1 : a.statusOrder > b.statusOrder ? 1 : 0);

/** A flight whose status is about to change. */
export type StatusSubject = StatusPlace & { readonly key: Buffer; readonly frame: StatusFrame };

/**
 * Locks the statuses of flights until the transaction ends, making those that are not there yet, and answers them all.
 * They are taken in one order, so that feeds which run side by side wait for each other and never in a ring.
 */
export const lockStatuses = async (
  sql: Sql,
  subjects: readonly StatusSubject[],
): Promise<readonly FlightStatusRow[]> => {
  if (subjects.length === 0) return [];
  const ordered = subjects.toSorted(compare);
  const frames = ordered.map(({ frame }) => frame);
  await sql`
    insert into flight_status (departs_on, status_order, key, departure, arrival, scheduled_out, scheduled_in,
      departure_offset, arrival_offset, is_recovery)
    select departs_on, status_order, decode(key, 'hex'), departure, arrival, scheduled_out, scheduled_in,
      departure_offset, arrival_offset, is_recovery::boolean
    from unnest(
      ${ordered.map(({ departsOn }) => formatDate(departsOn))}::date[],
      ${ordered.map(({ statusOrder }) => String(statusOrder))}::bigint[],
      ${ordered.map(({ key }) => key.toString('hex'))}::text[],
      ${frames.map(({ departure }) => departure)}::int[],
      ${frames.map(({ arrival }) => arrival)}::int[],
      ${frames.map(({ scheduledOut }) => scheduledOut)}::int[],
      ${frames.map(({ scheduledIn }) => scheduledIn ?? null)}::int[],
      ${frames.map(({ departureOffset }) => departureOffset)}::smallint[],
      ${frames.map(({ arrivalOffset }) => arrivalOffset)}::smallint[],
      ${frames.map(({ isRecovery }) => String(isRecovery))}::text[]
    ) as given(departs_on, status_order, key, departure, arrival, scheduled_out, scheduled_in, departure_offset,
      arrival_offset, is_recovery)
    on conflict do nothing`;
  const rows = await sql<Row[]>`
    select ${columns(sql)}, null as diversions
    from ${places(sql, ordered)} join flight_status s using (departs_on, status_order)
    order by s.departs_on, s.status_order for update of s`;
  return rows.map(read);
};

/** Writes statuses that are locked. */
export const saveStatuses = async (sql: Sql, statuses: readonly FlightStatusRow[]): Promise<void> => {
  if (statuses.length === 0) return;
  const frames = statuses.map(({ frame }) => frame);
  await sql`
    update flight_status s set
      departure = given.departure, arrival = given.arrival, scheduled_out = given.scheduled_out,
      scheduled_in = given.scheduled_in, departure_offset = given.departure_offset, arrival_offset = given.arrival_offset,
      is_recovery = given.is_recovery::boolean, observed_at = given.observed_at, last_id = given.last_id,
      planned_at = given.planned_at, plan_id = given.plan_id, known = given.known,
      doc = given.doc, state = given.state, registration = given.registration, seats = given.seats
    from unnest(
      ${statuses.map(({ departsOn }) => formatDate(departsOn))}::date[],
      ${statuses.map(({ statusOrder }) => String(statusOrder))}::bigint[],
      ${frames.map(({ departure }) => departure)}::int[],
      ${frames.map(({ arrival }) => arrival)}::int[],
      ${frames.map(({ scheduledOut }) => scheduledOut)}::int[],
      ${frames.map(({ scheduledIn }) => scheduledIn ?? null)}::int[],
      ${frames.map(({ departureOffset }) => departureOffset)}::smallint[],
      ${frames.map(({ arrivalOffset }) => arrivalOffset)}::smallint[],
      ${frames.map(({ isRecovery }) => String(isRecovery))}::text[],
      ${statuses.map(({ newest }) => (newest ? new Date(newest.observedAt).toISOString() : null))}::timestamptz[],
      ${statuses.map(({ newest }) => newest?.id ?? null)}::text[],
      ${statuses.map(({ planned }) => (planned ? new Date(planned.observedAt).toISOString() : null))}::timestamptz[],
      ${statuses.map(({ planned }) => planned?.id ?? null)}::text[],
      string_to_array(${joinTexts(statuses.map(({ known }) => known))}, E'\\x1f'),
      string_to_array(${joinTexts(statuses.map(({ doc }) => doc))}, E'\\x1f'),
      ${statuses.map(({ state }) => state)}::text[],
      ${statuses.map(({ registration }) => registration ?? null)}::text[],
      ${statuses.map(({ seats }) => seats ?? null)}::text[]
    ) as given(departs_on, status_order, departure, arrival, scheduled_out, scheduled_in, departure_offset, arrival_offset,
      is_recovery, observed_at, last_id, planned_at, plan_id, known, doc, state, registration, seats)
    where s.departs_on = given.departs_on and s.status_order = given.status_order`;
};

/** Replaces what is kept of the diversions of flights. */
export const saveDiversions = async (
  sql: Sql,
  flights: readonly (StatusPlace & { readonly diversions: readonly number[] })[],
): Promise<void> => {
  if (flights.length === 0) return;
  await sql`
    delete from flight_diversion d using ${places(sql, flights)}
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
