import type { Sql } from '../pool/database.ts';
import type { PushAttempt } from './push-results.ts';

/** How long a test can be under way at most, and how long it is until the next one at least, milliseconds. */
const PING = { mostMs: 30_000, apartMs: 5000 } as const;

/** Seconds until another test can be sent, 0 when this caller may send one now; then `endPing` must follow. */
export const beginPing = async (sql: Sql, id: string): Promise<number> => {
  const begun = await sql`
    update push_endpoint set pinged_until = clock_timestamp() + ${PING.mostMs} * interval '1 ms'
    where id = ${id} and (pinged_until is null or pinged_until <= clock_timestamp()) returning 1`;
  return begun.length === 1 ? 0 : PING.apartMs / 1000;
};

/** Lets the next test be sent in a moment. */
export const endPing = async (sql: Sql, id: string): Promise<void> => {
  await sql`
    update push_endpoint set pinged_until = clock_timestamp() + ${PING.apartMs} * interval '1 ms' where id = ${id}`;
};

/** Logs a test, unless its endpoint has been deleted in the meantime. */
export const logPing = async (
  sql: Sql,
  { endpointId, eventId, madeAt, outcome, reason, status, durationMs, answer }: Omit<PushAttempt, 'number' | 'attempt'>,
): Promise<void> => {
  await sql`
    insert into push_attempt (endpoint_id, event_id, attempt, made_at, outcome, reason, status, duration_ms, answer)
    select id, ${eventId}, 1, ${madeAt}, ${outcome}, ${reason ?? null}, ${status ?? null}, ${durationMs}, ${answer}
    from push_endpoint where id = ${endpointId}`;
};
