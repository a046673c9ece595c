import { formatDate, formatMinute, type LocalDate, type LocalMinute } from '../../domain/time/dates.ts';
import { copyRows, copyText } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';

/** Some rows of a table that has the columns of an instance. */
export type InstanceTable = { readonly table: string; readonly where: ReturnType<Sql> };

/**
 * Prepares a transaction for `insertDifferences` of the flights that are filed under some designators, whose new segments are stored and
 * whose old ones are still there. What is noted lives in tables of this transaction, not in memory.
 */
export const createDifferenceTables = async (sql: Sql, designators: readonly string[]): Promise<void> => {
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
  // One number instead of two long texts for each instance: tens of thousands of segments have millions of instances.
  await sql`
    create temp table segment_digest on commit drop as
    select s.id, hashtextextended(s.details || E'\\x1f' || coalesce(s.seats, ''), 0) as digest
    from itinerary i join segment s on s.itinerary_id = i.id where i.designator = any(${[...designators]})`;
  await sql`alter table segment_digest add primary key (id)`;
  await sql`analyze segment_digest`;
};

const digestsIn = (sql: Sql, { table, where }: InstanceTable) => sql`
  select departs_at, key_order, key, segment_id, is_marketing, ctid as place, hashtextextended(doc, 0) as digest
  from ${sql(table)} where ${where} offset 0`;

/**
 * Notes the instances of a day that are on one side only, or of which the list row, the details or the seats are another text; those
 * that were retimed count as gone and come until `pairDifferences`. Only these leave the database. Texts are compared by a number of 64
 * bits, so that a day of many thousand flights is compared in memory; of 10^19 that differ one is taken for the same.
 */
export const insertDifferences = async (
  sql: Sql,
  { before, after }: { readonly before: InstanceTable; readonly after: InstanceTable },
): Promise<void> => {
  // Nothing is known of tables that were just written, and the planner takes them for small.
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

const isAnyGone = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from schedule_difference where doc is null) as found`;
  return row?.found ?? false;
};

const findOnDay = async (sql: Sql, day: LocalDate): Promise<void> => {
  await sql`
    update schedule_difference d
    set departs_at = i.departs_at, doc = i.doc, segment_id = i.segment_id, is_marketing = i.is_marketing
    from flight_instance i
    where d.doc is null and i.key_order = d.key_order and i.key = d.key and i.flight_type = 'S'
      and i.departs_at >= ${formatDate(day)}::date and i.departs_at < ${formatDate(day)}::date + 1`;
};

const findAmong = async (sql: Sql, rows: Iterable<UnexpandedInstance>): Promise<void> => {
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

/** An instance of the new schedule on a day on which it is not laid out. */
type UnexpandedInstance = {
  readonly key: Buffer;
  readonly departsAt: LocalMinute;
  readonly segmentId: number | undefined;
  readonly isMarketing: boolean;
  readonly doc: string;
};

/** Where flights can be that have left the days on which they were. */
export type OtherDays = {
  /** The days that were laid out with the new schedule for the first time. */
  readonly added: readonly LocalDate[];
  /** The instances of the new schedule on days beside those that are compared. */
  readonly unexpanded: () => Iterable<UnexpandedInstance>;
};

/**
 * Puts together what was noted of one instance in two places: it departs at another time, maybe on another day, and that can be one that
 * is not compared. Call it when everything is noted.
 */
export const pairDifferences = async (sql: Sql, { added, unexpanded: beside }: OtherDays): Promise<void> => {
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
  if (await isAnyGone(sql)) {
    for (const day of added) await findOnDay(sql, day);
    await findAmong(sql, beside());
  }
  // A schedule that contradicts itself can give two departures on different days one key: one of them speaks for both.
  await sql`
    delete from schedule_difference d using (
      select n, row_number() over (partition by key order by departs_at, n) as place from schedule_difference
    ) as placed where placed.n = d.n and placed.place > 1`;
  await sql`create unique index schedule_difference_key on schedule_difference (key)`;
};

/** An instance as it is kept, JSON texts. */
type StoredInstance = {
  readonly doc: string;
  readonly details: string | undefined;
  readonly seats: string | undefined;
};

/** What became of an instance, and where it stands in the count of its events. */
export type ScheduleDifference = {
  /** Its schedule instance key, 64 lower-case hexadecimal digits. */
  readonly key: string;
  readonly before: StoredInstance | undefined;
  readonly after: StoredInstance | undefined;
  readonly isMarketing: boolean;
  /** Of its last event, 0 before its first; nobody is kept from making another until it is locked. */
  readonly version: number;
  /** Undefined unless its last schedule event told that it is gone; `told` is how it was then, JSON. */
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

const keptOf = (doc: string | null, details: string | null, seats: string | null): StoredInstance | undefined =>
  doc === null ? undefined : { doc, details: details ?? undefined, seats: seats ?? undefined };

const differenceOf = (row: Row): ScheduleDifference => ({
  key: row.key,
  before: keptOf(row.wasDoc, row.wasDetails, row.wasSeats),
  after: keptOf(row.doc, row.details, row.seats),
  isMarketing: row.isMarketing,
  version: row.version ?? 0,
  deleted: row.deleted === true ? { lastState: row.told ?? undefined } : undefined,
});

/** What was noted and paired, in the order of keys, each instance once; `limit` of them after a key, from '' on. */
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
  return rows.map(differenceOf);
};
