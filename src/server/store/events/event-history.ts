import type { Sql } from '../pool/database.ts';

/**
 * How far the positions of all accounts are moved when events may have been lost: more than a lost end of the history can have had. Positions stay
 * far below 2^53.
 */
export const LOST_POSITIONS = 1_000_000;

/** The history of a database, and whether the replicas have all of it. */
export type DatabaseHistory = {
  /** `<system identifier>/<timeline>`: a promoted replica and a restored backup begin a new timeline. */
  readonly history: string;
  /** Whether commits wait for a replica before they are visible. */
  readonly isSynchronous: boolean;
};

/** Reads the history of a primary. */
export const readHistory = async (sql: Sql): Promise<DatabaseHistory> => {
  const [row] = await sql<DatabaseHistory[]>`
    select system_identifier || '/' || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as history,
      current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local')
        as "isSynchronous"
    from pg_control_system()`;
  if (!row) throw new Error('the database does not report its history');
  return row;
};

/** What was found about the history: `from` is the earlier one, `to` the present one. */
export type LostHistory = { readonly from: string; readonly to: string };

type KnownHistory = { readonly history: string | null; readonly isSynchronous: boolean; readonly last: bigint };

/** Moves the positions of all accounts beyond those that a lost end of the history can have given out. */
const skipPositions = async (sql: Sql): Promise<void> => {
  await sql`
    insert into account_stream as s (stream, last_number)
    select stream, ${LOST_POSITIONS}::bigint from alert_account order by stream
    on conflict (stream) do update set last_number = s.last_number + excluded.last_number`;
};

/**
 * Checks, before the transaction `sql` gives out positions, that the database has all events that were given positions before; `sql` must hold the
 * lease of the fan-out. `lastKnown` is the last position of the log that this process knows to be fanned out. After a change of the timeline that
 * may have lost events, the positions of all accounts go on `LOST_POSITIONS` later, so that no position is given twice, and the change is returned.
 */
export const checkHistory = async (sql: Sql, lastKnown: number): Promise<LostHistory | undefined> => {
  const [present, [known]] = await Promise.all([
    readHistory(sql),
    sql<KnownHistory[]>`
      select history, is_synchronous as "isSynchronous", last_pos as last from event_distribution`,
  ]);
  if (!known) throw new Error('the table event_distribution has lost its row');
  const { history, isSynchronous } = present;
  const isSame = known.history === history;
  if (!isSame || known.isSynchronous !== isSynchronous)
    await sql`update event_distribution set history = ${history}, is_synchronous = ${isSynchronous}`;
  const mayLackEvents = !isSame && known.history !== null && !known.isSynchronous;
  if (!mayLackEvents && lastKnown <= Number(known.last)) return undefined;
  await skipPositions(sql);
  return { from: known.history ?? 'unknown', to: history };
};
