import type { Sql } from '../pool/database.ts';

/** A lease of background tasks as the database knows it. */
export type TaskLeaseState = {
  /** The table that has it. */
  readonly lease: 'event_log_end' | 'event_distribution' | 'hub_progress' | 'push_progress';
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
    union all select 'hub_progress', count(worker) filter (where claimed_until > clock_timestamp())::int, null from hub_progress
    union all select 'push_progress', count(distinct worker) filter (where claimed_until > clock_timestamp())::int, null
      from push_progress`;
  return rows.map(({ lease, holders, lastUsedAt }) => ({
    lease,
    holders: holders ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
  }));
};
