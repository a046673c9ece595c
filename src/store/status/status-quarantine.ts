import type { UtcMillisecond } from '../../domain/status/instants.ts';
import type { Sql } from '../pool/database.ts';

/** A message that matches no flight yet; `message` is the JSON of the domain's StatusMessage. */
export type QuarantinedMessage = {
  readonly id: string;
  readonly source: string;
  readonly observedAt: UtcMillisecond;
  /** A short code to count by, e.g. `no-such-flight`. */
  readonly reason: string;
  readonly flightNumber: number | undefined;
  readonly message: string;
};

/** Stores messages that match no flight; one that is already stored gets the newest reason. */
export const upsertQuarantined = async (sql: Sql, messages: readonly QuarantinedMessage[]): Promise<void> => {
  const distinct = [...new Map(messages.map((message) => [message.id, message])).values()];
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
    on conflict (id) do update set reason = excluded.reason`;
};

/** Returns messages in quarantine whose id is greater than `after`, by id; JSON of the domain's StatusMessage. */
export const listQuarantined = async (
  sql: Sql,
  after: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly message: string }[]> => sql<{ id: string; message: string }[]>`
  select id, message from status_quarantine where id > ${after} order by id limit ${limit}`;

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

/** Deletes messages from the quarantine, by id. */
export const deleteQuarantined = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await sql`delete from status_quarantine where id = any(${[...ids]}::text[])`;
};

/** Deletes the messages in quarantine that were observed before a point in time, and returns their number. */
export const pruneQuarantine = async (sql: Sql, before: Date): Promise<number> => {
  const { count } = await sql`delete from status_quarantine where observed_at < ${before}`;
  return count;
};
