import type { Database } from '../pool/database.ts';
import { deleteSlices, type Slices } from '../tasks/delete-slices.ts';

/** The last position that may go: all up to it came into the log before a moment, and were given to the accounts that have them. */
const lastToPrune = async (db: Database, before: Date): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`
    select least(
      coalesce((select pos from event_log where sequenced_at >= ${before} order by pos limit 1) - 1, e.last_pos), d.last_pos
    ) as last
    from event_log_end e cross join event_distribution d`;
  if (!row) throw new Error('the table event_log_end or event_distribution has lost its row');
  return Number(row.last);
};

type Slice = { readonly last: number; readonly slice: number };

/** Deletes what accounts have of the oldest positions, in the order of positions, so that each stream loses its beginning and no more. */
const pruneGiven = async (db: Database, { last, slice }: Slice): Promise<number> => {
  const [row] = await db<{ found: number }[]>`
    with oldest as (
      select pos from account_event where pos <= ${last} order by pos limit ${slice}
    ), gone as (
      delete from account_event where pos between (select min(pos) from oldest) and (select max(pos) from oldest)
    )
    select count(*)::int as found from oldest`;
  return row?.found ?? 0;
};

type Pruned = { readonly found: number; readonly deleted: number };

/** Two who delete at once find the same positions: the second finds many and deletes few, and is not at the end for that. */
const pruneLog = async (db: Database, { last, slice }: Slice): Promise<Pruned> => {
  const [row] = await db<Pruned[]>`
    with oldest as (
      select pos from event_log where pos <= ${last} order by pos limit ${slice}
    ), gone as (
      delete from event_log where pos between (select min(pos) from oldest) and (select max(pos) from oldest) returning seq
    ), deleted as (
      delete from flight_event where seq = any(array(select seq from gone)) returning 1
    )
    select (select count(*)::int from oldest) as found, (select count(*)::int from deleted) as deleted`;
  return row ?? { found: 0, deleted: 0 };
};

/**
 * Deletes the oldest events, up to the first that came into the log at a moment or later or was not given to accounts yet, and answers
 * how many. What accounts have of them goes first, so that no stream names an event that is gone. Where it is ended it can be called
 * again, and several may do it at once.
 */
export const pruneEvents = async (db: Database, before: Date, slices: Slices = {}): Promise<number> => {
  const last = await lastToPrune(db, before);
  await deleteSlices((slice) => pruneGiven(db, { last, slice }), slices);
  let deleted = 0;
  const pruneSlice = async (slice: number): Promise<number> => {
    const pruned = await pruneLog(db, { last, slice });
    deleted += pruned.deleted;
    return pruned.found;
  };
  await deleteSlices(pruneSlice, slices);
  return deleted;
};
