import { addDays, toDate, formatDate, formatMinute, localDate, type LocalDate } from '#domain/time/dates.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import { copyRows } from '../pool/driver/driver.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { Sql } from '../pool/database.ts';
import { toFlightTable } from '../schedules/flight-table.ts';
import { formatCopyLine, instanceColumns, type InstanceRow } from './instance-row.ts';
import { insertDifferences, type InstanceTable } from '../schedules/schedule-differences.ts';

const formatPartitionName = (day: LocalDate): string => `flight_instance_${formatDate(day).replaceAll('-', '')}`;

/** Returns the days on which schedules are expanded to instances, with the numbers of scheduled instances. */
export const listExpandedDays = async (sql: Sql): Promise<ReadonlyMap<LocalDate, number>> => {
  const rows = await sql<{ day: string; instances: number }[]>`
    select day, instances from expanded_day where laid_out order by day`;
  return new Map(rows.map(({ day, instances }) => [localDate(day), instances]));
};

/** Selects the scheduled flights that are removed from a day. */
export type RemovedFlights = {
  readonly carriers: readonly number[];
  /** Of those carriers, only the flights filed under these designators; undefined means all. It takes a lookup of each flight's segment. */
  readonly filedUnder?: readonly string[] | undefined;
  /** Only these flights; `carriers` and `filedUnder` then have no effect. */
  readonly flights?: readonly Designator[] | undefined;
};

const isOneOf = (sql: Sql, flights: readonly Designator[]) => sql`
  (flight_number = any(${flights.map(({ flightNumber }) => flightNumber)}::smallint[]) and segment_id in (
    select s.id from ${toFlightTable(sql, flights)} join itinerary i using (designator, flight_number, suffix)
    join segment s on s.itinerary_id = i.id))`;

const isRemoved = (sql: Sql, { carriers, filedUnder, flights }: RemovedFlights) =>
  flights
    ? isOneOf(sql, flights)
    : filedUnder
      ? sql`(carrier = any(${[...carriers]}) and segment_id in (
        select s.id from itinerary i join segment s on s.itinerary_id = i.id where i.designator = any(${[...filedUnder]})))`
      : sql`carrier = any(${[...carriers]})`;

const countRemoved = async (sql: Sql, day: LocalDate, removed: RemovedFlights): Promise<number> => {
  const [row] = await sql<{ count: bigint }[]>`
    select count(*) from ${sql(formatPartitionName(day))} where flight_type = 'S' and ${isRemoved(sql, removed)}`;
  return Number(row?.count ?? 0);
};

/** Creates the primary key and indexes of the partitioned table on a filled table, so that attaching it as a partition is instant. */
const createIndexes = async (sql: Sql, table: string): Promise<void> => {
  await sql`alter table ${sql(table)} add primary key (departs_at, key_order)`;
  const indexes = await sql<{ definition: string }[]>`
    select pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'flight_instance'::regclass and not indisprimary order by indexrelid`;
  for (const { definition } of indexes)
    await sql.unsafe(`create index on ${table} ${definition.slice(definition.indexOf('USING '))}`);
};

const attachPartition = (sql: Sql, table: string, day: LocalDate) =>
  sql.unsafe(
    `alter table flight_instance attach partition ${table} for values from ('${formatDate(day)}') to ('${formatDate(addDays(day, 1))}')`,
  );

function* formatCodeshareLines({ departsAt, key, codeshares = [] }: InstanceRow): Generator<string> {
  for (const { carrierId, order } of codeshares)
    yield `${formatMinute(departsAt)}\t${order}\t${carrierId}\t${toKeyOrder(key)}`;
}

/** Copies instances and the positions of their codeshares; returns their number, and the most days between departure and arrival among them. */
const copyInstances = async (
  sql: Sql,
  { table, rows, isFrozen = false }: Pick<FillOptions, 'table' | 'rows'> & { readonly isFrozen?: boolean },
): Promise<{ readonly count: number; readonly longest: number }> => {
  let longest = 0;
  const codeshareLines: string[] = [];
  function* lines(): Generator<string> {
    for (const row of rows) {
      longest = Math.max(longest, toDate(row.arrivesAt) - toDate(row.departsAt));
      codeshareLines.push(...formatCodeshareLines(row));
      yield formatCopyLine(row);
    }
  }
  const count = await copyRows(
    sql,
    sql`copy ${sql(table)} (${sql(instanceColumns.map(({ name }) => name))}) from stdin ${isFrozen ? sql`(freeze)` : sql``}`,
    lines(),
  );
  if (codeshareLines.length > 0)
    await copyRows(
      sql,
      sql`copy flight_codeshare (departs_at, key_order, carrier, operating_order) from stdin`,
      codeshareLines,
    );
  return { count, longest };
};

