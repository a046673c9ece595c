import type { UtcMillisecond } from '#domain/status/instants.ts';
import { type MessageIdentity, OPERATOR } from '#domain/status/message.ts';
import { formatDate, localDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { joinTexts } from '../pool/driver/driver.ts';
import type { StatusId } from './flight-statuses.ts';

/** The content of a message for which no digest was computed: it counts as the same as any other. */
const UNKNOWN_CONTENT = '00000000-0000-0000-0000-000000000000';

/** A status message stored with its flight; `observation` is the JSON of the domain's Observation. */
export type StoredStatusMessage = StatusId &
  MessageIdentity & {
    /** Digest of the content, 32 hexadecimal digits; undefined where none was computed, or it was not read. */
    readonly content?: string | undefined;
    readonly observedAt: UtcMillisecond;
    readonly observation: string;
  };

/** Returns the columns of identities as parameters of `unnest`: id, source, sender. */
const unnestIdentities = (sql: Sql, messages: readonly MessageIdentity[]) => sql`
  ${messages.map(({ id }) => id)}::text[], ${messages.map(({ source }) => source)}::text[],
  ${messages.map(({ sender }) => sender ?? OPERATOR)}::int[]`;

const unnestFlights = (sql: Sql, flights: readonly StatusId[]) => sql`
  ${flights.map(({ departsOn }) => formatDate(departsOn))}::date[], ${flights.map(({ statusOrder }) => String(statusOrder))}::bigint[]`;

const unnestContents = (sql: Sql, messages: readonly Pick<StoredStatusMessage, 'content'>[]) => sql`
  ${messages.map(({ content }) => content ?? UNKNOWN_CONTENT)}::uuid[]`;

/**
 * What became of a message: stored; not stored, because the message is stored already; or not stored, because its flight has a message of the same
 * identity with another content.
 */
export type InsertResult = 'inserted' | 'duplicate' | 'conflict';

/** Returns which of these messages, by position, are stored with the same content. */
const listSameMessages = async (sql: Sql, messages: readonly StoredStatusMessage[]): Promise<ReadonlySet<number>> => {
  const rows = await sql<{ index: number }[]>`
    select given.index
    from unnest(
      ${messages.map((_, index) => index)}::int[], ${unnestFlights(sql, messages)}, ${unnestIdentities(sql, messages)}, ${unnestContents(sql, messages)}
    ) as given(index, departs_on, status_order, id, source, sender, content)
    join status_message m using (departs_on, status_order, id, source, sender)
    where m.content = given.content or ${UNKNOWN_CONTENT} in (m.content, given.content)`;
  return new Set(rows.map(({ index }) => index));
};

/** Inserts messages unless their flight already has one of the same identity. Lock the statuses of the flights first. */
export const insertMessages = async (
  sql: Sql,
  messages: readonly StoredStatusMessage[],
): Promise<readonly InsertResult[]> => {
  if (messages.length === 0) return [];
  const rows = await sql<{ index: number }[]>`
    with given as (
      select * from unnest(
        ${messages.map((_, index) => index)}::int[],
        ${unnestFlights(sql, messages)},
        ${unnestIdentities(sql, messages)},
        ${unnestContents(sql, messages)},
        ${messages.map(({ observedAt }) => new Date(observedAt).toISOString())}::timestamptz[],
        string_to_array(${joinTexts(messages.map(({ observation }) => observation))}, E'\\x1f')
      ) as given(index, departs_on, status_order, id, source, sender, content, observed_at, told)
    ), added as (
      insert into status_message (departs_on, status_order, id, source, sender, content, observed_at, told)
      select departs_on, status_order, id, source, sender, content, observed_at, told from given
      on conflict do nothing returning departs_on, status_order, id, source, sender, content
    )
    select min(given.index) as index from added join given using (departs_on, status_order, id, source, sender, content)
    group by departs_on, status_order, id, source, sender`;
  const inserted = new Set(rows.map(({ index }) => index));
  if (inserted.size === messages.length) return messages.map(() => 'inserted');
  const same = await listSameMessages(sql, messages);
  return messages.map((_, index) => (inserted.has(index) ? 'inserted' : same.has(index) ? 'duplicate' : 'conflict'));
};

/** Returns all messages of these flights, those of a flight in the order in which they apply: by source time, then by identity. */
export const listMessages = async (sql: Sql, flights: readonly StatusId[]): Promise<readonly StoredStatusMessage[]> => {
  if (flights.length === 0) return [];
  const rows = await sql<
    (Required<MessageIdentity> & { departsOn: string; statusOrder: bigint; observedAt: Date; observation: string })[]
  >`
    select m.departs_on as "departsOn", m.status_order as "statusOrder", m.id, m.source, m.sender, m.observed_at as "observedAt", m.told as observation
    from unnest(${unnestFlights(sql, flights)}) as wanted(departs_on, status_order)
    join status_message m using (departs_on, status_order)
    order by m.departs_on, m.status_order, m.observed_at, m.id collate "C", m.source collate "C", m.sender`;
  return rows.map((row) => ({
    ...row,
    departsOn: localDate(row.departsOn),
    observedAt: row.observedAt.getTime() as UtcMillisecond,
  }));
};

/** Formats the identity of a message of a flight, for sets. */
export const formatStoredId = ({ departsOn, statusOrder, source, sender, id }: StatusId & MessageIdentity): string =>
  `${departsOn}|${statusOrder}|${sender ?? OPERATOR}|${source}|${id}`;

/** Returns which of these messages are stored, by `formatStoredId`. */
export const listStoredMessageIds = async (
  sql: Sql,
  messages: readonly (StatusId & MessageIdentity)[],
): Promise<ReadonlySet<string>> => {
  if (messages.length === 0) return new Set();
  const rows = await sql<(Required<MessageIdentity> & { departsOn: string; statusOrder: bigint })[]>`
    select m.departs_on as "departsOn", m.status_order as "statusOrder", m.id, m.source, m.sender
    from unnest(${unnestFlights(sql, messages)}, ${unnestIdentities(sql, messages)}) as wanted(departs_on, status_order, id, source, sender)
    join status_message m using (departs_on, status_order, id, source, sender)`;
  return new Set(rows.map((row) => formatStoredId({ ...row, departsOn: localDate(row.departsOn) })));
};

/** What is stored of a message that was received before. */
export type ReceivedMessage = {
  readonly message: StoredStatusMessage;
  readonly id: string;
  readonly observedAt: UtcMillisecond;
};

/** The ID of a message that counts again, because it was received again later. */
export const formatReceivedId = ({ id, observedAt }: Pick<StoredStatusMessage, 'id' | 'observedAt'>): string =>
  `${id}@${new Date(observedAt).toISOString()}`;

/** Returns what is stored of messages whose time is that of their receipt: under their own IDs, and under those of `formatReceivedId`. */
export const listReceivedMessages = async (
  sql: Sql,
  messages: readonly StoredStatusMessage[],
): Promise<readonly ReceivedMessage[]> => {
  const rows = await sql<{ index: number; id: string; observedAt: Date }[]>`
    select given.index, m.id, m.observed_at as "observedAt"
    from unnest(${messages.map((_, index) => index)}::int[], ${unnestFlights(sql, messages)}, ${unnestIdentities(sql, messages)})
      as given(index, departs_on, status_order, id, source, sender)
    join status_message m using (departs_on, status_order, source, sender)
    where m.id = given.id or starts_with(m.id, given.id || '@')`;
  return rows.flatMap(({ index, id, observedAt }) => {
    const message = messages[index];
    return message ? [{ message, id, observedAt: observedAt.getTime() as UtcMillisecond }] : [];
  });
};

/** Identifies a message in quarantine: senders can repeat an ID there with another content. */
export type QuarantineId = Pick<StoredStatusMessage, 'id' | 'source' | 'sender' | 'content'>;

/** A message that matches no flight yet; `message` is the JSON of the domain's StatusMessage. */
export type QuarantinedMessage = QuarantineId & {
  readonly observedAt: UtcMillisecond;
  /** A short code to count by, e.g. `no-such-flight`. */
  readonly reason: string;
  readonly flightNumber: number | undefined;
  readonly message: string;
};

const formatQuarantineId = ({ id, source, sender, content }: QuarantineId): string =>
  JSON.stringify([id, source, sender ?? OPERATOR, content ?? UNKNOWN_CONTENT]);

/** Stores messages that match no flight; one that is already stored gets the newest reason. */
export const upsertQuarantined = async (sql: Sql, messages: readonly QuarantinedMessage[]): Promise<void> => {
  const distinct = [...new Map(messages.map((message) => [formatQuarantineId(message), message])).values()];
  if (distinct.length === 0) return;
  await sql`
    insert into status_quarantine_entry (id, source, sender, content, observed_at, reason, flight_number, message)
    select * from unnest(
      ${unnestIdentities(sql, distinct)},
      ${unnestContents(sql, distinct)},
      ${distinct.map(({ observedAt }) => new Date(observedAt).toISOString())}::timestamptz[],
      ${distinct.map(({ reason }) => reason)}::text[],
      ${distinct.map(({ flightNumber }) => flightNumber ?? null)}::smallint[],
      string_to_array(${joinTexts(distinct.map(({ message }) => message))}, E'\\x1f'))
    on conflict (id, source, sender, content) do update set reason = excluded.reason`;
};

/** Returns messages in quarantine after one, in the order of their IDs; JSON of the domain's StatusMessage. */
export const listQuarantined = async (
  sql: Sql,
  after: QuarantineId | undefined,
  limit: number,
): Promise<readonly (QuarantineId & { readonly message: string })[]> => {
  const { id = '', source = '', sender = OPERATOR, content = UNKNOWN_CONTENT } = after ?? {};
  return sql<(QuarantineId & { readonly message: string })[]>`
    select id, source, sender, content, message from status_quarantine
    where (id, source, sender, content) > (${id}, ${source}, ${sender}::int, ${content}::uuid)
    order by id, source, sender, content limit ${limit}`;
};

/** Many flights share a number; messages beyond this limit are retried after the next schedule load. */
const MAX_RETRIED = 1000;

/**
 * Returns the newest messages for one of these flight numbers whose flight a plan can create or date, the oldest of them first; JSON of the domain's
 * StatusMessage.
 */
export const listQuarantinedByNumber = async (
  sql: Sql,
  flightNumbers: readonly number[],
): Promise<readonly string[]> => {
  const rows = await sql<{ message: string }[]>`
    select message from status_quarantine
    where reason in ('no-such-flight', 'uncertain-date', 'contradictory-flight') and flight_number = any(${[...flightNumbers]}::smallint[])
    order by observed_at desc limit ${MAX_RETRIED}`;
  return rows.map(({ message }) => message).toReversed();
};

/** Returns the oldest messages whose flight departs on a day that does not exist yet; JSON of the domain's StatusMessage. */
export const listPendingPlans = async (sql: Sql, limit: number): Promise<readonly string[]> => {
  // The index has this condition.
  const rows = await sql<{ message: string }[]>`
    select message from status_quarantine where reason = 'day-pending' order by observed_at limit ${limit}`;
  return rows.map(({ message }) => message);
};

/** Deletes messages from the quarantine. */
export const deleteQuarantined = async (sql: Sql, messages: readonly QuarantineId[]): Promise<void> => {
  if (messages.length === 0) return;
  await sql`
    delete from status_quarantine where (id, source, sender, content) in (
      select * from unnest(${unnestIdentities(sql, messages)}, ${unnestContents(sql, messages)}))`;
};

/** Gives messages another reason, those of them that are in quarantine. */
export const updateQuarantineReason = async (
  sql: Sql,
  messages: readonly QuarantineId[],
  reason: string,
): Promise<void> => {
  if (messages.length === 0) return;
  await sql`
    update status_quarantine set reason = ${reason} where (id, source, sender, content) in (
      select * from unnest(${unnestIdentities(sql, messages)}, ${unnestContents(sql, messages)}))`;
};

/** Deletes the messages in quarantine that were observed before a point in time, and returns their number. */
export const pruneQuarantine = async (sql: Sql, before: Date): Promise<number> => {
  const { count } = await sql`delete from status_quarantine where observed_at < ${before}`;
  return count;
};
