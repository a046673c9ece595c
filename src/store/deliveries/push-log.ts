import type { Database, Sql } from '../pool/database.ts';
import { deleteSlices, type Slices } from '../tasks/delete-slices.ts';
import type { PushAttempt, PushDeadLetter } from './push-results.ts';

/** An attempt of the log; a test has no number in the stream. */
export type LoggedAttempt = Omit<PushAttempt, 'endpointId' | 'number'> & {
  /** Of the attempt: later ones have greater ones. */
  readonly id: number;
  readonly number: number | undefined;
};

/** Which attempts of an endpoint are wanted. */
export type WantedAttempts = {
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
 * Without an event, by rows and not by the endpoint being one: else the planner looks for the newest of this endpoint among the newest of
 * all (of 1,000,000: 600 ms and not 6). An event has few attempts, and an index. Of `delivered` there are most; the other outcomes
 * have an index of their own, which the planner sees only by this condition.
 */
const fitting = (sql: Sql, { endpointId, outcome, eventId }: WantedAttempts, before = Number.MAX_SAFE_INTEGER) => sql`
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

/** The newest attempts before one, of which `before` is the id, in that order. */
export const listAttempts = async (
  sql: Sql,
  wanted: WantedAttempts,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly LoggedAttempt[]> => {
  const rows = await sql<AttemptRow[]>`
    select id, number, event_id as "eventId", attempt, made_at as "madeAt", outcome, reason, status,
      duration_ms as "durationMs", answer, next_at as "nextAt"
    from push_attempt where ${fitting(sql, wanted, before)}
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

/** How many attempts fit, counted no further than `most`. */
export const countAttempts = async (sql: Sql, wanted: WantedAttempts, most: number): Promise<number> => {
  const [row] = await sql<{ count: bigint }[]>`
    select count(*) from (select from push_attempt where ${fitting(sql, wanted)} limit ${most}) as counted`;
  return Number(row?.count ?? 0);
};

/** An event that was given up, or a range of those that were no longer retained. */
export type DeadLetter = Omit<PushDeadLetter, 'endpointId'> & { readonly givenUpAt: Date };

type LetterRow = Omit<DeadLetter, 'number' | 'lastNumber' | 'eventId'> & {
  readonly number: bigint;
  readonly lastNumber: bigint;
  readonly eventId: string | null;
};

/** The dead letters of an endpoint after a number, in the order of the stream. */
export const listDeadLetters = async (
  sql: Sql,
  { endpointId, after, limit }: { readonly endpointId: string; readonly after: number; readonly limit: number },
): Promise<readonly DeadLetter[]> => {
  const rows = await sql<LetterRow[]>`
    select number, last_number as "lastNumber", event_id as "eventId", attempts, reason, given_up_at as "givenUpAt"
    from push_dead_letter where endpoint_id = ${endpointId} and number > ${after} order by number limit ${limit}`;
  return rows.map(({ number, lastNumber, eventId, ...row }) => ({
    ...row,
    number: Number(number),
    lastNumber: Number(lastNumber),
    eventId: eventId ?? undefined,
  }));
};

/** How many entries the list of dead letters has. */
export const countDeadLetters = async (sql: Sql, endpointId: string): Promise<number> => {
  const [row] = await sql<{ count: bigint }[]>`
    select count(*) from push_dead_letter where endpoint_id = ${endpointId}`;
  return Number(row?.count ?? 0);
};

/** How long the log and dead letters are kept, milliseconds: 7 and 30 days. */
const PUSH_KEPT_MS = { attempts: 7 * 86_400_000, deadLetters: 30 * 86_400_000 } as const;

const pruneAttempts = async (db: Database, before: Date, slice: number): Promise<number> => {
  // Attempts are logged in the order of their ids but for some seconds, so that the oldest ids are the oldest attempts.
  const [row] = await db<{ deleted: number }[]>`
    with oldest as (
      select id, made_at from push_attempt order by id limit ${slice}
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

const pruneLetters = async (db: Database, before: Date, slice: number): Promise<number> => {
  const gone = await db`
    delete from push_dead_letter where ctid = any(array(
      select ctid from push_dead_letter where given_up_at < ${before} limit ${slice}
    )) returning 1`;
  return gone.length;
};

/**
 * Deletes what is no longer kept by `now`: old attempts and dead letters, and the texts of keys that have ended. It can be called again
 * where it is ended. Answers how many attempts and dead letters went.
 */
export const prunePush = async (
  db: Database,
  now: Date,
  slices: Slices = {},
): Promise<{ readonly attempts: number; readonly deadLetters: number }> => {
  // When a key ended is still told: an answer that is older than that has another list of keys.
  await db`update push_key set key = '' where ends_at <= ${now} and key <> ''`;
  const whole = (prune: typeof pruneAttempts, keptMs: number): Promise<number> =>
    deleteSlices((slice) => prune(db, new Date(now.getTime() - keptMs), slice), slices);
  const attempts = await whole(pruneAttempts, PUSH_KEPT_MS.attempts);
  return { attempts, deadLetters: await whole(pruneLetters, PUSH_KEPT_MS.deadLetters) };
};
