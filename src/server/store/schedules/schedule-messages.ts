import type { Amendment, SubMessage } from '#domain/schedule/messages/schedule-message.ts';
import type { Designator, Itinerary } from '#domain/schedule/schedule.ts';
import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
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
  /** The sender; '' when unknown. */
  readonly originator: string;
  readonly sentAt: Date | undefined;
  readonly text: string;
  readonly changesJson: string;
  readonly isComplete: boolean;
  readonly rejectionJson: string | undefined;
};

/** Inserts a message, `repetition` times repeated, and returns its id; undefined when it is stored already. */
export const insertScheduleMessage = async (
  sql: Sql,
  row: ScheduleMessageRow,
  repetition: number,
): Promise<number | undefined> => {
  const [inserted] = await sql<{ id: bigint }[]>`
    insert into schedule_message (digest, repetition, kind, reference, created_on, group_number, part, is_last, received_at, originator, sent_at,
      text, changes, complete, rejection)
    values (${row.digest}, ${repetition}, ${row.kind}, ${row.reference}, ${formatDate(row.createdOn)}, ${row.group}, ${row.part}, ${row.isLast},
      ${row.receivedAt}, ${row.originator}, ${row.sentAt ?? null}, ${row.text}, ${row.changesJson}, ${row.isComplete}, ${row.rejectionJson ?? null})
    on conflict (digest, repetition) do nothing returning id`;
  return inserted && Number(inserted.id);
};

/** A message that is stored already. */
export type KnownMessage = { readonly id: number; readonly repetition: number; readonly reply: string | undefined };

/** Finds the last message with a digest. */
export const findKnownMessage = async (sql: Sql, digest: Buffer): Promise<KnownMessage | undefined> => {
  const [row] = await sql<{ id: bigint; repetition: number; reply: string | null }[]>`
    select id, repetition, reply from schedule_message where digest = ${digest} order by repetition desc limit 1`;
  return row && { id: Number(row.id), repetition: row.repetition, reply: row.reply ?? undefined };
};

/**
 * Returns whether a message that was stored after `messageId` changes one of the flights; with an origin, whether one of the same sender and
 * minute does.
 */
export const hasLaterMessage = async (
  sql: Sql,
  flights: readonly Designator[],
  {
    messageId,
    origin,
  }: { readonly messageId: number; readonly origin: Pick<ScheduleMessageRow, 'originator' | 'sentAt'> },
): Promise<boolean> => {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select from schedule_amendment_flight join ${toFlightTable(sql, flights)} using (designator, flight_number, suffix)
      join schedule_amendment a on a.id = amendment_id where a.message_id > ${messageId}
        and (${origin.sentAt ?? null}::timestamptz is null or (a.sent_at, a.originator) = (${origin.sentAt ?? null}, ${origin.originator}))) as found`;
  return row?.found ?? false;
};

/** Stores the replies to messages by their ids; repetitions of the messages get them as well. */
export const updateReplies = async (sql: Sql, replies: ReadonlyMap<number, string>): Promise<void> => {
  if (replies.size === 0) return;
  await sql`
    update schedule_message m set reply = given.reply
    from unnest(${[...replies.keys()]}::bigint[], ${[...replies.values()]}::text[]) as given(id, reply) where m.id = given.id`;
};

/** Marks a message that cannot be applied, and does not wait for further parts. */
export const rejectMessage = async (sql: Sql, messageId: number, rejectionJson: string): Promise<void> => {
  await sql`update schedule_message set rejection = ${rejectionJson}, complete = true where id = ${messageId}`;
};

/** A stored part of a message that has several. */
export type StoredPart = {
  readonly id: number;
  readonly reference: string;
  readonly part: number;
  readonly isLast: boolean;
  /** Whether all parts had arrived and were applied. */
  readonly isComplete: boolean;
  readonly subMessages: readonly SubMessage[];
  /** Why some of its sub-messages cannot be read; undefined when all can. */
  readonly rejectionJson: string | undefined;
};

/** Returns the parts of messages of one sender with a number, in their order; those in conflict with others are left out. */
export const listParts = async (
  sql: Sql,
  { kind, createdOn, group, originator }: Pick<ScheduleMessageRow, 'kind' | 'createdOn' | 'group' | 'originator'>,
): Promise<readonly StoredPart[]> => {
  const rows = await sql<
    (Omit<StoredPart, 'id' | 'subMessages' | 'rejectionJson'> & {
      id: bigint;
      changes: string;
      rejection: string | null;
    })[]
  >`
    select id, reference, part, is_last as "isLast", complete as "isComplete", changes, rejection from schedule_message
    where kind = ${kind} and created_on = ${formatDate(createdOn)} and group_number = ${group} and originator = ${originator}
      and not (part = 1 and is_last) and coalesce(rejection::json ->> 'reason', '') <> 'conflicting-parts' order by part, id`;
  return rows.map(({ id, changes, rejection, ...row }) => ({
    ...row,
    id: Number(id),
    subMessages: JSON.parse(changes),
    rejectionJson: rejection ?? undefined,
  }));
};

/** Marks the parts of a message as complete. */
export const completeParts = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await sql`update schedule_message set complete = true where id = any(${[...ids]}::bigint[])`;
};

/** An amendment to be inserted, of the message `messageId`. */
export type AmendmentRow = Pick<ScheduleMessageRow, 'createdOn' | 'group' | 'receivedAt' | 'originator' | 'sentAt'> & {
  readonly messageId: number;
  readonly subMessages: readonly SubMessage[];
  readonly flights: readonly Designator[];
};

/** Inserts an amendment that is not applied yet, and returns its id. */
export const insertAmendment = async (sql: Sql, row: AmendmentRow): Promise<number> => {
  const [inserted] = await sql<{ id: bigint }[]>`
    insert into schedule_amendment (message_id, created_on, group_number, received_at, originator, sent_at, changes, state)
    values (${row.messageId}, ${formatDate(row.createdOn)}, ${row.group}, ${row.receivedAt}, ${row.originator}, ${row.sentAt ?? null},
      ${JSON.stringify(row.subMessages)}, 'quarantined')
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
  /** The creation date of the newest schedule file of its flights; undefined when none was loaded. */
  readonly fileCreatedOn: LocalDate | undefined;
};

