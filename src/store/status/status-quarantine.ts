import type { UtcMillisecond } from '../../domain/status/instants.ts';
import type { Sql } from '../pool/database.ts';

/** A message that fits no flight yet; `message` is the domain's StatusMessage as JSON. */
export type QuarantinedMessage = {
  readonly id: string;
  readonly source: string;
  readonly observedAt: UtcMillisecond;
  /** A short code to count by, e.g. `no-such-flight`. */
  readonly reason: string;
  readonly flightNumber: number | undefined;
  readonly message: string;
};

/** Keeps messages that fit no flight; one that is kept already takes the newest reason. */
export const quarantine = async (sql: Sql, messages: readonly QuarantinedMessage[]): Promise<void> => {
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

/** The messages in quarantine, oldest ids first, after one of them; JSON of the domain's StatusMessage. */
export const quarantinedAfter = async (
  sql: Sql,
  after: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly message: string }[]> => sql<{ id: string; message: string }[]>`
  select id, message from status_quarantine where id > ${after} order by id limit ${limit}`;

/** Numbers are shared by many flights; what is left over is tried again with the next schedules. */
const MOST_AT_ONCE = 1000;

/** The newest messages in quarantine that fit no flight and speak of one with one of these numbers; JSON of the domain's StatusMessage. */
export const quarantinedOfNumbers = async (sql: Sql, flightNumbers: readonly number[]): Promise<readonly string[]> => {
  const rows = await sql<{ message: string }[]>`
    select message from status_quarantine
    where reason = 'no-such-flight' and flight_number = any(${[...flightNumbers]}::smallint[])
    order by observed_at desc limit ${MOST_AT_ONCE}`;
  return rows.map(({ message }) => message);
};

/** Lets messages out of quarantine, by id. */
export const releaseQuarantined = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await sql`delete from status_quarantine where id = any(${[...ids]}::text[])`;
};
