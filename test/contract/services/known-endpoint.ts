import type { Sql } from '#store/pool/database.ts';

/** The ID of the endpoint in the examples of the document. */
export const ENDPOINT = '3e8f2b6a-9c4d-4f17-8b25-7d1e6a0c9f43';

const key = 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=';
const events = [1, 2, 3].map((n) => `019c1a2b-6a01-7e4f-8a5b-6c7d8e9f0a1${n}`);

/** Inserts the endpoint in its initial state, with deliveries and dead letters; `sql` must be a transaction. */
export const insertKnownEndpoint = async (sql: Sql, accountId: string): Promise<void> => {
  await sql`delete from push_endpoint`;
  // Deleting an endpoint leaves its delivery attempts.
  await sql`delete from push_attempt`;
  await sql`
    insert into push_endpoint (id, account_id, url, description, signing, active, created_at, updated_at)
    values (${ENDPOINT}, ${accountId}, 'https://hooks.zx.example/events', '', 'v1', true, '2026-05-01', '2026-05-01')`;
  await sql`insert into push_key (endpoint_id, key, made_at) values (${ENDPOINT}, ${key}, '2026-05-01')`;
  await sql`insert into push_progress (endpoint_id, number) values (${ENDPOINT}, 0)`;
  await sql`
    insert into push_attempt (endpoint_id, number, event_id, attempt, made_at, outcome, status, duration_ms, answer)
    select ${ENDPOINT}, n, e, 1, '2026-06-01T10:00:00Z', case n when 1 then 'delivered' else 'retry' end, 200, 5, 'ok'
    from unnest(${events}::uuid[]) with ordinality as of(e, n) order by n`;
  await sql`
    insert into push_attempt
      (endpoint_id, number, event_id, attempt, made_at, outcome, reason, status, duration_ms, answer)
    select ${ENDPOINT}, 2, ${events[1] ?? ''}, n + 1, '2026-06-01T10:01:00Z', outcome, reason, 200, 5, 'ok'
    from unnest(array['retry', 'gone', 'failed'], array[null, null, 'connection-reset']) with ordinality as of(outcome, reason, n)`;
  await sql`
    insert into push_dead_letter select ${ENDPOINT}, n, n, e, 17, 'exhausted', '2026-06-01T10:00:00Z'
    from unnest(${events}::uuid[]) with ordinality as of(e, n)`;
};
