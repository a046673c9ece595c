import { LOCK_SPACE, type Sql } from '../pool/database.ts';

/** Who takes turns at what one process at a time does. */
export type LeaderLease = {
  /** A UUID. */
  readonly worker: string;
  /** While another one has done something within so many milliseconds, it is left to that one. */
  readonly leaseMs: number;
  /** After standing still in its transaction for so many milliseconds it loses it, so that others can go on; ten seconds if not given. */
  readonly idleTimeoutMs?: number;
};

const IDLE_MS = 10_000;

/** The table of one row in which the work keeps its place, with `moved_by` and `moved_at`, and its advisory lock. */
export type LeaseTable = { readonly table: string; readonly lock: number };

/**
 * Whether `sql`, a transaction, may do the work; nobody else may until it ends. What is read afterwards, by statements of their own, is what
 * whoever had the turn before has committed.
 */
export const acquireLeaderLease = async (
  sql: Sql,
  { table, lock }: LeaseTable,
  { worker, leaseMs: restMs, idleTimeoutMs: idleMs = IDLE_MS }: LeaderLease,
): Promise<boolean> => {
  // Whoever rests does not even try the lock: the one at work would find it taken, and rest too.
  const [turn] = await sql<{ mine: boolean }[]>`
    select case when moved_by is null or moved_by = ${worker} or moved_at <= clock_timestamp() - ${restMs} * interval '1 ms'
        then pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${lock}::int) else false end as mine,
      set_config('idle_in_transaction_session_timeout', ${String(idleMs)}, true)
    from ${sql(table)}`;
  if (!turn) throw new Error(`the table ${table} has lost its row`);
  return turn.mine;
};
