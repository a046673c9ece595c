import type { Sql } from '../pool/database.ts';
import type { PushAttempt } from './delivery-results.ts';

/** The longest time that a test delivery can take, and the shortest time between two, milliseconds. */
const MAX_PING_MS = 30_000;
const PING_INTERVAL_MS = 5000;

/** Returns 0 when the caller may send a test delivery now, and must then call `releasePing`; otherwise the seconds to wait. */
export const acquirePing = async (sql: Sql, id: string): Promise<number> => {
  const acquired = await sql`
    update push_endpoint set pinged_until = clock_timestamp() + ${MAX_PING_MS} * interval '1 ms'
    where id = ${id} and (pinged_until is null or pinged_until <= clock_timestamp()) returning 1`;
  return acquired.length === 1 ? 0 : PING_INTERVAL_MS / 1000;
};

/** Allows the next test delivery after the interval. */
export const releasePing = async (sql: Sql, id: string): Promise<void> => {
  await sql`
    update push_endpoint set pinged_until = clock_timestamp() + ${PING_INTERVAL_MS} * interval '1 ms' where id = ${id}`;
};

/** Inserts the attempt of a test delivery into the log, unless its endpoint has been deleted meanwhile. */
export const insertPingAttempt = async (
  sql: Sql,
  { endpointId, eventId, madeAt, outcome, reason, status, durationMs, answer }: Omit<PushAttempt, 'number' | 'attempt'>,
): Promise<void> => {
  await sql`
    insert into push_attempt (endpoint_id, event_id, attempt, made_at, outcome, reason, status, duration_ms, answer)
    select id, ${eventId}, 1, ${madeAt}, ${outcome}, ${reason ?? null}, ${status ?? null}, ${durationMs}, ${answer}
    from push_endpoint where id = ${endpointId}`;
};
