import { localDate } from '../../domain/time/dates.ts';
import type { PageChange } from '../../domain/events/page-changes.ts';
import type { Sql } from '../pool/database.ts';
import { placeName } from './flight-statuses.ts';

/** A moment in the life of one database server: what was committed by then, everything before it and nothing after. */
export type Moment = {
  /**
   * Tells this connection to this run of this server from any other: snapshots of two cannot be compared. A server that loses a process starts
   * anew without saying so, and numbers of transactions that were not yet on disk are given again; but it takes all connections with it.
   */
  readonly run: string;
  /** Transactions before it had ended. */
  readonly xmin: bigint;
  /** Transactions from it on had not begun. */
  readonly xmax: bigint;
  /** Those between the two that had not ended. */
  readonly underWay: readonly bigint[];
};

type Row = {
  readonly run: string;
  readonly snapshot: string;
  readonly end: string;
  /** Whether the rest of the row is a change. */
  readonly found: boolean | null;
  readonly day: string | null;
  readonly flights: readonly bigint[] | null;
  readonly carriers: readonly number[] | null;
  readonly departures: readonly number[] | null;
  readonly arrivals: readonly number[] | null;
};

/** A snapshot as PostgreSQL writes it: `xmin:xmax:` and those under way with commas between. */
const readMoment = ({ run, snapshot }: Row): Moment => {
  const [xmin = '0', xmax = '0', underWay = ''] = snapshot.split(':');
  return {
    run,
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    underWay: underWay === '' ? [] : underWay.split(',').map(BigInt),
  };
};

const changesIn = ({ day, flights, carriers, departures, arrivals }: Row): readonly PageChange[] => {
  if (day === null) return [{ kind: 'all' }];
  const date = localDate(day);
  if (!flights) return [{ kind: 'day', day: date }];
  return flights.map((statusOrder, index) => {
    const flight = placeName({ departsOn: date, statusOrder });
    if (!carriers) return { kind: 'status', day: date, flight };
    const [carrier = 0, departure = 0, arrival = 0] = [carriers[index], departures?.[index], arrivals?.[index]];
    return { kind: 'row', day: date, flight, carrier, departure, arrival };
  });
};

/** More rows than these are not read: who has not asked for so long has little left that is good. */
const MOST_ROWS = 5000;

/** What there is to read of a moment when nothing is known of an earlier one. */
const everything: readonly PageChange[] = [{ kind: 'all' }];

/**
 * What has become visible since a moment, and the moment to ask from next time; everything, when that cannot be told. Transactions end in
 * another order than they begin, so that no number tells it: what a snapshot could not see is what was under way, and what came later.
 * `sql` must be one connection, or it is everything each time.
 */
export const changesSince = async (
  sql: Sql,
  since: Moment | undefined,
): Promise<{ readonly now: Moment; readonly changes: readonly PageChange[] }> => {
  const { xmax = 0n, underWay = [] } = since ?? {};
  // The driver takes a statement for another when its text is another, so it is one text for all moments.
  const rows = await sql.unsafe<Row[]>(
    `select pg_postmaster_start_time() || ' ' || pg_backend_pid() as run, pg_current_snapshot()::text as snapshot, e.xid::text as "end",
       c.found, c.day, c.flights, c.carriers, c.departures, c.arrivals
     from page_change_end e left join (
       select true as found, * from page_change where $3 and xid >= $1::text::xid8
       union all select true, * from page_change where $3 and xid = any($2::text::xid8[])
       limit $4) as c on true`,
    [String(xmax), `{${underWay.join(',')}}`, since !== undefined, MOST_ROWS + 1],
    { prepare: true },
  );
  const [first] = rows;
  if (!first) throw new Error('the table page_change_end has lost its row');
  const now = readMoment(first);
  // Another server, or one that has started again, or from a copy: its transactions are numbered anew, or others are lost.
  const isKnown =
    since !== undefined &&
    since.run === now.run &&
    since.xmax <= now.xmax &&
    BigInt(first.end) <= since.xmin &&
    rows.length <= MOST_ROWS;
  return { now, changes: isKnown ? rows.filter(({ found }) => found).flatMap(changesIn) : everything };
};

/** A moment up to which changes can be pruned later on; told over any connection. */
export type PruneMark = Pick<Moment, 'run' | 'xmin'>;

/** The moment that is now, for pruning. */
export const pruneMarkNow = async (sql: Sql): Promise<PruneMark> => {
  const [row] = await sql<{ run: string; xmin: string }[]>`
    select pg_postmaster_start_time()::text as run, pg_snapshot_xmin(pg_current_snapshot())::text as xmin`;
  return { run: row?.run ?? '', xmin: BigInt(row?.xmin ?? 0) };
};

/**
 * Deletes the changes that were visible at a moment, which may be some minutes ago, and notes how far; a server that has not asked since
 * then finds the note. So does it delete what came with a copy of another server's data, from transactions that this one has not had.
 */
export const prunePageChanges = async (sql: Sql, { xmin }: Pick<PruneMark, 'xmin'>): Promise<void> => {
  await sql`
    with gone as (
      delete from page_change
      where xid < ${String(xmin)}::text::xid8 or xid >= pg_snapshot_xmax(pg_current_snapshot()))
    update page_change_end set xid = ${String(xmin)}::text::xid8
    where xid < ${String(xmin)}::text::xid8 or xid > pg_snapshot_xmax(pg_current_snapshot())`;
};
