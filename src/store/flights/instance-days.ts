import {
  addDays,
  dateAt,
  formatDate,
  formatMinute,
  localDate,
  type LocalDate,
  type LocalMinute,
} from '../../domain/time/dates.ts';
import { keyOrder } from '../../domain/schedule/keys.ts';
import { copyRows, copyText } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';
import type { FlightTypeLetter } from './flight-instances.ts';
import { noteDifferences, type InstancesIn } from '../schedules/schedule-differences.ts';

/** One instance as it is stored; `doc` is its list row as JSON text. */
export type InstanceRow = {
  readonly departsAt: LocalMinute;
  readonly arrivesAt: LocalMinute;
  readonly key: Buffer;
  readonly statusKey: Buffer;
  readonly carrierId: number;
  readonly departureId: number;
  readonly arrivalId: number;
  readonly segmentId: number | undefined;
  readonly flightNumber: number;
  readonly flightType: FlightTypeLetter;
  /** One letter, '' when undefined. */
  readonly serviceType: string;
  readonly isMarketing: boolean;
  readonly doc: string;
  /** On a recovery flight: date and key of the flight it recovers as in its address; '' when that has no address. */
  readonly original?: string | undefined;
};

const columns = [
  'departs_at',
  'key_order',
  'arrives_at',
  'key',
  'status_order',
  'carrier',
  'departure',
  'arrival',
  'segment_id',
  'flight_number',
  'flight_type',
  'service_type',
  'is_marketing',
  'doc',
];

const lineOf = (row: InstanceRow): string =>
  `${formatMinute(row.departsAt)}\t${keyOrder(row.key)}\t${formatMinute(row.arrivesAt)}\t\\\\x${row.key.toString('hex')}\t${keyOrder(
    row.statusKey,
  )}\t${row.carrierId}\t${row.departureId}\t${row.arrivalId}\t${row.segmentId ?? '\\N'}\t${row.flightNumber}\t${row.flightType}\t${
    row.serviceType || ' '
  }\t${row.isMarketing ? 't' : 'f'}\t${copyText(row.doc)}`;

const partitionOf = (day: LocalDate): string => `flight_instance_${formatDate(day).replaceAll('-', '')}`;

/** The days on which schedules are laid out as instances, with their number of scheduled ones. */
export const expandedDays = async (sql: Sql): Promise<ReadonlyMap<LocalDate, number>> => {
  const rows = await sql<{ day: string; instances: number }[]>`
    select day, instances from expanded_day where laid_out order by day`;
  return new Map(rows.map(({ day, instances }) => [localDate(day), instances]));
};

/** Whose scheduled flights leave a day. */
export type Leaving = {
  readonly carriers: readonly number[];
  /** Of those carriers, only what is filed under these designators; undefined means everything. Telling so takes a look at each flight's segment. */
  readonly filedUnder?: readonly string[] | undefined;
};

const isLeaving = (sql: Sql, { carriers, filedUnder }: Leaving) =>
  filedUnder
    ? sql`(carrier = any(${[...carriers]}) and segment_id in (
        select s.id from itinerary i join segment s on s.itinerary_id = i.id where i.designator = any(${[...filedUnder]})))`
    : sql`carrier = any(${[...carriers]})`;

const countLeaving = async (sql: Sql, day: LocalDate, leaving: Leaving): Promise<number> => {
  const [row] = await sql<{ count: bigint }[]>`
    select count(*) from ${sql(partitionOf(day))} where flight_type = 'S' and ${isLeaving(sql, leaving)}`;
  return Number(row?.count ?? 0);
};

/** Gives a table of loaded rows the primary key and indexes of the partitioned one, so that attaching it builds nothing. */
const indexPartition = async (sql: Sql, table: string): Promise<void> => {
  await sql`alter table ${sql(table)} add primary key (departs_at, key_order)`;
  const indexes = await sql<{ definition: string }[]>`
    select pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'flight_instance'::regclass and not indisprimary order by indexrelid`;
  for (const { definition } of indexes)
    await sql.unsafe(`create index on ${table} ${definition.slice(definition.indexOf('USING '))}`);
};

const attach = (sql: Sql, table: string, day: LocalDate) =>
  sql.unsafe(
    `alter table flight_instance attach partition ${table} for values from ('${formatDate(day)}') to ('${formatDate(addDays(day, 1))}')`,
  );

type Lines = { readonly lines: Iterable<string>; readonly longest: () => number };

const tracked = (rows: Iterable<InstanceRow>): Lines => {
  let longest = 0;
  function* lines(): Generator<string> {
    for (const row of rows) {
      longest = Math.max(longest, dateAt(row.arrivesAt) - dateAt(row.departsAt));
      yield lineOf(row);
    }
  }
  return { lines: lines(), longest: () => longest };
};