type AmendmentColumns = {
  readonly id: bigint;
  readonly createdOn: string;
  readonly group: string;
  readonly receivedAt: Date;
  readonly originator: string;
  readonly sentAt: Date | null;
  readonly changes: string;
  readonly state: AmendmentState;
  readonly rejection: string | null;
  readonly fileCreatedOn: string | null;
};

/** Returns the amendments of flights, without those that the schedule file in force has superseded before. */
export const listAmendments = async (sql: Sql, flights: readonly Designator[]): Promise<readonly StoredAmendment[]> => {
  const rows = await sql<AmendmentColumns[]>`
    select * from (
      select id, created_on as "createdOn", group_number as "group", received_at as "receivedAt", originator, sent_at as "sentAt", changes, state,
        rejection, (select max(file.created_on) from schedule_amendment_flight f join schedule_file file using (designator)
          where f.amendment_id = a.id) as "fileCreatedOn"
      from schedule_amendment a where id in (
        select amendment_id from schedule_amendment_flight join ${toFlightTable(sql, flights)} using (designator, flight_number, suffix))
    ) amendment
    where state <> 'superseded' or "createdOn" >= coalesce("fileCreatedOn", "createdOn")`;
  return rows.map(
    ({ id, createdOn, group, receivedAt, originator, sentAt, changes, state, rejection, fileCreatedOn }) => ({
      id: Number(id),
      createdOn: localDate(createdOn),
      group,
      receivedAt: receivedAt.getTime(),
      originator,
      sentAt: sentAt?.getTime(),
      subMessages: JSON.parse(changes),
      state,
      rejectionJson: rejection ?? undefined,
      fileCreatedOn: fileCreatedOn === null ? undefined : localDate(fileCreatedOn),
    }),
  );
};

