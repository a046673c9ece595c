import type { Sql } from './database.ts';

/** A position in the write-ahead log (WAL) of a cluster. */
export type WalPosition = {
  /** Identifies the cluster: a primary and its replicas have the same identifier. */
  readonly system: bigint;
  /** The timeline: a new one starts when a replica is promoted, and does not contain what the old primary writes after that. */
  readonly timeline: number;
  /** Bytes since the start of the log. */
  readonly position: bigint;
};

/**
 * Reads the position up to which a primary has written: all commits visible now are before it. That is the flushed position, because a commit
 * becomes visible after the flush (except those of request counts), or the inserted position with `synchronous_commit = off`.
 */
export const readPrimaryPosition = async (sql: Sql): Promise<WalPosition> => {
  const [row] = await sql<WalPosition[]>`
    select system_identifier as system, ('x' || left(pg_walfile_name(at), 8))::bit(32)::int as timeline,
      pg_wal_lsn_diff(at, '0/0')::bigint as position
    from pg_control_system(), lateral (
      select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end
    ) as written (at)`;
  if (!row) throw new Error('the primary does not report its WAL position');
  return row;
};

/**
 * Reads the position up to which a replica has replayed the log: all commits before it are visible. The timeline is that of its last checkpoint.
 * Undefined when the server is not a replica, or has been promoted.
 */
export const readReplicaPosition = async (sql: Sql): Promise<WalPosition | undefined> => {
  const [row] = await sql<WalPosition[]>`
    select system_identifier as system, timeline_id as timeline, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint as position
    from pg_control_system(), pg_control_checkpoint() where pg_is_in_recovery() and pg_last_wal_replay_lsn() is not null`;
  return row;
};

/** Reads the position up to which a node has all commits, whatever its role: a replica that was just promoted has them too. */
export const readNodePosition = async (sql: Sql): Promise<WalPosition | undefined> => {
  const [row] = await sql<WalPosition[]>`
    select system_identifier as system, timeline_id as timeline, pg_wal_lsn_diff(at, '0/0')::bigint as position
    from pg_control_system(), pg_control_checkpoint(), lateral (
      select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
    ) as reached (at)
    where at is not null`;
  return row;
};

/** How a primary replicates. */
export type ReplicationMode = {
  /** Replicas that stream from it. */
  readonly replicas: number;
  /** Whether each commit waits until a replica has it. */
  readonly isSynchronous: boolean;
  readonly timeline: number;
};

/** Reads how a primary replicates. */
export const readReplicationMode = async (sql: Sql): Promise<ReplicationMode> => {
  const [row] = await sql<ReplicationMode[]>`
    select (select count(*)::int from pg_stat_replication) as replicas,
      current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local')
        as "isSynchronous",
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;
  if (!row) throw new Error('the primary does not report how it replicates');
  return row;
};
