import type { CancellationChange } from '../../domain/schedule/messages/change-date.ts';
import type { Amendment, SubMessage } from '../../domain/schedule/messages/schedule-message.ts';
import type { Designator, Itinerary } from '../../domain/schedule/schedule.ts';
import { formatDate, localDate, type LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { toFlightTable } from './flight-table.ts';

/** A message or a part of one, to be stored. `changesJson` are its sub-messages. */
export type ScheduleMessageRow = {
  /** 32 bytes. */
  readonly digest: Buffer;
  readonly kind: string;
  readonly reference: string;
  readonly createdOn: LocalDate;
  readonly group: string;
  readonly part: number;
  readonly isLast: boolean;
  readonly receivedAt: Date;
  readonly text: string;
  readonly changesJson: string;
  readonly isComplete: boolean;
  readonly rejectionJson: string | undefined;
};

/** Inserts a message and returns its id; undefined when the same message is stored already. */
export const insertScheduleMessage = async (sql: Sql, row: ScheduleMessageRow): Promise<number | undefined> => {
  const [inserted] = await sql<{ id: bigint }[]>`
    insert into schedule_message (digest, kind, reference, created_on, group_number, part, is_last, received_at, text, changes, complete, rejection)
    values (${row.digest}, ${row.kind}, ${row.reference}, ${formatDate(row.createdOn)}, ${row.group}, ${row.part}, ${row.isLast}, ${row.receivedAt},
      ${row.text}, ${row.changesJson}, ${row.isComplete}, ${row.rejectionJson ?? null})
    on conflict (digest) do nothing returning id`;
  return inserted && Number(inserted.id);
};

export type WaitingPart = {
  readonly id: number;
  readonly part: number;
  readonly isLast: boolean;
  readonly subMessages: readonly SubMessage[];
};

/** Returns the parts of an incomplete message in their order. */
export const listWaitingParts = async (
  sql: Sql,
  { kind, createdOn, group }: Pick<ScheduleMessageRow, 'kind' | 'createdOn' | 'group'>,
): Promise<readonly WaitingPart[]> => {
  const rows = await sql<{ id: bigint; part: number; isLast: boolean; changes: string }[]>`
    select id, part, is_last as "isLast", changes from schedule_message
    where not complete and kind = ${kind} and created_on = ${formatDate(createdOn)} and group_number = ${group} order by part`;
  return rows.map(({ id, part, isLast, changes }) => ({
    id: Number(id),
    part,
    isLast,
    subMessages: JSON.parse(changes),
  }));
};

/** Marks the parts of a message as complete. */
export const completeParts = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await sql`update schedule_message set complete = true where id = any(${[...ids]}::bigint[])`;
};

/** An amendment to be inserted, of the message `messageId`. */
export type AmendmentRow = Pick<Amendment, 'createdOn' | 'group' | 'subMessages'> & {
  readonly messageId: number;
  readonly receivedAt: Date;
  readonly flights: readonly Designator[];
};

/** Inserts an amendment that is not applied yet, and returns its id. */
export const insertAmendment = async (sql: Sql, row: AmendmentRow): Promise<number> => {
  const [inserted] = await sql<{ id: bigint }[]>`
    insert into schedule_amendment (message_id, created_on, group_number, received_at, changes, state)
    values (${row.messageId}, ${formatDate(row.createdOn)}, ${row.group}, ${row.receivedAt}, ${JSON.stringify(row.subMessages)}, 'quarantined')
    returning id`;
  const id = Number(inserted?.id);
  for (const { carrier, flightNumber, suffix } of row.flights)
    await sql`insert into schedule_amendment_flight (designator, flight_number, suffix, amendment_id)
      values (${carrier}, ${flightNumber}, ${suffix}, ${id})`;
  return id;
};

type FlightRow = { readonly designator: string; readonly flightNumber: number; readonly suffix: string };
const toDesignator = ({ designator, flightNumber, suffix }: FlightRow): Designator => ({
  carrier: designator,
  flightNumber,
  suffix,
});

