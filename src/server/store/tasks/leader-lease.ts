import { LOCK_SPACE, type Sql } from '../pool/database.ts';

/** A candidate for a task that one process at a time runs. */
export type LeaderLease = {
  /** The UUID of the process. */
  readonly worker: string;
  /** Another process takes over only after the current one has done nothing for this long, milliseconds. */
  readonly leaseMs: number;
};

/** After this time idle in its transaction, a process loses the lock. */
const IDLE_TIMEOUT_MS = 10_000;

/** The table of one row with the progress of the task, with the columns `moved_by` and `moved_at`, and the key of its advisory lock. */
type LeaseTable = { readonly table: string; readonly lock: number };

/**
 * Acquires the lease of a task for a transaction, `sql`, until it ends; false while another process has it. Later statements of the transaction
 * see what the previous holder committed.
 */
export const acquireLeaderLease = async (
  sql: Sql,
  { table, lock }: LeaseTable,
  { worker, leaseMs }: LeaderLease,
): Promise<boolean> => {
  // While another process has the lease, the lock is not even tried: the leader could find it taken, and pause too.
  const [row] = await sql<{ mine: boolean }[]>`
    select case when moved_by is null or moved_by = ${worker} or moved_at <= clock_timestamp() - ${leaseMs} * interval '1 ms'
        then pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${lock}::int) else false end as mine,
      set_config('idle_in_transaction_session_timeout', ${String(IDLE_TIMEOUT_MS)}, true)
    from ${sql(table)}`;
  if (!row) throw new Error(`the table ${table} has lost its row`);
  return row.mine;
};

/** A lease of background tasks as the database knows it. */
export type TaskLeaseState = {
  /** The table that has it. */
  readonly lease: 'event_log_end' | 'event_distribution' | 'hub_progress' | 'push_progress' | 'live_follower';
  /** How many processes hold it; undefined where the table only has the last use. */
  readonly holders: number | undefined;
  /** When it was used last; undefined if it never was, and where the table does not have it. */
  readonly lastUsedAt: Date | undefined;
};

type Row = Pick<TaskLeaseState, 'lease'> & { readonly holders: number | null; readonly lastUsedAt: Date | null };

/** Lists the leases of background tasks. */
export const listTaskLeases = async (sql: Sql): Promise<readonly TaskLeaseState[]> => {
  const rows = await sql<Row[]>`
    select 'event_log_end' as lease, null::int as holders, moved_at as "lastUsedAt" from event_log_end
    union all select 'event_distribution', null, moved_at from event_distribution
    union all select 'live_follower', count(worker) filter (where claimed_until > clock_timestamp())::int, null from live_follower
    union all select 'hub_progress', count(worker) filter (where claimed_until > clock_timestamp())::int, null from hub_progress
    union all select 'push_progress', count(distinct worker) filter (where claimed_until > clock_timestamp())::int, null
      from push_progress`;
  return rows.map(({ lease, holders, lastUsedAt }) => ({
    lease,
    holders: holders ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
  }));
};
