import type { Sql } from '../pool/database.ts';
import type { PushHealth } from './endpoint-claims.ts';

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
    from push_endpoint where id = ${endpointId} for key share`;
};

/** The state of an endpoint after some attempts. */
export type EndpointState = {
  readonly id: string;
  readonly number: number;
  readonly finished: readonly number[];
  readonly health: PushHealth;
  /** Why the service disables it. */
  readonly disabledFor: 'gone' | 'failing' | undefined;
  /** Whether the worker releases its lease. */
  readonly isReleased: boolean;
};

/** A delivery attempt, as it is logged. */
export type PushAttempt = {
  readonly endpointId: string;
  readonly number: number;
  readonly eventId: string;
  readonly attempt: number;
  readonly madeAt: Date;
  readonly outcome: 'delivered' | 'retry' | 'gone' | 'failed';
  readonly reason: string | undefined;
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly answer: string;
  readonly nextAt: Date | undefined;
};

/** The next attempt for an event; without `dueAt` there is none. */
export type PushRetry = {
  readonly endpointId: string;
  readonly number: number;
  readonly attempts: number;
  readonly dueAt: Date | undefined;
  /** The version of the row that was read: the row is changed only if it still has it. Undefined after a first attempt. */
  readonly version: string | undefined;
};

/** Events that are given up: one, or a range of events that are no longer retained. */
export type PushDeadLetter = {
  readonly endpointId: string;
  readonly number: number;
  readonly lastNumber: number;
  readonly eventId: string | undefined;
  readonly attempts: number;
  readonly reason: 'exhausted' | 'gone' | 'expired';
};

/** The results of a worker for several endpoints. */
export type PushResults = {
  readonly endpoints: readonly EndpointState[];
  readonly attempts: readonly PushAttempt[];
  readonly retries: readonly PushRetry[];
  readonly deadLetters: readonly PushDeadLetter[];
};

const iso = (date: Date | undefined): string | null => date?.toISOString() ?? null;

/** Locks the endpoints that this worker still serves. The endpoint is locked before its progress, in the same order as by a deletion. */
const lockOwn = async (sql: Sql, worker: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ id: string }[]>`
    select e.id from push_endpoint e join push_progress p on p.endpoint_id = e.id
    where e.id = any(${ids}::uuid[]) and p.worker = ${worker}
    order by e.id for key share of e for update of p`;
  return new Set(rows.map(({ id }) => id));
};

const updateProgress = (sql: Sql, endpoints: readonly EndpointState[], leaseMs: number) => sql`
  update push_progress p
  set number = s.number, finished = s.finished::bigint[], failures = s.failures, failing_since = s.failing_since,
    rests = s.rests, rests_until = s.rests_until,
    worker = case when s.is_released = 1 then null else p.worker end,
    claimed_until = case when s.is_released = 1 then null else clock_timestamp() + ${leaseMs} * interval '1 ms' end,
    served_at = clock_timestamp()
  from unnest(
    ${endpoints.map(({ id }) => id)}::uuid[],
    ${endpoints.map(({ number }) => number)}::bigint[],
    ${endpoints.map(({ finished }) => `{${finished.join(',')}}`)}::text[],
    ${endpoints.map(({ health }) => health.failures)}::int[],
    ${endpoints.map(({ health }) => iso(health.failingSince))}::timestamptz[],
    ${endpoints.map(({ health }) => health.backoffs)}::int[],
    ${endpoints.map(({ health }) => iso(health.backoffUntil))}::timestamptz[],
    ${endpoints.map(({ isReleased }) => (isReleased ? 1 : 0))}::int[]
  ) as s(id, number, finished, failures, failing_since, rests, rests_until, is_released)
  where p.endpoint_id = s.id`;

const insertAttempts = (sql: Sql, attempts: readonly PushAttempt[]) => sql`
  insert into push_attempt
    (endpoint_id, number, event_id, attempt, made_at, outcome, reason, status, duration_ms, answer, next_at)
  select * from unnest(
    ${attempts.map(({ endpointId }) => endpointId)}::uuid[],
    ${attempts.map(({ number }) => number)}::bigint[],
    ${attempts.map(({ eventId }) => eventId)}::uuid[],
    ${attempts.map(({ attempt }) => attempt)}::int[],
    ${attempts.map(({ madeAt }) => iso(madeAt))}::timestamptz[],
    ${attempts.map(({ outcome }) => outcome)}::text[],
    ${attempts.map(({ reason }) => reason ?? null)}::text[],
    ${attempts.map(({ status }) => status ?? null)}::int[],
    ${attempts.map(({ durationMs }) => durationMs)}::int[],
    ${attempts.map(({ answer }) => answer)}::text[],
    ${attempts.map(({ nextAt }) => iso(nextAt))}::timestamptz[])`;

/** Returns the last item of each event: it may have been attempted twice between two writes. */
const lastOfEach = <Of extends { readonly endpointId: string; readonly number: number }>(
  items: readonly Of[],
): readonly Of[] => [...new Map(items.map((item) => [`${item.endpointId} ${item.number}`, item])).values()];

/** Writes retries, except where a redelivery was requested during the attempt: that event is sent again. */
const writeRetries = async (sql: Sql, retries: readonly PushRetry[]): Promise<void> => {
  const last = lastOfEach(retries);
  const ended = last.filter(({ dueAt }) => dueAt === undefined);
  const repeated = last.filter(({ dueAt, version }) => dueAt !== undefined && version !== undefined);
  const first = last.filter(({ dueAt, version }) => dueAt !== undefined && version === undefined);
  if (ended.length > 0)
    await sql`
      delete from push_retry r using unnest(
        ${ended.map(({ endpointId }) => endpointId)}::uuid[],
        ${ended.map(({ number }) => number)}::bigint[],
        ${ended.map(({ version }) => version ?? null)}::text[]
      ) as o(endpoint_id, number, version)
      where r.endpoint_id = o.endpoint_id and r.number = o.number and r.xmin::text = o.version`;
  if (repeated.length > 0)
    await sql`
      update push_retry r set attempts = a.attempts, due_at = a.due_at from unnest(
        ${repeated.map(({ endpointId }) => endpointId)}::uuid[],
        ${repeated.map(({ number }) => number)}::bigint[],
        ${repeated.map(({ version }) => version ?? null)}::text[],
        ${repeated.map(({ attempts }) => attempts)}::int[],
        ${repeated.map(({ dueAt }) => iso(dueAt))}::timestamptz[]
      ) as a(endpoint_id, number, version, attempts, due_at)
      where r.endpoint_id = a.endpoint_id and r.number = a.number and r.xmin::text = a.version`;
  if (first.length > 0)
    await sql`
      insert into push_retry (endpoint_id, number, attempts, due_at)
      select * from unnest(
        ${first.map(({ endpointId }) => endpointId)}::uuid[],
        ${first.map(({ number }) => number)}::bigint[],
        ${first.map(({ attempts }) => attempts)}::int[],
        ${first.map(({ dueAt }) => iso(dueAt))}::timestamptz[])
      on conflict (endpoint_id, number) do nothing`;
};

/** Writes dead letters, except where a redelivery was requested meanwhile. */
const upsertDeadLetters = (sql: Sql, letters: readonly PushDeadLetter[], now: Date) => sql`
  insert into push_dead_letter (endpoint_id, number, last_number, event_id, attempts, reason, given_up_at)
  select l.*, ${now} from unnest(
    ${letters.map(({ endpointId }) => endpointId)}::uuid[],
    ${letters.map(({ number }) => number)}::bigint[],
    ${letters.map(({ lastNumber }) => lastNumber)}::bigint[],
    ${letters.map(({ eventId }) => eventId ?? null)}::uuid[],
    ${letters.map(({ attempts }) => attempts)}::int[],
    ${letters.map(({ reason }) => reason)}::text[]) as l(endpoint_id, number, last_number, event_id, attempts, reason)
  where not exists (select from push_retry r where r.endpoint_id = l.endpoint_id and r.number = l.number)
  on conflict (endpoint_id, number) do update
  set last_number = excluded.last_number, event_id = excluded.event_id, attempts = excluded.attempts,
    reason = excluded.reason, given_up_at = excluded.given_up_at`;

const disableEndpoints = (sql: Sql, endpoints: readonly EndpointState[], now: Date) => sql`
  update push_endpoint e set disabled_for = d.reason, disabled_at = ${now}, updated_at = ${now}
  from unnest(
    ${endpoints.map(({ id }) => id)}::uuid[], ${endpoints.map(({ disabledFor }) => disabledFor ?? null)}::text[]
  ) as d(id, reason)
  where e.id = d.id and e.disabled_for is null`;

/**
 * Writes the results of a worker for the endpoints that it still serves, renews or releases its leases, and returns these endpoints. Nothing is
 * written for endpoints that another worker has taken over. `sql` must be a transaction.
 */
export const writePushResults = async (
  sql: Sql,
  results: PushResults,
  { worker, leaseMs, now }: { readonly worker: string; readonly leaseMs: number; readonly now: Date },
): Promise<ReadonlySet<string>> => {
  const own = await lockOwn(
    sql,
    worker,
    results.endpoints.map(({ id }) => id),
  );
  const isOwn = ({ endpointId }: { readonly endpointId: string }): boolean => own.has(endpointId);
  const endpoints = results.endpoints.filter(({ id }) => own.has(id));
  const attempts = results.attempts.filter(isOwn);
  const deadLetters = lastOfEach(results.deadLetters.filter(isOwn));
  const disabled = endpoints.filter(({ disabledFor }) => disabledFor !== undefined);
  if (endpoints.length > 0) await updateProgress(sql, endpoints, leaseMs);
  if (attempts.length > 0) await insertAttempts(sql, attempts);
  await writeRetries(sql, results.retries.filter(isOwn));
  if (deadLetters.length > 0) await upsertDeadLetters(sql, deadLetters, now);
  if (disabled.length > 0) await disableEndpoints(sql, disabled, now);
  return own;
};