/** Stores the outcome of an amendment. */
export const updateAmendment = async (
  sql: Sql,
  id: number,
  { state, rejectionJson }: { readonly state: AmendmentState; readonly rejectionJson: string | undefined },
): Promise<void> => {
  await sql`update schedule_amendment set state = ${state}, rejection = ${rejectionJson ?? null} where id = ${id}`;
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

/** Stores the creation date of the schedule file of a designator, and marks its older amendments as superseded. */
export const updateScheduleFile = async (sql: Sql, designator: string, createdOn: LocalDate): Promise<void> => {
  await sql`
    insert into schedule_file (designator, created_on) values (${designator}, ${formatDate(createdOn)})
    on conflict (designator) do update set created_on = excluded.created_on`;
  await sql`
    update schedule_amendment set state = 'superseded', rejection = null
    where state <> 'superseded' and created_on < ${formatDate(createdOn)}
      and id in (select amendment_id from schedule_amendment_flight where designator = ${designator})`;
};

/** Returns the flights of designators that have amendments since a schedule file. */
export const listAmendedFlights = async (sql: Sql, designators: readonly string[]): Promise<readonly Designator[]> => {
  const rows = await sql<FlightRow[]>`
    select distinct designator, flight_number as "flightNumber", suffix
    from schedule_amendment_flight f join schedule_amendment a on a.id = f.amendment_id
    left join schedule_file file using (designator)
    where designator = any(${[...designators]}) and a.created_on >= coalesce(file.created_on, a.created_on)`;
  return rows.map(toDesignator);
};

/** A message in quarantine: one that cannot be read, or the changes of a flight that do not fit its schedule. */
export type QuarantinedScheduleMessage = {
  readonly reference: string;
  readonly receivedAt: Date;
  readonly rejectionJson: string;
  readonly text: string;
};

/** Parts wait this long for the others before the operator sees them, milliseconds. */
const WAITING_MS = 3_600_000;

const waitingRejection = JSON.stringify({
  line: 1,
  field: 'reference',
  value: '',
  reason: 'waiting',
  message: 'The other parts of the message have not arrived.',
});

/** Returns the messages in quarantine, and the parts that have waited for others for an hour, newest first. */
export const listQuarantinedMessages = async (
  sql: Sql,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<readonly QuarantinedScheduleMessage[]> =>
  sql<QuarantinedScheduleMessage[]>`
    select reference, received_at as "receivedAt", rejection as "rejectionJson", text from schedule_message where rejection is not null
    union all
    select m.reference, m.received_at, a.rejection, m.text from schedule_amendment a join schedule_message m on m.id = a.message_id
    where a.state = 'quarantined' and a.rejection is not null
    union all
    select reference, received_at, ${waitingRejection}, text from schedule_message
    where not complete and rejection is null and received_at <= ${new Date(now.getTime() - WAITING_MS)}
    order by 2 desc limit ${limit}`;

/** Numbers of what the operator should check. */
export type MessageHealth = {
  /** Messages, and changes of flights, in quarantine. */
  readonly quarantined: number;
  /** Parts that have waited for others for an hour. */
  readonly waiting: number;
  /** Updates of statuses that no process completed within a minute. */
  readonly unfinished: number;
};

/** Counts schedule messages that need attention. */
export const readMessageHealth = async (sql: Sql, now: Date): Promise<MessageHealth> => {
  const [row] = await sql<{ quarantined: bigint; waiting: bigint; unfinished: bigint }[]>`
    select (select count(*) from schedule_message where rejection is not null)
        + (select count(*) from schedule_amendment where state = 'quarantined') as quarantined,
      (select count(*) from schedule_message
        where not complete and rejection is null and received_at <= ${new Date(now.getTime() - WAITING_MS)}) as waiting,
      (select count(*) from status_update where created_at <= clock_timestamp() - interval '1 minute') as unfinished`;
  return {
    quarantined: Number(row?.quarantined ?? 0),
    waiting: Number(row?.waiting ?? 0),
    unfinished: Number(row?.unfinished ?? 0),
  };
};

/**
 * Deletes what is in quarantine of the messages that were received before a point in time, and the parts that still wait for others; returns the
 * number of messages. What was applied of a message stays: a schedule that is loaded again needs it. `sql` must be a transaction.
 */
export const pruneMessageQuarantine = async (sql: Sql, before: Date): Promise<number> => {
  const pruned = await sql`
    delete from schedule_amendment a using schedule_message m
    where m.id = a.message_id and m.received_at < ${before} and a.state = 'quarantined' returning m.id`;
  const rejected = await sql`
    update schedule_message set rejection = null
    where received_at < ${before} and rejection is not null
      and exists (select from schedule_amendment a where a.message_id = schedule_message.id) returning id`;
  const deleted = await sql`
    delete from schedule_message
    where received_at < ${before} and (rejection is not null or not complete or id = any(${pruned.map(({ id }) => String(id))}::bigint[]))
      and not exists (select from schedule_amendment a where a.message_id = schedule_message.id) returning id`;
  return new Set([...pruned, ...rejected, ...deleted].map(({ id }) => String(id))).size;
};

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
    -- a message that changes other dates of a period stores the rest of the period again: that is still of the file
    from itinerary i join load l on l.id = case when i.amendment_id is null then coalesce((
      select max(file.id) from load file where file.kind in ('ssim', 'demo') and i.designator = any(file.carriers) and file.id <= i.load_id
    ), i.load_id) else i.load_id end
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