/** Returns these flights and all that changes of designators connect with them. */
export const listConnectedFlights = async (
  sql: Sql,
  flights: readonly Designator[],
): Promise<readonly Designator[]> => {
  const rows = await sql<FlightRow[]>`
    with recursive connected as (
      select designator, flight_number, suffix from ${toFlightTable(sql, flights)}
      union
      select other.designator, other.flight_number, other.suffix
      from connected join schedule_amendment_flight a using (designator, flight_number, suffix)
      join schedule_amendment_flight other on other.amendment_id = a.amendment_id
    )
    select designator, flight_number as "flightNumber", suffix from connected order by 1, 2, 3`;
  return rows.map(toDesignator);
};

export type AmendmentState = 'applied' | 'quarantined' | 'superseded';
export type StoredAmendment = Amendment & {
  readonly state: AmendmentState;
  readonly rejectionJson: string | undefined;
};

/** Returns the amendments of flights that no schedule file has superseded. */
export const listAmendments = async (sql: Sql, flights: readonly Designator[]): Promise<readonly StoredAmendment[]> => {
  const rows = await sql<
    {
      id: bigint;
      createdOn: string;
      group: string;
      receivedAt: Date;
      changes: string;
      state: AmendmentState;
      rejection: string | null;
    }[]
  >`
    select id, created_on as "createdOn", group_number as "group", received_at as "receivedAt", changes, state, rejection from schedule_amendment
    where state <> 'superseded' and id in (
      select amendment_id from schedule_amendment_flight join ${toFlightTable(sql, flights)} using (designator, flight_number, suffix))`;
  return rows.map(({ id, createdOn, group, receivedAt, changes, state, rejection }) => ({
    id: Number(id),
    createdOn: localDate(createdOn),
    group,
    receivedAt: receivedAt.getTime(),
    subMessages: JSON.parse(changes),
    state,
    rejectionJson: rejection ?? undefined,
  }));
};

/** Stores the outcome of an amendment. `cancellationsJson` is kept until a status has it. */
export const updateAmendment = async (
  sql: Sql,
  id: number,
  outcome: {
    readonly state: AmendmentState;
    readonly rejectionJson: string | undefined;
    readonly cancellationsJson: string | undefined;
  },
): Promise<void> => {
  await sql`
    update schedule_amendment set state = ${outcome.state}, rejection = ${outcome.rejectionJson ?? null},
      cancellations = coalesce(${outcome.cancellationsJson ?? null}, cancellations)
    where id = ${id}`;
};

type UnsentCancellations = {
  readonly id: number;
  readonly receivedAt: Date;
  readonly cancellations: readonly CancellationChange[];
};

/** Returns up to `limit` amendments whose cancellations no status has yet, oldest first. */
export const listUnsentCancellations = async (sql: Sql, limit: number): Promise<readonly UnsentCancellations[]> => {
  const rows = await sql<{ id: bigint; receivedAt: Date; cancellations: string }[]>`
    select id, received_at as "receivedAt", cancellations from schedule_amendment
    where cancellations is not null order by id limit ${limit}`;
  return rows.map(({ id, receivedAt, cancellations }) => ({
    id: Number(id),
    receivedAt,
    cancellations: JSON.parse(cancellations),
  }));
};

/** Marks the cancellations of amendments as sent. */
export const deleteCancellations = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await sql`update schedule_amendment set cancellations = null where id = any(${[...ids]}::bigint[])`;
};

/** Returns the itineraries of flights by their last schedule file, of those that were amended before. */
export const listFiledFlights = async (
  sql: Sql,
  flights: readonly Designator[],
): Promise<readonly { readonly flight: Designator; readonly itineraries: readonly Itinerary[] }[]> => {
  const rows = await sql<(FlightRow & { itineraries: string })[]>`
    select designator, flight_number as "flightNumber", suffix, itineraries
    from filed_flight join ${toFlightTable(sql, flights)} using (designator, flight_number, suffix)`;
  return rows.map(({ itineraries, ...flight }) => ({
    flight: toDesignator(flight),
    itineraries: JSON.parse(itineraries),
  }));
};

