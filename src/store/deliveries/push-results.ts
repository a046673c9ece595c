import type { Sql } from '../pool/database.ts';
import type { PushHealth } from './push-progress.ts';

/** How an endpoint stands after some attempts. */
export type PushStanding = {
  readonly id: string;
  readonly number: number;
  readonly finished: readonly number[];
  readonly health: PushHealth;
  /** Why nothing more is sent to it. */
  readonly disabledFor: 'gone' | 'failing' | undefined;
  /** Whether others may serve it from now on. */
  readonly isReleased: boolean;
};

/** An attempt, as it is kept. */
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

/** What becomes of an event that is to be sent again; `dueAt` is undefined once it is not. */
export type PushRetry = {
  readonly endpointId: string;
  readonly number: number;
  readonly attempts: number;
  readonly dueAt: Date | undefined;
  /** The version that was read, which is written over only as long as it is there; undefined after a first attempt. */
  readonly version: string | undefined;
};

/** Events that are given up: one, or a range of those that are no longer retained. */
export type PushDeadLetter = {
  readonly endpointId: string;
  readonly number: number;
  readonly lastNumber: number;
  readonly eventId: string | undefined;
  readonly attempts: number;
  readonly reason: 'exhausted' | 'gone' | 'expired';
};

/** What a worker has done for several endpoints. */
export type PushResults = {
  readonly standings: readonly PushStanding[];
  readonly attempts: readonly PushAttempt[];
  readonly retries: readonly PushRetry[];
  readonly deadLetters: readonly PushDeadLetter[];
};

const iso = (date: Date | undefined): string | null => date?.toISOString() ?? null;

/** Locks what is still this worker's. The endpoint comes before its progress, as when somebody deletes it. */
const lockOwn = async (sql: Sql, worker: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await sql<{ id: string }[]>`
    select e.id from push_endpoint e join push_progress p on p.endpoint_id = e.id
    where e.id = any(${ids}::uuid[]) and p.worker = ${worker}
    order by e.id for key share of e for update of p`;
  return new Set(rows.map(({ id }) => id));
};

const writeStandings = (sql: Sql, standings: readonly PushStanding[], leaseMs: number) => sql`
  update push_progress p
  set number = s.number, finished = s.finished::bigint[], failures = s.failures, failing_since = s.failing_since,
    rests = s.rests, rests_until = s.rests_until,
    worker = case when s.is_released = 1 then null else p.worker end,
    claimed_until = case when s.is_released = 1 then null else clock_timestamp() + ${leaseMs} * interval '1 ms' end,
    served_at = clock_timestamp()
  from unnest(
    ${standings.map(({ id }) => id)}::uuid[],
    ${standings.map(({ number }) => number)}::bigint[],
    ${standings.map(({ finished }) => `{${finished.join(',')}}`)}::text[],
    ${standings.map(({ health }) => health.failures)}::int[],
    ${standings.map(({ health }) => iso(health.failingSince))}::timestamptz[],
    ${standings.map(({ health }) => health.rests)}::int[],
    ${standings.map(({ health }) => iso(health.restsUntil))}::timestamptz[],
    ${standings.map(({ isReleased }) => (isReleased ? 1 : 0))}::int[]
  ) as s(id, number, finished, failures, failing_since, rests, rests_until, is_released)
  where p.endpoint_id = s.id`;

const writeAttempts = (sql: Sql, attempts: readonly PushAttempt[]) => sql`
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

/** The last word on each event counts: one may have been tried twice between two writes. */
const lastOf = <Of extends { readonly endpointId: string; readonly number: number }>(
  items: readonly Of[],
): readonly Of[] => [...new Map(items.map((item) => [`${item.endpointId} ${item.number}`, item])).values()];

/** Of what somebody has asked for again while it was under way nothing is written: it is sent once more, as was asked. */
const writeRetries = async (sql: Sql, retries: readonly PushRetry[]): Promise<void> => {
  const last = lastOf(retries);
  const over = last.filter(({ dueAt }) => dueAt === undefined);
  const again = last.filter(({ dueAt, version }) => dueAt !== undefined && version !== undefined);
  const first = last.filter(({ dueAt, version }) => dueAt !== undefined && version === undefined);
  if (over.length > 0)
    await sql`
      delete from push_retry r using unnest(
        ${over.map(({ endpointId }) => endpointId)}::uuid[],
        ${over.map(({ number }) => number)}::bigint[],
        ${over.map(({ version }) => version ?? null)}::text[]
      ) as o(endpoint_id, number, version)
      where r.endpoint_id = o.endpoint_id and r.number = o.number and r.xmin::text = o.version`;
  if (again.length > 0)
    await sql`
      update push_retry r set attempts = a.attempts, due_at = a.due_at from unnest(
        ${again.map(({ endpointId }) => endpointId)}::uuid[],
        ${again.map(({ number }) => number)}::bigint[],
        ${again.map(({ version }) => version ?? null)}::text[],
        ${again.map(({ attempts }) => attempts)}::int[],
        ${again.map(({ dueAt }) => iso(dueAt))}::timestamptz[]
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

/** What was asked for again meanwhile is not given up. */
const writeDeadLetters = (sql: Sql, letters: readonly PushDeadLetter[], now: Date) => sql`
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

const disable = (sql: Sql, standings: readonly PushStanding[], now: Date) => sql`
  update push_endpoint e set disabled_for = d.reason, disabled_at = ${now}, updated_at = ${now}
  from unnest(
    ${standings.map(({ id }) => id)}::uuid[], ${standings.map(({ disabledFor }) => disabledFor ?? null)}::text[]
  ) as d(id, reason)
  where e.id = d.id and e.disabled_for is null`;

/**
 * Writes what a worker has done for the endpoints that are still its own, renews its lease of them or ends it, and answers which they are.
 * Of those that another worker has taken over nothing is written. `sql` must be a transaction.
 */
export const writePushed = async (
  sql: Sql,
  results: PushResults,
  { worker, leaseMs, now }: { readonly worker: string; readonly leaseMs: number; readonly now: Date },
): Promise<ReadonlySet<string>> => {
  const own = await lockOwn(
    sql,
    worker,
    results.standings.map(({ id }) => id),
  );
  const isOwn = ({ endpointId }: { readonly endpointId: string }): boolean => own.has(endpointId);
  const standings = results.standings.filter(({ id }) => own.has(id));
  const attempts = results.attempts.filter(isOwn);
  const deadLetters = lastOf(results.deadLetters.filter(isOwn));
  const disabled = standings.filter(({ disabledFor }) => disabledFor !== undefined);
  if (standings.length > 0) await writeStandings(sql, standings, leaseMs);
  if (attempts.length > 0) await writeAttempts(sql, attempts);
  await writeRetries(sql, results.retries.filter(isOwn));
  if (deadLetters.length > 0) await writeDeadLetters(sql, deadLetters, now);
  if (disabled.length > 0) await disable(sql, disabled, now);
  return own;
};
