import { formatDate, formatMinute, type LocalDate, type LocalMinute } from '#domain/time/dates.ts';
import { copyRows, copyText } from '../pool/driver/driver.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { Sql } from '../pool/database.ts';
import { toFlightTable } from './flight-table.ts';

/** The rows of a table with the columns of an instance that match a condition. */
export type InstanceTable = { readonly table: string; readonly where: ReturnType<Sql> };

/**
 * Creates the temporary tables for the differences of the flights filed under some designators. Their new segments must be stored, and the old
 * ones not yet deleted. Differences are collected in tables of this transaction, not in memory.
 */
export const createDifferenceTables = async (
  sql: Sql,
  compared: { readonly designators: readonly string[] } | { readonly flights: readonly Designator[] },
): Promise<void> => {
  const itineraries =
    'flights' in compared
      ? sql`${toFlightTable(sql, compared.flights)} join itinerary i using (designator, flight_number, suffix)`
      : sql`(select id from itinerary where designator = any(${[...compared.designators]})) i`;
  await sql`
    create temp table schedule_difference (
      n           bigint generated always as identity primary key,
      key         bytea not null,
      key_order   bigint not null,
      departs_at  timestamp not null,
      -- as it was, and as it is; null on the side that does not have it
      was_doc     text,
      was_segment integer,
      doc         text,
      segment_id  integer,
      is_marketing boolean not null
    ) on commit drop`;
  // One number instead of two long texts for each instance: tens of thousands of segments belong to millions of instances.
  await sql`
    create temp table segment_digest on commit drop as
    select s.id, hashtextextended(s.details || E'\\x1f' || coalesce(s.seats, ''), 0) as digest
    from ${itineraries} join segment s on s.itinerary_id = i.id`;
  await sql`alter table segment_digest add primary key (id)`;
  await sql`analyze segment_digest`;
};

const digestsIn = (sql: Sql, { table, where }: InstanceTable) => sql`
  select departs_at, key_order, key, segment_id, is_marketing, ctid as place, hashtextextended(doc, 0) as digest
  from ${sql(table)} where ${where} offset 0`;

/**
 * Inserts the differences of a day: instances that exist on one side only, or whose list row, details or seats differ. Retimed ones appear as
 * removed and added until `pairDifferences`. Texts are compared by 64-bit hashes, so that a day of many thousand flights fits in memory; one
 * in 10^19 differences is missed.
 */
export const insertDifferences = async (
  sql: Sql,
  { before, after }: { readonly before: InstanceTable; readonly after: InstanceTable },
): Promise<void> => {
  // The planner has no statistics of tables that were just written, assumes that they are small, and would choose nested loops.
  const [setting] = await sql<{ nestloop: string }[]>`
    select current_setting('enable_nestloop') as nestloop, set_config('enable_nestloop', 'off', true)`;
  await sql`
    insert into schedule_difference (key, key_order, departs_at, was_doc, was_segment, doc, segment_id, is_marketing)
    select coalesce(n.key, o.key), key_order, departs_at,
      (select doc from ${sql(before.table)} where ctid = o.place), o.segment_id,
      (select doc from ${sql(after.table)} where ctid = n.place), n.segment_id,
      coalesce(n.is_marketing, o.is_marketing)
    from (${digestsIn(sql, before)}) o full join (${digestsIn(sql, after)}) n using (departs_at, key_order)
    left join segment_digest od on od.id = o.segment_id left join segment_digest nd on nd.id = n.segment_id
    where o.digest is distinct from n.digest or od.digest is distinct from nd.digest`;
  await sql`select set_config('enable_nestloop', ${setting?.nestloop ?? 'on'}, true)`;
};

const hasRemovedInstances = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`
    select exists (select from schedule_difference where doc is null) as exists`;
  return row?.exists ?? false;
};

const pairWithDay = async (sql: Sql, day: LocalDate): Promise<void> => {
  await sql`
    update schedule_difference d
    set departs_at = i.departs_at, doc = i.doc, segment_id = i.segment_id, is_marketing = i.is_marketing
    from flight_instance i
    where d.doc is null and i.key_order = d.key_order and i.key = d.key and i.flight_type = 'S'
      and i.departs_at >= ${formatDate(day)}::date and i.departs_at < ${formatDate(day)}::date + 1`;
};

const pairWithUnexpanded = async (sql: Sql, rows: Iterable<UnexpandedInstance>): Promise<void> => {
  await sql`
    create temp table not_laid_out (key bytea, departs_at timestamp, segment_id integer, is_marketing boolean, doc text) on commit drop`;
  await copyRows(sql, sql`copy not_laid_out from stdin`, linesOf(rows));
  await sql`
    update schedule_difference d
    set departs_at = i.departs_at, doc = i.doc, segment_id = i.segment_id, is_marketing = i.is_marketing
    from not_laid_out i where d.doc is null and i.key = d.key`;
};

