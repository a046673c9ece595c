import type { Sql } from './database.ts';

/** A place in the write-ahead log of a cluster. */
export type WalPosition = {
  /** Tells the clusters apart; a primary and its replicas are one. */
  readonly system: bigint;
  /** Which life of the cluster: it begins another where a replica becomes the primary, and what others had written since is not part of that. */
  readonly timeline: number;
  /** In bytes since its beginning. */
  readonly position: bigint;
};

/**
 * How far a primary has written: what is committed there by now, and can be seen, lies before it. That is what has reached its disk, for a
 * commit is seen from then on; this service has others only for counts of requests. Where the database does not wait for its disk it is all.
 */
export const readPrimaryPosition = async (sql: Sql): Promise<WalPosition> => {
  const [row] = await sql<WalPosition[]>`
    select system_identifier as system, ('x' || left(pg_walfile_name(at), 8))::bit(32)::int as timeline,
      pg_wal_lsn_diff(at, '0/0')::bigint as position
    from pg_control_system(), lateral (
      select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end
    ) as written (at)`;
  if (!row) throw new Error('the primary does not tell how far it has written');
  return row;
};

/**
 * How far a replica has replayed what its primary wrote: it shows all that was committed before. Its timeline is that of its last checkpoint.
 * Undefined when it is no replica, or one no longer.
 */
export const readReplicaPosition = async (sql: Sql): Promise<WalPosition | undefined> => {
  const [row] = await sql<WalPosition[]>`
    select system_identifier as system, timeline_id as timeline, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint as position
    from pg_control_system(), pg_control_checkpoint() where pg_is_in_recovery() and pg_last_wal_replay_lsn() is not null`;
  return row;
};