/**
 * Rows go in frozen: the table is of this transaction, so that no vacuum has to read them again for index-only counts. Of the
 * old table the scheduled rows that stay are taken over here; those of no schedule follow when it is put in its place.
 */
const fillNewTable = async (
  sql: Sql,
  day: LocalDate,
  { rows, table, keepFrom }: Fill,
): Promise<{ count: number; longest: number }> => {
  const { lines, longest } = tracked(rows);
  await sql.unsafe(`create table ${table} (like flight_instance including defaults,
    check (departs_at >= '${formatDate(day)}' and departs_at < '${formatDate(addDays(day, 1))}'))`);
  let kept = 0;
  if (keepFrom) {
    const result = await sql`
      insert into ${sql(table)} select * from ${sql(partitionOf(day))}
      where flight_type = 'S' and (${isLeaving(sql, keepFrom)}) is not true`;
    kept = result.count;
  }
  const count = await copyRows(
    sql,
    sql`copy ${sql(table)} (${sql(columns)}) from stdin ${keepFrom ? sql`` : sql`(freeze)`}`,
    lines,
  );
  await indexPartition(sql, table);
  return { count: count + kept, longest: longest() };
};
type Fill = {
  readonly rows: Iterable<InstanceRow>;
  readonly table: string;
  /** The scheduled rows of the day that are left behind when the others are taken over. */
  readonly keepFrom?: Leaving;
};

const partitionExists = async (sql: Sql, day: LocalDate): Promise<boolean> => {
  const [row] = await sql<{ found: boolean }[]>`select to_regclass(${partitionOf(day)}) is not null as found`;
  return row?.found ?? false;
};

const recordDay = (
  sql: Sql,
  day: LocalDate,
  { count, longest }: { readonly count: number; readonly longest: number },
) => sql`
  insert into expanded_day (day, instances, longest_days) values (${formatDate(day)}, ${count}, ${longest})
  on conflict (day) do update set
    instances = excluded.instances, laid_out = true, longest_days = greatest(expanded_day.longest_days, excluded.longest_days)`;

const copyInto = async (sql: Sql, table: string, rows: Iterable<InstanceRow>) => {
  const { lines, longest } = tracked(rows);
  const count = await copyRows(sql, sql`copy ${sql(table)} (${sql(columns)}) from stdin`, lines);
  return { count, longest: longest() };
};

/**
 * Opens a day for flights that no schedule holds, unless it is there; `sql` must be a transaction that holds the schedule
 * lock. Schedules are laid out on it later as on any other.
 */
export const openDay = async (sql: Sql, day: LocalDate): Promise<void> => {
  if (await partitionExists(sql, day)) return;
  await fillNewTable(sql, day, { rows: [], table: partitionOf(day) });
  await attach(sql, partitionOf(day), day);
  await sql`insert into expanded_day (day, laid_out) values (${formatDate(day)}, false)`;
};

/** Which of these days have been opened or laid out. */
export const openedDays = async (sql: Sql, days: readonly LocalDate[]): Promise<ReadonlySet<LocalDate>> => {
  const rows = await sql<
    { day: string }[]
  >`select day from expanded_day where day = any(${days.map(formatDate)}::date[])`;
  return new Set(rows.map(({ day }) => localDate(day)));
};

/** What is left to do when all days of a transaction are written: it locks others out until the commit. */
export type Finish = () => Promise<void>;

/**
 * Lays a day out for the first time; `sql` must be a transaction. The function returned records the day: whoever stores a flight on a
 * day that had been opened for others may wait for that until the commit, so call it last.
 */
export const addDay = async (sql: Sql, day: LocalDate, rows: Iterable<InstanceRow>): Promise<Finish> => {
  const record = async (written: { readonly count: number; readonly longest: number }): Promise<void> => {
    await recordDay(sql, day, written);
  };
  if (await partitionExists(sql, day)) {
    const added = await copyInto(sql, partitionOf(day), rows);
    return () => record(added);
  }
  const filled = await fillNewTable(sql, day, { rows, table: partitionOf(day) });
  await attach(sql, partitionOf(day), day);
  return () => record(filled);
};

/** What takes the place of some flights on a day. */
export type Replacement = {
  readonly leaving: Leaving;
  readonly rows: Iterable<InstanceRow>;
  /** About how many rows there will be. */
  readonly expected: number;
  /** How many scheduled rows the day has now, all carriers together. */
  readonly total: number;
  /** The flights, among those that leave and come, of which it is noted what becomes of them; none when undefined. */
  readonly compared?: Leaving | undefined;
};