/** Deletes the positions of the codeshares of removed flights; call it while the day still has them. */
const deleteCodeshares = async (sql: Sql, day: LocalDate, removed: RemovedFlights): Promise<void> => {
  await sql`
    delete from flight_codeshare
    where departs_at >= ${formatDate(day)}::date and departs_at < ${formatDate(addDays(day, 1))}::date
      and (departs_at, operating_order) in (
        select departs_at, key_order from ${sql(formatPartitionName(day))}
        where flight_type = 'S' and codeshare_terms is not null and ${isRemoved(sql, removed)})`;
};

/**
 * Creates a table of a day and fills it. Rows are copied frozen, which a table of the same transaction allows: index-only counts then need no
 * vacuum. Scheduled rows of the old table that stay are copied here; unscheduled ones follow when the table takes its place.
 */
const createFilledTable = async (
  sql: Sql,
  day: LocalDate,
  { rows, table, keepFrom }: FillOptions,
): Promise<{ count: number; longest: number }> => {
  await sql.unsafe(`create table ${table} (like flight_instance including defaults,
    check (departs_at >= '${formatDate(day)}' and departs_at < '${formatDate(addDays(day, 1))}'))`);
  let keptCount = 0;
  if (keepFrom) {
    const result = await sql`
      insert into ${sql(table)} select * from ${sql(formatPartitionName(day))}
      where flight_type = 'S' and (${isRemoved(sql, keepFrom)}) is not true`;
    keptCount = result.count;
  }
  const { count, longest } = await copyInstances(sql, { table, rows, isFrozen: keepFrom === undefined });
  await createIndexes(sql, table);
  return { count: count + keptCount, longest };
};

type FillOptions = {
  readonly rows: Iterable<InstanceRow>;
  readonly table: string;
  /** Copies the scheduled rows of the day's current table, except these. */
  readonly keepFrom?: RemovedFlights;
};

