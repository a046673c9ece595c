import type { Database, Sql } from '../pool/database.ts';
import { deleteBatches, type DeleteBatchesOptions } from '../tasks/delete-batches.ts';
import type { PushAttempt, PushDeadLetter } from './delivery-results.ts';

/** A logged delivery attempt; a test delivery has no number in the stream. */
export type LoggedAttempt = Omit<PushAttempt, 'endpointId' | 'number'> & {
  /** Greater for later attempts. */
  readonly id: number;
  readonly number: number | undefined;
};

/** Selects attempts of an endpoint; undefined members do not filter. */
export type AttemptFilter = {
  readonly endpointId: string;
  readonly outcome: PushAttempt['outcome'] | undefined;
  readonly eventId: string | undefined;
};

type AttemptRow = Omit<LoggedAttempt, 'id' | 'number' | 'reason' | 'status' | 'nextAt'> & {
  readonly id: bigint;
  readonly number: bigint | null;
  readonly reason: string | null;
  readonly status: number | null;
  readonly nextAt: Date | null;
};

/**
 * Returns the condition of a filter. The row comparison makes the planner use the index by endpoint; with `endpoint_id = ...` it searched the
 * newest attempts of all endpoints (600 ms instead of 6 ms in 1,000,000 rows). An event has few attempts, and an index. Outcomes other than
 * `delivered` have a partial index, which needs the literal condition.
 */
const matchesFilter = (
  sql: Sql,
  { endpointId, outcome, eventId }: AttemptFilter,
  before = Number.MAX_SAFE_INTEGER,
) => sql`
  ${
    eventId === undefined
      ? sql`(endpoint_id, id) > (${endpointId}, 0) and (endpoint_id, id) < (${endpointId}, ${before})`
      : sql`event_id = ${eventId} and endpoint_id = ${endpointId} and id < ${before}`
  }
  ${
    outcome === undefined
      ? sql``
      : outcome === 'delivered'
        ? sql`and outcome = 'delivered'`
        : sql`and outcome <> 'delivered' and outcome = ${outcome}`
  }`;

/** Returns up to `limit` attempts with ids below `before`, newest first. */
export const listAttempts = async (
  sql: Sql,
  filter: AttemptFilter,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly LoggedAttempt[]> => {
  const rows = await sql<AttemptRow[]>`
    select id, number, event_id as "eventId", attempt, made_at as "madeAt", outcome, reason, status,
      duration_ms as "durationMs", answer, next_at as "nextAt"
    from push_attempt where ${matchesFilter(sql, filter, before)}
    order by endpoint_id desc, id desc limit ${limit}`;
  return rows.map(({ id, number, reason, status, nextAt, ...row }) => ({
    ...row,
    id: Number(id),
    number: number === null ? undefined : Number(number),
    reason: reason ?? undefined,
    status: status ?? undefined,
    nextAt: nextAt ?? undefined,
  }));
};

/** Counts the attempts that match, up to `maxCount`. */
export const countAttempts = async (sql: Sql, filter: AttemptFilter, maxCount: number): Promise<number> => {
  const [row] = await sql<{ count: bigint }[]>`
    select count(*) from (select from push_attempt where ${matchesFilter(sql, filter)} limit ${maxCount}) as counted`;
  return Number(row?.count ?? 0);
};

/** An event that was given up, or a range of events that were no longer retained. */
export type DeadLetter = Omit<PushDeadLetter, 'endpointId'> & { readonly givenUpAt: Date };

type DeadLetterRow = Omit<DeadLetter, 'number' | 'lastNumber' | 'eventId'> & {
  readonly number: bigint;
  readonly lastNumber: bigint;
  readonly eventId: string | null;
};

/** Returns the dead letters of an endpoint after a number, in the order of the stream. */
export const listDeadLetters = async (
  sql: Sql,
  { endpointId, after, limit }: { readonly endpointId: string; readonly after: number; readonly limit: number },
): Promise<readonly DeadLetter[]> => {
  const rows = await sql<DeadLetterRow[]>`
    select number, last_number as "lastNumber", event_id as "eventId", attempts, reason, given_up_at as "givenUpAt"
    from push_dead_letter where endpoint_id = ${endpointId} and number > ${after} order by number limit ${limit}`;
  return rows.map(({ number, lastNumber, eventId, ...row }) => ({
    ...row,
    number: Number(number),
    lastNumber: Number(lastNumber),
    eventId: eventId ?? undefined,
  }));
};

/** Counts the dead letters of an endpoint. */
export const countDeadLetters = async (sql: Sql, endpointId: string): Promise<number> => {
  const [row] = await sql<{ count: bigint }[]>`
    select count(*) from push_dead_letter where endpoint_id = ${endpointId}`;
  return Number(row?.count ?? 0);
};

/** Retention of the delivery log and of dead letters, milliseconds: 7 and 30 days. */
const RETENTION_MS = { attempts: 7 * 86_400_000, deadLetters: 30 * 86_400_000 } as const;

const pruneAttempts = async (db: Database, before: Date, batchSize: number): Promise<number> => {
  // Attempts are logged in the order of their ids to within seconds, so the lowest ids are the oldest attempts.
  const [row] = await db<{ deleted: number }[]>`
    with oldest as (
      select id, made_at from push_attempt order by id limit ${batchSize}
    ), gone as (
      delete from push_attempt using (
        select max(id) as last, min(id) filter (where made_at >= ${before}) as kept from oldest
      ) as cut
      where id <= cut.last and (cut.kept is null or id < cut.kept)
      returning 1
    )
    select count(*)::int as deleted from gone`;
  return row?.deleted ?? 0;
};

const pruneDeadLetters = async (db: Database, before: Date, batchSize: number): Promise<number> => {
  const deleted = await db`
    delete from push_dead_letter where ctid = any(array(
      select ctid from push_dead_letter where given_up_at < ${before} limit ${batchSize}
    )) returning 1`;
  return deleted.length;
};

/**
 * Deletes attempts and dead letters whose retention has ended by `now`, and the texts of keys that have ended; returns the numbers of deleted
 * attempts and dead letters. It can be aborted and repeated.
 */
export const prunePushLog = async (
  db: Database,
  now: Date,
  options: DeleteBatchesOptions = {},
): Promise<{ readonly attempts: number; readonly deadLetters: number }> => {
  // The row stays, because responses list when keys ended.
  await db`update push_key set key = '' where ends_at <= ${now} and key <> ''`;
  const pruneAll = (prune: typeof pruneAttempts, retentionMs: number): Promise<number> =>
    deleteBatches((batchSize) => prune(db, new Date(now.getTime() - retentionMs), batchSize), options);
  const attempts = await pruneAll(pruneAttempts, RETENTION_MS.attempts);
  return { attempts, deadLetters: await pruneAll(pruneDeadLetters, RETENTION_MS.deadLetters) };
};
