import type { Sql } from '../pool/database.ts';
import { notifyPushWorkers } from './endpoints.ts';

/** An endpoint that is to send events again at `now`. */
export type Redelivery = { readonly endpointId: string; readonly stream: number; readonly now: Date };

/**
 * The most events that one transaction queues, about 100 ms: meanwhile the endpoint is locked, and the delivery writer waits for it.
 */
export const MAX_QUEUED_REDELIVERIES = 5000;

/** Inserts retries for the numbers of the stream that a query fragment selects, and deletes their dead letters. */
const insertRetries = async (sql: Sql, { endpointId, now }: Redelivery, numbers: ReturnType<Sql>): Promise<number> => {
  const [row] = await sql<{ queued: number }[]>`
    with queued as (
      insert into push_retry (endpoint_id, number, attempts, due_at)
      select ${endpointId}, number, 0, ${now} from (${numbers}) as wanted order by number
      on conflict (endpoint_id, number) do update set attempts = 0, due_at = excluded.due_at
      returning number
    ), alive as (
      delete from push_dead_letter where endpoint_id = ${endpointId} and number in (select number from queued)
    )
    select count(*)::int as queued from queued`;
  await notifyPushWorkers(sql);
  return row?.queued ?? 0;
};

/**
 * Inserts retries for the events of a range of the stream, both ends included, that have been attempted, and returns their number; the others
 * are still due anyway. The range should have at most `MAX_QUEUED_REDELIVERIES`. `sql` must be a transaction that has locked the endpoint.
 */
export const insertRangeRetries = (
  sql: Sql,
  redelivery: Redelivery,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> =>
  insertRetries(
    sql,
    redelivery,
    sql`
      select a.number from account_event a join push_progress p on p.endpoint_id = ${redelivery.endpointId}
      where a.stream = ${redelivery.stream} and a.number between ${from} and ${to}
        and (a.number <= p.number or a.number = any(p.finished))`,
  );

/** Inserts retries for up to `MAX_QUEUED_REDELIVERIES` dead letters whose events are retained, in the order of the stream. */
export const insertDeadLetterRetries = (sql: Sql, redelivery: Redelivery): Promise<number> =>
  insertRetries(
    sql,
    redelivery,
    sql`
      select d.number from push_dead_letter d join account_event a on a.stream = ${redelivery.stream} and a.number = d.number
      where d.endpoint_id = ${redelivery.endpointId} and d.event_id is not null
      order by d.number limit ${MAX_QUEUED_REDELIVERIES}`,
  );