/** Stores the itineraries of a flight by its schedule file before it is amended. */
export const insertFiledFlight = async (
  sql: Sql,
  { carrier, flightNumber, suffix }: Designator,
  itineraries: readonly Itinerary[],
): Promise<void> => {
  await sql`insert into filed_flight (designator, flight_number, suffix, itineraries)
    values (${carrier}, ${flightNumber}, ${suffix}, ${JSON.stringify(itineraries)})`;
};

/** Deletes the filed flights of designators, because a new schedule file replaces them. */
export const deleteFiledFlights = async (sql: Sql, designators: readonly string[]): Promise<void> => {
  await sql`delete from filed_flight where designator = any(${[...designators]})`;
};

/** Marks amendments of a designator from before a date as superseded by a schedule file. */
export const supersedeAmendments = async (sql: Sql, designator: string, before: LocalDate): Promise<void> => {
  await sql`
    update schedule_amendment set state = 'superseded', rejection = null
    where state <> 'superseded' and created_on < ${formatDate(before)}
      and id in (select amendment_id from schedule_amendment_flight where designator = ${designator})`;
};

/** Returns the flights of designators that have amendments in force or in quarantine. */
export const listAmendedFlights = async (sql: Sql, designators: readonly string[]): Promise<readonly Designator[]> => {
  const rows = await sql<FlightRow[]>`
    select distinct designator, flight_number as "flightNumber", suffix
    from schedule_amendment_flight f join schedule_amendment a on a.id = f.amendment_id
    where designator = any(${[...designators]}) and a.state <> 'superseded'`;
  return rows.map(toDesignator);
};

/** A message in quarantine: one that cannot be read, or the changes of a flight that do not fit its schedule. */
export type QuarantinedScheduleMessage = {
  readonly reference: string;
  readonly receivedAt: Date;
  readonly rejectionJson: string;
  readonly text: string;
};

/** Returns the messages in quarantine, newest first. */
export const listQuarantinedMessages = async (
  sql: Sql,
  limit: number,
): Promise<readonly QuarantinedScheduleMessage[]> =>
  sql<QuarantinedScheduleMessage[]>`
    select reference, received_at as "receivedAt", rejection as "rejectionJson", text from schedule_message where rejection is not null
    union all
    select m.reference, m.received_at, a.rejection, m.text from schedule_amendment a join schedule_message m on m.id = a.message_id
    where a.state = 'quarantined' and a.rejection is not null
    order by 2 desc limit ${limit}`;

/** An itinerary of a flight in force, and what caused it. */
export type ItineraryOrigin = {
  readonly itinerary: Itinerary;
  readonly source: string;
  readonly loadedAt: Date;
  /** The message; undefined for a schedule file. */
  readonly message:
    | { readonly kind: string; readonly reference: string; readonly receivedAt: Date; readonly text: string }
    | undefined;
};

/** Returns the itineraries in force of a flight number with their origin. */
export const listItineraryOrigins = async (
  sql: Sql,
  designator: string,
  flightNumber: number,
): Promise<readonly ItineraryOrigin[]> => {
  const rows = await sql<
    {
      doc: string;
      source: string;
      loadedAt: Date;
      kind: string | null;
      reference: string;
      receivedAt: Date;
      text: string;
    }[]
  >`
    select i.doc, l.source, l.loaded_at as "loadedAt", m.kind, m.reference, m.received_at as "receivedAt", m.text
    from itinerary i join load l on l.id = i.load_id
    left join schedule_amendment a on a.id = i.amendment_id left join schedule_message m on m.id = a.message_id
    where i.retired_by is null and i.designator = ${designator} and i.flight_number = ${flightNumber}
    order by i.suffix, i.from_date, i.variation, i.id`;
  return rows.map(({ doc, source, loadedAt, kind, reference, receivedAt, text }) => ({
    itinerary: JSON.parse(doc),
    source,
    loadedAt,
    message: kind === null ? undefined : { kind, reference, receivedAt, text },
  }));
};
