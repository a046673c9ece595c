import { localDate } from '#domain/time/dates.ts';
import type { PageChange } from '#domain/cache/page-invalidation.ts';
import type { Sql } from '../pool/database.ts';
import { formatStatusId } from './flight-statuses.ts';

/** A snapshot of one database server: which transactions were committed. */
export type DatabaseSnapshot = {
  /**
   * Identifies the server process and the connection: snapshots of two cannot be compared. A server that recovers from a crash assigns numbers of
   * transactions that were not yet on disk again, but it closes all connections.
   */
  readonly serverId: string;
  /** Transactions below it had ended. */
  readonly xmin: bigint;
  /** Transactions from it on had not started. */
  readonly xmax: bigint;
  /** Transactions between the two that had not ended. */
  readonly inProgress: readonly bigint[];
};

type Row = {
  readonly serverId: string;
  readonly snapshot: string;
  readonly end: string;
  /** Whether the rest of the row is a change; null on the only row when there is none. */
  readonly found: boolean | null;
  readonly day: string | null;
  readonly flights: readonly bigint[] | null;
  readonly carriers: readonly number[] | null;
  readonly departures: readonly number[] | null;
  readonly arrivals: readonly number[] | null;
};

/** Parses a snapshot as PostgreSQL writes it: `xmin:xmax:` and the transactions in progress, separated by commas. */
const parseSnapshot = ({ serverId, snapshot }: Row): DatabaseSnapshot => {
  const [xmin = '0', xmax = '0', inProgress = ''] = snapshot.split(':');
  return {
    serverId,
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    inProgress: inProgress === '' ? [] : inProgress.split(',').map(BigInt),
  };
};

const toPageChanges = ({ day, flights, carriers, departures, arrivals }: Row): readonly PageChange[] => {
  if (day === null) return [{ kind: 'all' }];
  const date = localDate(day);
  if (!flights) return [{ kind: 'day', day: date }];
  return flights.map((statusOrder, index) => {
    const flight = formatStatusId({ departsOn: date, statusOrder });
    if (!carriers)
      return { kind: 'status', day: date, flight, departure: departures?.[index], arrival: arrivals?.[index] };
    const [carrier = 0, departure = 0, arrival = 0] = [carriers[index], departures?.[index], arrivals?.[index]];
    return { kind: 'row', day: date, flight, carrier, departure, arrival };
  });
};

/** More changes are not read: a cache that is so far behind has few valid pages left. */
const MAX_ROWS = 5000;

/** The result when the changes since a snapshot are not known. */
const everything: readonly PageChange[] = [{ kind: 'all' }];

/**
 * Returns the changes that became visible since a snapshot, and the snapshot to pass to the next call; `all` when the changes are not known.
 * Transactions end in another order than they start, so no single number suffices: an earlier snapshot could not see the transactions in
 * progress and the later ones. `sql` must be a single connection, otherwise every call returns `all`.
 */
export const listPageChanges = async (
  sql: Sql,
  since: DatabaseSnapshot | undefined,
): Promise<{ readonly now: DatabaseSnapshot; readonly changes: readonly PageChange[] }> => {
  const { xmax = 0n, inProgress = [] } = since ?? {};
  // One text for all calls: the driver prepares a statement for each text.
  const rows = await sql.unsafe<Row[]>(
    `select pg_postmaster_start_time() || ' ' || pg_backend_pid() as "serverId", pg_current_snapshot()::text as snapshot, e.xid::text as "end",
       c.found, c.day, c.flights, c.carriers, c.departures, c.arrivals
     from page_change_end e left join (
       select true as found, * from page_change where $3 and xid >= $1::text::xid8
       union all select true, * from page_change where $3 and xid = any($2::text::xid8[])
       limit $4) as c on true`,
    [String(xmax), `{${inProgress.join(',')}}`, since !== undefined, MAX_ROWS + 1],
    { prepare: true },
  );
  const [first] = rows;
  if (!first) throw new Error('the table page_change_end has lost its row');
  const now = parseSnapshot(first);
  // Unknown after a restart, on another server or on a restored copy, where transactions are numbered again or are lost.
  const isKnown =
    since !== undefined &&
    since.serverId === now.serverId &&
    since.xmax <= now.xmax &&
    BigInt(first.end) <= since.xmin &&
    rows.length <= MAX_ROWS;
  return { now, changes: isKnown ? rows.filter(({ found }) => found).flatMap(toPageChanges) : everything };
};

/** A snapshot up to which changes can be pruned later, over any connection. */
export type PruneMark = Pick<DatabaseSnapshot, 'serverId' | 'xmin'>;

/** Returns the current snapshot, for pruning. */
export const readPruneMark = async (sql: Sql): Promise<PruneMark> => {
  const [row] = await sql<{ serverId: string; xmin: string }[]>`
    select pg_postmaster_start_time()::text as "serverId", pg_snapshot_xmin(pg_current_snapshot())::text as xmin`;
  return { serverId: row?.serverId ?? '', xmin: BigInt(row?.xmin ?? 0) };
};

/**
 * Deletes the changes that were visible in a snapshot of some minutes ago and records how far, for servers that have not read since then.
 * Also deletes changes of a restored copy, whose transaction numbers this server has not reached.
 */
export const prunePageChanges = async (sql: Sql, { xmin }: Pick<PruneMark, 'xmin'>): Promise<void> => {
  await sql`
    with gone as (
      delete from page_change
      where xid < ${String(xmin)}::text::xid8 or xid >= pg_snapshot_xmax(pg_current_snapshot()))
    update page_change_end set xid = ${String(xmin)}::text::xid8
    where xid < ${String(xmin)}::text::xid8 or xid > pg_snapshot_xmax(pg_current_snapshot())`;
};
