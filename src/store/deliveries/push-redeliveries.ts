import type { Sql } from '../pool/database.ts';
import { tellPushers } from './push-endpoints.ts';

/** An endpoint that is to send events again; `now` is when they are due. */
export type Redelivery = { readonly endpointId: string; readonly stream: number; readonly now: Date };

/**
 * The most events that one transaction queues, some 100 ms: meanwhile the endpoint is locked, and whoever writes down what was posted to
 * it waits, with all else that is to be written.
 */
export const QUEUED_AT_ONCE = 5000;

/** Queues numbers of the stream, which are selected by a fragment with one column; those that were dead letters are so no more. */
const queue = async (sql: Sql, { endpointId, now }: Redelivery, numbers: ReturnType<Sql>): Promise<number> => {
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
  await tellPushers(sql);
  return row?.queued ?? 0;
};

/**
 * Queues the events of a range of the stream, both ends included, that were tried already, and answers how many: the others come by
 * themselves. The range should not have more than `QUEUED_AT_ONCE`. `sql` must be a transaction that has locked the endpoint.
 */
export const redeliverRange = (
  sql: Sql,
  redelivery: Redelivery,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> =>
  queue(
    sql,
    redelivery,
    sql`
      select a.number from account_event a join push_progress p on p.endpoint_id = ${redelivery.endpointId}
      where a.stream = ${redelivery.stream} and a.number between ${from} and ${to}
        and (a.number <= p.number or a.number = any(p.finished))`,
  );

/** The same for the dead letters whose events are retained, `QUEUED_AT_ONCE` at most, the first in the stream. */
export const redeliverDeadLetters = (sql: Sql, redelivery: Redelivery): Promise<number> =>
  queue(
    sql,
    redelivery,
    sql`
      select d.number from push_dead_letter d join account_event a on a.stream = ${redelivery.stream} and a.number = d.number
      where d.endpoint_id = ${redelivery.endpointId} and d.event_id is not null
      order by d.number limit ${QUEUED_AT_ONCE}`,
  );
