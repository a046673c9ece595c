import type { DateSpan } from '#domain/time/period.ts';
import { formatDate, localDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';

/** Flights that changed and whose statuses are not updated yet: the local departure dates; undefined when only cancellations changed. */
export type PendingStatusUpdate = { readonly id: number; readonly span: DateSpan | undefined };

/** Records, in the transaction that changes flights, that statuses of a span of dates must be updated. */
export const insertStatusUpdate = async (sql: Sql, span: DateSpan | undefined): Promise<void> => {
  const [from, to] = span ? [formatDate(span.from), formatDate(span.to)] : [null, null];
  await sql`insert into status_update (from_date, to_date) values (${from}, ${to})`;
};

/** Returns the updates that no process has completed, recorded at least `minAgeMs` ago. */
export const listStatusUpdates = async (sql: Sql, minAgeMs: number): Promise<readonly PendingStatusUpdate[]> => {
  const rows = await sql<{ id: bigint; from: string | null; to: string | null }[]>`
    select id, from_date as "from", to_date as "to" from status_update
    where created_at <= clock_timestamp() - ${minAgeMs}::int * interval '1 millisecond' order by id`;
  return rows.map(({ id, from, to }) => ({
    id: Number(id),
    span: from === null || to === null ? undefined : { from: localDate(from), to: localDate(to) },
  }));
};

/** Deletes completed updates. */
export const deleteStatusUpdates = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await sql`delete from status_update where id = any(${[...ids]}::bigint[])`;
};