const partitionExists = async (sql: Sql, day: LocalDate): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass(${formatPartitionName(day)}) is not null as exists`;
  return row?.exists ?? false;
};

const upsertDay = (
  sql: Sql,
  day: LocalDate,
  { count, longest }: { readonly count: number; readonly longest: number },
) => sql`
  insert into expanded_day (day, instances, longest_days) values (${formatDate(day)}, ${count}, ${longest})
  on conflict (day) do update set
    instances = excluded.instances, laid_out = true, longest_days = greatest(expanded_day.longest_days, excluded.longest_days)`;

/**
 * Locks the list of days until the transaction `sql` ends, so that none is created twice. Attaching a partition takes this lock anyway; readers and
 * writers of flights do not wait for it.
 */
export const lockDays = async (sql: Sql): Promise<void> => {
  await sql`lock table only flight_instance in share update exclusive mode`;
};

/**
 * Creates a day for unscheduled flights unless it exists; `sql` must be a transaction that has called `lockDays`. Schedules can be expanded on it
 * later, as on any other day.
 */
export const createDay = async (sql: Sql, day: LocalDate): Promise<void> => {
  if (await partitionExists(sql, day)) return;
  await createFilledTable(sql, day, { rows: [], table: formatPartitionName(day) });
  await attachPartition(sql, formatPartitionName(day), day);
  await sql`insert into expanded_day (day, laid_out) values (${formatDate(day)}, false)`;
};

/** Returns which of these days exist, expanded or not. */
export const listExistingDays = async (sql: Sql, days: readonly LocalDate[]): Promise<ReadonlySet<LocalDate>> => {
  const rows = await sql<
    { day: string }[]
  >`select day from expanded_day where day = any(${days.map(formatDate)}::date[])`;
  return new Set(rows.map(({ day }) => localDate(day)));
};

/** The last step for a day, to be called when all days of a transaction are written: it locks readers out until the commit. */
export type FinishDay = () => Promise<void>;

/**
 * Inserts the scheduled instances of a day that is not expanded yet; `sql` must be a transaction. The returned function records the day. Call it
 * last: transactions that store unscheduled flights on the day wait from then until the commit.
 */
export const insertDay = async (sql: Sql, day: LocalDate, rows: Iterable<InstanceRow>): Promise<FinishDay> => {
  const record = async (written: { readonly count: number; readonly longest: number }): Promise<void> => {
    await upsertDay(sql, day, written);
  };
  // A request that creates the day holds the lock until it has stored its messages.
  await lockDays(sql);
  if (await partitionExists(sql, day)) {
    const added = await copyInstances(sql, { table: formatPartitionName(day), rows });
    return () => record(added);
  }
  const filled = await createFilledTable(sql, day, { rows, table: formatPartitionName(day) });
  await attachPartition(sql, formatPartitionName(day), day);
  return () => record(filled);
};

/** The replacement of some scheduled flights on a day. */
export type DayReplacement = {
  readonly removed: RemovedFlights;
  readonly rows: Iterable<InstanceRow>;
  /** The approximate number of rows. */
  readonly expected: number;
  /** The current number of scheduled rows of the day, all carriers together. */
  readonly total: number;
  /** The flights whose differences are recorded, among the removed and the added; none when undefined. */
  readonly compared?: RemovedFlights | undefined;
};

/** From this share of removed and added rows on, rebuilding a day beats deleting: no dead rows, and indexes are built at once. */
const REBUILD_SHARE = 0.3;

const selectCompared = (sql: Sql, table: string, compared: RemovedFlights): InstanceTable => ({
  table,
  where: sql`flight_type = 'S' and ${isRemoved(sql, compared)}`,
});

/** Fills a new table for a day beside the current one, which readers see until the returned function swaps the two. */
const rebuildDay = async (
  sql: Sql,
  day: LocalDate,
  { removed, rows, compared }: Pick<DayReplacement, 'removed' | 'rows' | 'compared'>,
): Promise<FinishDay> => {
  const table = formatPartitionName(day);
  const next = `${table}_next`;
  const filled = await createFilledTable(sql, day, { rows, table: next, keepFrom: removed });
  if (compared)
    await insertDifferences(sql, {
      before: selectCompared(sql, table, compared),
      after: selectCompared(sql, next, compared),
    });
  return async () => {
    await upsertDay(sql, day, filled);
    // Dropping the partition locks both tables. All others lock the partitioned table first; the other order would deadlock with them.
    await sql`lock table only flight_instance in access exclusive mode`;
    await sql.unsafe(`lock table ${table} in access exclusive mode`);
    await sql.unsafe(`insert into ${next} select * from ${table} where flight_type <> 'S'`);
    await sql.unsafe(`drop table ${table}`);
    await sql.unsafe(`alter table ${next} rename to ${table}`);
    await attachPartition(sql, table, day);
  };
};

/** Deletes the removed rows, and copies those to be compared to a temporary table. */
const deleteRemoved = async (
  sql: Sql,
  table: string,
  { removed, compared }: Pick<DayReplacement, 'removed' | 'compared'>,
) => {
  if (!compared) {
    await sql`delete from ${sql(table)} where flight_type = 'S' and ${isRemoved(sql, removed)}`;
    return;
  }
  await sql`
    create temp table if not exists leaving_instance (
      departs_at timestamp, key_order bigint, key bytea, segment_id integer, is_marketing boolean, doc text
    ) on commit drop`;
  await sql`truncate leaving_instance`;
  await sql`
    with gone as (
      delete from ${sql(table)} where flight_type = 'S' and ${isRemoved(sql, removed)} returning departs_at, key_order, key, segment_id, is_marketing, doc
    ) insert into leaving_instance select * from gone`;
};

/**
 * Replaces some scheduled instances of an expanded day; `sql` must be a transaction. Readers see the day as it was until the commit. The
 * returned function records the day and swaps in a rebuilt table, which locks readers out until the commit: call it last.
 */
export const replaceInstancesOfDay = async (
  sql: Sql,
  day: LocalDate,
  replacement: DayReplacement,
): Promise<FinishDay> => {
  const { removed, rows, expected, total, compared } = replacement;
  const removedCount = await countRemoved(sql, day, removed);
  await deleteCodeshares(sql, day, removed);
  const table = formatPartitionName(day);
  if (removedCount + expected >= total * REBUILD_SHARE) return rebuildDay(sql, day, replacement);
  await deleteRemoved(sql, table, replacement);
  const { count, longest } = await copyInstances(sql, { table, rows });
  if (compared)
    await insertDifferences(sql, {
      before: { table: 'leaving_instance', where: sql`true` },
      after: selectCompared(sql, table, compared),
    });
  return async () => {
    await upsertDay(sql, day, { count: total - removedCount + count, longest });
  };
};

/** Returns the existing days before a date, expanded or not, oldest first. */
export const listDaysBefore = async (sql: Sql, date: LocalDate): Promise<readonly LocalDate[]> => {
  const rows = await sql<{ day: string }[]>`select day from expanded_day where day < ${formatDate(date)} order by day`;
  return rows.map(({ day }) => localDate(day));
};

/**
 * Deletes a day with all its instances and returns their number; `sql` must be a transaction that holds the schedule lock. Readers are locked
 * out until the commit.
 */
export const deleteDay = async (sql: Sql, day: LocalDate): Promise<number> => {
  const table = formatPartitionName(day);
  await sql`lock table only flight_instance in access exclusive mode`;
  const [row] = await sql<{ count: bigint }[]>`select count(*) from ${sql(table)}`;
  await sql.unsafe(`drop table ${table}`);
  await sql`
    delete from flight_codeshare
    where departs_at >= ${formatDate(day)}::date and departs_at < ${formatDate(addDays(day, 1))}::date`;
  await sql`delete from expanded_day where day = ${formatDate(day)}`;
  return Number(row?.count ?? 0);
};

/** Updates the statistics of the planner; call it after the commit. */
export const analyzeInstances = async (sql: Sql): Promise<void> => {
  await sql`analyze flight_instance`;
  await sql`analyze flight_codeshare`;
};