function* linesOf(rows: Iterable<UnexpandedInstance>): Generator<string> {
  for (const { key, departsAt, segmentId, isMarketing, doc } of rows)
    yield `\\\\x${key.toString('hex')}\t${formatMinute(departsAt)}\t${segmentId ?? '\\N'}\t${isMarketing ? 't' : 'f'}\t${copyText(doc)}`;
}

/** An instance of the new schedule on a day that is not compared. */
type UnexpandedInstance = {
  readonly key: Buffer;
  readonly departsAt: LocalMinute;
  readonly segmentId: number | undefined;
  readonly isMarketing: boolean;
  readonly doc: string;
};

/** The other days to which flights can have moved. */
export type OtherDays = {
  /** The days that were expanded for the first time, with the new schedule. */
  readonly added: readonly LocalDate[];
  /** Returns the instances of the new schedule on days that are not compared. */
  readonly unexpanded: () => Iterable<UnexpandedInstance>;
};

/**
 * Joins the two differences of a retimed instance: it departs at another time, possibly on another day, which may not be compared. Call it
 * after the last `insertDifferences`.
 */
export const pairDifferences = async (sql: Sql, { added, unexpanded }: OtherDays): Promise<void> => {
  await sql`analyze schedule_difference`;
  await sql`
    with went as (select distinct on (key) n, key from schedule_difference where doc is null order by key, departs_at),
    come as (select distinct on (key) n, key from schedule_difference where was_doc is null order by key, departs_at),
    pair as (select went.n as went, come.n as come from went join come using (key)),
    moved as (delete from schedule_difference d using pair where d.n = pair.come
      returning pair.went, d.departs_at, d.doc, d.segment_id, d.is_marketing)
    update schedule_difference d
    set departs_at = moved.departs_at, doc = moved.doc, segment_id = moved.segment_id, is_marketing = moved.is_marketing
    from moved where d.n = moved.went`;
  if (await hasRemovedInstances(sql)) {
    for (const day of added) await pairWithDay(sql, day);
    await pairWithUnexpanded(sql, unexpanded());
  }
  // A contradictory schedule can have two departures with the same key on different days: the first one is kept.
  await sql`
    delete from schedule_difference d using (
      select n, row_number() over (partition by key order by departs_at, n) as place from schedule_difference
    ) as placed where placed.n = d.n and placed.place > 1`;
  await sql`create unique index schedule_difference_key on schedule_difference (key)`;
};

/** An instance as it is stored: JSON texts. */
type StoredInstance = {
  readonly doc: string;
  readonly details: string | undefined;
  readonly seats: string | undefined;
};

/** The state of an instance before and after a load, and the version of its last event. */
export type ScheduleDifference = {
  /** Its schedule instance key, 64 lower-case hexadecimal digits. */
  readonly key: string;
  readonly before: StoredInstance | undefined;
  readonly after: StoredInstance | undefined;
  readonly isMarketing: boolean;
  /** The version of its last event, 0 before its first; not locked yet. */
  readonly version: number;
  /** Set when its last schedule event reported its deletion; `lastState` is the schedule reported before that, JSON. */
  readonly deleted: { readonly lastState: string | undefined } | undefined;
};

type Row = {
  readonly key: string;
  readonly wasDoc: string | null;
  readonly wasDetails: string | null;
  readonly wasSeats: string | null;
  readonly doc: string | null;
  readonly details: string | null;
  readonly seats: string | null;
  readonly isMarketing: boolean;
  readonly version: number | null;
  readonly deleted: boolean | null;
  readonly told: string | null;
};

const toStoredInstance = (
  doc: string | null,
  details: string | null,
  seats: string | null,
): StoredInstance | undefined =>
  doc === null ? undefined : { doc, details: details ?? undefined, seats: seats ?? undefined };

const toDifference = (row: Row): ScheduleDifference => ({
  key: row.key,
  before: toStoredInstance(row.wasDoc, row.wasDetails, row.wasSeats),
  after: toStoredInstance(row.doc, row.details, row.seats),
  isMarketing: row.isMarketing,
  version: row.version ?? 0,
  deleted: row.deleted === true ? { lastState: row.told ?? undefined } : undefined,
});

/** Returns up to `limit` paired differences after a key, by key and once for each instance; start with ''. */
export const listDifferences = async (
  sql: Sql,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly ScheduleDifference[]> => {
  const rows = await sql<Row[]>`
    select encode(d.key, 'hex') as key, d.was_doc as "wasDoc", o.details as "wasDetails", o.seats as "wasSeats",
      d.doc, n.details, n.seats, d.is_marketing as "isMarketing", v.version, v.deleted, v.told
    from (select * from schedule_difference where schedule_difference.key > decode(${after}, 'hex') order by key limit ${limit}) d
    left join segment o on o.id = d.was_segment left join segment n on n.id = d.segment_id
    left join flight_version v on v.key = d.key
    order by d.key`;
  return rows.map(toDifference);
};
