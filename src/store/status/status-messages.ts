import type { UtcMillisecond } from '#domain/status/instants.ts';
import { formatDate, localDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { joinTexts } from '../pool/driver/driver.ts';
import type { StatusId } from './flight-statuses.ts';

/** A status message stored with its flight; `observation` is the JSON of the domain's Observation. */
export type StoredStatusMessage = StatusId & {
  readonly id: string;
  readonly source: string;
  readonly observedAt: UtcMillisecond;
  readonly observation: string;
};

/**
 * Inserts messages unless their flight already has a message with that id from that source, and returns the indexes of those inserted.
 * Lock the statuses of the flights first.
 */
export const insertMessages = async (
  sql: Sql,
  messages: readonly StoredStatusMessage[],
): Promise<ReadonlySet<number>> => {
  if (messages.length === 0) return new Set();
  const rows = await sql<{ index: number }[]>`
    with given as (
      select * from unnest(
        ${messages.map((_, index) => index)}::int[],
        ${messages.map(({ departsOn }) => formatDate(departsOn))}::date[],
        ${messages.map(({ statusOrder }) => String(statusOrder))}::bigint[],
        ${messages.map(({ id }) => id)}::text[],
        ${messages.map(({ source }) => source)}::text[],
        ${messages.map(({ observedAt }) => new Date(observedAt).toISOString())}::timestamptz[],
        string_to_array(${joinTexts(messages.map(({ observation }) => observation))}, E'\\x1f')
      ) as given(index, departs_on, status_order, id, source, observed_at, told)
    ), added as (
      insert into status_message (departs_on, status_order, id, source, observed_at, told)
      select departs_on, status_order, id, source, observed_at, told from given
      on conflict do nothing returning departs_on, status_order, id, source
    )
    select min(given.index) as index from added join given using (departs_on, status_order, id, source)
    group by departs_on, status_order, id, source`;
  return new Set(rows.map(({ index }) => index));
};

/** Returns all messages of these flights, those of a flight in the order in which they apply: by source time, then by id and source. */
export const listMessages = async (sql: Sql, flights: readonly StatusId[]): Promise<readonly StoredStatusMessage[]> => {
  if (flights.length === 0) return [];
  const rows = await sql<
    { departsOn: string; statusOrder: bigint; id: string; source: string; observedAt: Date; observation: string }[]
  >`
    select m.departs_on as "departsOn", m.status_order as "statusOrder", m.id, m.source, m.observed_at as "observedAt", m.told as observation
    from unnest(${flights.map(({ departsOn }) => formatDate(departsOn))}::date[], ${flights.map(({ statusOrder }) => String(statusOrder))}::bigint[])
      as wanted(departs_on, status_order)
    join status_message m using (departs_on, status_order)
    order by m.departs_on, m.status_order, m.observed_at, m.id collate "C", m.source collate "C"`;
  return rows.map((row) => ({
    ...row,
    departsOn: localDate(row.departsOn),
    observedAt: row.observedAt.getTime() as UtcMillisecond,
  }));
};

/** A message ID is unique only at its source. */
export type MessageId = { readonly id: string; readonly source: string };

/** Returns which of these messages are stored, as `departsOn|statusOrder|source|id`. */
export const listStoredMessageIds = async (
  sql: Sql,
  messages: readonly (StatusId & MessageId)[],
): Promise<ReadonlySet<string>> => {
  if (messages.length === 0) return new Set();
  const rows = await sql<{ departsOn: string; statusOrder: bigint; id: string; source: string }[]>`
    select m.departs_on as "departsOn", m.status_order as "statusOrder", m.id, m.source
    from unnest(
      ${messages.map(({ departsOn }) => formatDate(departsOn))}::date[],
      ${messages.map(({ statusOrder }) => String(statusOrder))}::bigint[],
      ${messages.map(({ id }) => id)}::text[],
      ${messages.map(({ source }) => source)}::text[]
    ) as wanted(departs_on, status_order, id, source)
    join status_message m using (departs_on, status_order, id, source)`;
  return new Set(
    rows.map(({ departsOn, statusOrder, id, source }) => `${localDate(departsOn)}|${statusOrder}|${source}|${id}`),
  );
};

/** A message that matches no flight yet; `message` is the JSON of the domain's StatusMessage. */
export type QuarantinedMessage = MessageId & {
  readonly observedAt: UtcMillisecond;
  /** A short code to count by, e.g. `no-such-flight`. */
  readonly reason: string;
  readonly flightNumber: number | undefined;
  readonly message: string;
};

/** Stores messages that match no flight; one that is already stored gets the newest reason. */
export const upsertQuarantined = async (sql: Sql, messages: readonly QuarantinedMessage[]): Promise<void> => {
  const distinct = [
    ...new Map(messages.map((message) => [JSON.stringify([message.id, message.source]), message])).values(),
  ];
  if (distinct.length === 0) return;
  await sql`
    insert into status_quarantine (id, source, observed_at, reason, flight_number, message)
    select * from unnest(
      ${distinct.map(({ id }) => id)}::text[],
      ${distinct.map(({ source }) => source)}::text[],
      ${distinct.map(({ observedAt }) => new Date(observedAt).toISOString())}::timestamptz[],
      ${distinct.map(({ reason }) => reason)}::text[],
      ${distinct.map(({ flightNumber }) => flightNumber ?? null)}::smallint[],
      ${distinct.map(({ message }) => message)}::text[])
    on conflict (id, source) do update set reason = excluded.reason`;
};

/** Returns messages in quarantine after one, by id and source; JSON of the domain's StatusMessage. */
export const listQuarantined = async (
  sql: Sql,
  after: MessageId,
  limit: number,
): Promise<readonly (MessageId & { readonly message: string })[]> => sql<(MessageId & { readonly message: string })[]>`
  select id, source, message from status_quarantine where (id, source) > (${after.id}, ${after.source})
  order by id, source limit ${limit}`;

/** Many flights share a number; messages beyond this limit are retried after the next schedule load. */
const MAX_RETRIED = 1000;

/** Returns the newest messages for one of these flight numbers that match no flight; JSON of the domain's StatusMessage. */
export const listQuarantinedByNumber = async (
  sql: Sql,
  flightNumbers: readonly number[],
): Promise<readonly string[]> => {
  const rows = await sql<{ message: string }[]>`
    select message from status_quarantine
    where reason = 'no-such-flight' and flight_number = any(${[...flightNumbers]}::smallint[])
    order by observed_at desc limit ${MAX_RETRIED}`;
  return rows.map(({ message }) => message);
};

/** Deletes messages from the quarantine, by id and source. */
export const deleteQuarantined = async (sql: Sql, messages: readonly MessageId[]): Promise<void> => {
  if (messages.length === 0) return;
  await sql`
    delete from status_quarantine where (id, source) in (
      select * from unnest(${messages.map(({ id }) => id)}::text[], ${messages.map(({ source }) => source)}::text[]))`;
};

/** Deletes the messages in quarantine that were observed before a point in time, and returns their number. */
export const pruneQuarantine = async (sql: Sql, before: Date): Promise<number> => {
  const { count } = await sql`delete from status_quarantine where observed_at < ${before}`;
  return count;
};