/** When rows that leave and come are this share of a day's, writing the day anew beats deleting: no dead rows, and indexes are built at once. */
const REBUILD_SHARE = 0.3;

const comparedIn = (sql: Sql, table: string, compared: Leaving): InstancesIn => ({
  table,
  where: sql`flight_type = 'S' and ${isLeaving(sql, compared)}`,
});

/** Writes a day anew beside the old one, which stays what readers see until it is finished. */
const rebuildDay = async (
  sql: Sql,
  day: LocalDate,
  { leaving, rows, compared }: Pick<Replacement, 'leaving' | 'rows' | 'compared'>,
): Promise<Finish> => {
  const table = partitionOf(day);
  const next = `${table}_next`;
  const filled = await fillNewTable(sql, day, { rows, table: next, keepFrom: leaving });
  if (compared)
    await noteDifferences(sql, { before: comparedIn(sql, table, compared), after: comparedIn(sql, next, compared) });
  return async () => {
    await recordDay(sql, day, filled);
    // Everyone else locks the whole before the day, so this does too: dropping the day needs both, and the other way round would be a ring.
    await sql`lock table only flight_instance in access exclusive mode`;
    await sql.unsafe(`lock table ${table} in access exclusive mode`);
    await sql.unsafe(`insert into ${next} select * from ${table} where flight_type <> 'S'`);
    await sql.unsafe(`drop table ${table}`);
    await sql.unsafe(`alter table ${next} rename to ${table}`);
    await attach(sql, table, day);
  };
};

/** Deletes the rows that leave, and keeps what is compared of them at hand. */
const deleteLeaving = async (
  sql: Sql,
  table: string,
  { leaving, compared }: Pick<Replacement, 'leaving' | 'compared'>,
) => {
  if (!compared) {
    await sql`delete from ${sql(table)} where flight_type = 'S' and ${isLeaving(sql, leaving)}`;
    return;
  }
  await sql`
    create temp table if not exists leaving_instance (
      departs_at timestamp, key_order bigint, key bytea, segment_id integer, is_marketing boolean, doc text
    ) on commit drop`;
  await sql`truncate leaving_instance`;
  await sql`
    with gone as (
      delete from ${sql(table)} where flight_type = 'S' and ${isLeaving(sql, leaving)} returning departs_at, key_order, key, segment_id, is_marketing, doc
    ) insert into leaving_instance select * from gone`;
};

/**
 * Replaces some scheduled instances on a day that is laid out; `sql` must be a transaction. Readers see the day as it was until the
 * commit. The function returned puts in place a day that was written anew, which locks readers out until the commit, and records it:
 * call it last.
 */
export const replaceInDay = async (sql: Sql, day: LocalDate, replacement: Replacement): Promise<Finish> => {
  const { leaving, rows, expected, total, compared } = replacement;
  const gone = await countLeaving(sql, day, leaving);
  const table = partitionOf(day);
  if (gone + expected >= total * REBUILD_SHARE) return rebuildDay(sql, day, replacement);
  await deleteLeaving(sql, table, replacement);
  const { count, longest } = await copyInto(sql, table, rows);
  if (compared)
    await noteDifferences(sql, {
      before: { table: 'leaving_instance', where: sql`true` },
      after: comparedIn(sql, table, compared),
    });
  return async () => {
    await recordDay(sql, day, { count: total - gone + count, longest });
  };
};

/** The days before a date that have been opened or laid out, oldest first. */
export const openedDaysBefore = async (sql: Sql, date: LocalDate): Promise<readonly LocalDate[]> => {
  const rows = await sql<{ day: string }[]>`select day from expanded_day where day < ${formatDate(date)} order by day`;
  return rows.map(({ day }) => localDate(day));
};

/**
 * Takes a day away with all its instances and answers how many there were; `sql` must be a transaction that holds the schedule lock.
 * Readers are locked out until the commit.
 */
export const dropDay = async (sql: Sql, day: LocalDate): Promise<number> => {
  const table = partitionOf(day);
  await sql`lock table only flight_instance in access exclusive mode`;
  const [row] = await sql<{ count: bigint }[]>`select count(*) from ${sql(table)}`;
  await sql.unsafe(`drop table ${table}`);
  await sql`delete from expanded_day where day = ${formatDate(day)}`;
  return Number(row?.count ?? 0);
};

/** Brings the planner's statistics up to date, after the commit. */
export const analyzeInstances = async (sql: Sql): Promise<void> => {
  await sql`analyze flight_instance`;
};
