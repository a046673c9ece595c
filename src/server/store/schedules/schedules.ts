import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import { computeItinerarySpan } from '#domain/schedule/instances.ts';
import type { DateSpan } from '#domain/time/period.ts';
import type { Designator, Itinerary } from '#domain/schedule/schedule.ts';
import { copyRows, copyText } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';
import { toFlightTable } from './flight-table.ts';

/** An itinerary to be inserted; the caller numbers it from `getNextIds`. */
export type ItineraryRecord = {
  readonly id: number;
  readonly carrierId: number;
  readonly itinerary: Itinerary;
  /** The amendment by a schedule message that caused it; undefined for an itinerary of a schedule file. */
  readonly amendmentId?: number | undefined;
};

/** The data that all instances of a segment share: `detailsJson` has JSON members without braces. */
export type SegmentRecord = {
  readonly id: number;
  readonly itineraryId: number;
  readonly detailsJson: string;
  readonly seatsJson: string | undefined;
};

/** An itinerary in force, with the ids of its segments in their order. */
export type CurrentItinerary = {
  readonly itinerary: Itinerary;
  readonly segmentIds: readonly number[];
};

/** Locks the schedules until the transaction `sql` ends: loads and expansions run one after the other. */
export const lockSchedules = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('flightdata schedules'))`;
};

/** Keeps loads, expansions and deletions of days waiting until the transaction `sql` ends; such transactions run side by side. */
export const lockSchedulesShared = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtext('flightdata schedules'))`;
};

/** Inserts the record of a load and returns its id. */
export const insertLoad = async (
  sql: Sql,
  {
    kind,
    source,
    sha256,
    carriers,
  }: {
    readonly kind: 'ssim' | 'demo' | 'schedule-messages' | 'status' | 'bts' | 'mvt' | 'aidx' | 'mct' | 'master-data';
    readonly source: string;
    readonly sha256: string;
    readonly carriers: readonly string[];
  },
): Promise<number> => {
  const [row] = await sql<{ id: number }[]>`
    insert into load (kind, source, sha256, carriers, report)
    values (${kind}, ${source}, ${sha256}, ${[...carriers]}, '{}') returning id`;
  if (!row) throw new Error('the load was not recorded');
  return row.id;
};

/** Returns when a load started, by the clock of the database. */
export const getLoadTime = async (sql: Sql, loadId: number): Promise<Date> => {
  const [row] = await sql<{ loadedAt: Date }[]>`select loaded_at as "loadedAt" from load where id = ${loadId}`;
  if (!row) throw new Error(`load ${loadId} does not exist`);
  return row.loadedAt;
};

/** Stores the report of a load, as the operator saw it. */
export const updateLoadReport = async (sql: Sql, loadId: number, report: object): Promise<void> => {
  await sql`update load set report = ${JSON.stringify(report)}::text::jsonb where id = ${loadId}`;
};

/**
 * Returns the id of the newest load that affects flights; 0 when there is none. The same id twice means that no such load ended in between:
 * they run one after the other, so that a newer one has a greater id. Loads of minimum connecting times and master data do not count.
 */
export const getNewestLoadId = async (sql: Sql): Promise<number> => {
  const [row] = await sql<
    { id: number }[]
  >`select coalesce(max(id), 0) as id from load where kind not in ('mct', 'master-data')`;
  return row?.id ?? 0;
};

/** Finds the latest load of a kind. */
export const findLatestLoad = async (
  sql: Sql,
  kind: 'ssim' | 'demo',
): Promise<{ readonly id: number; readonly lastDate: LocalDate | undefined } | undefined> => {
  const [row] = await sql<{ id: number; lastDate: string | null }[]>`
    select load.id, max(itinerary.to_date) as "lastDate"
    from load left join itinerary on itinerary.load_id = load.id and itinerary.retired_by is null
    where load.kind = ${kind} group by load.id order by load.id desc limit 1`;
  return row && { id: row.id, lastDate: row.lastDate === null ? undefined : localDate(row.lastDate) };
};

/** Lists the distinct kinds of all loads. */
export const listLoadKinds = async (sql: Sql): Promise<readonly string[]> =>
  (await sql<{ kind: string }[]>`select distinct kind from load`).map(({ kind }) => kind);

/** Returns whether the store contains no loads, master data and keys yet. */
export const isEmptyStore = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ filled: boolean }[]>`
    select exists (select from load) or exists (select from location) or exists (select from carrier)
      or exists (select from subscription_key) as filled`;
  return !(row?.filled ?? true);
};

/** Finds the first and last local date on which a flight in force can depart. */
export const findScheduledPeriod = async (
  sql: Sql,
): Promise<{ readonly from: LocalDate; readonly to: LocalDate } | undefined> => {
  const [row] = await sql<{ from: string | null; to: string | null }[]>`
    select min(from_date) as "from", max(to_date) as "to" from itinerary where retired_by is null`;
  return row?.from && row.to ? { from: localDate(row.from), to: localDate(row.to) } : undefined;
};

/** Returns the next free ids of itineraries and segments; hold `lockSchedules`. */
export const getNextIds = async (sql: Sql): Promise<{ readonly itinerary: number; readonly segment: number }> => {
  const [row] = await sql<{ itinerary: number; segment: number }[]>`
    select (select coalesce(max(id), 0) + 1 from itinerary) as itinerary, (select coalesce(max(id), 0) + 1 from segment) as segment`;
  return row ?? { itinerary: 1, segment: 1 };
};

/** An itinerary in force of a flight, as stored. */
export type StoredItinerary = CurrentItinerary & {
  readonly id: number;
  readonly doc: string;
  readonly amendmentId: number | undefined;
};

/** Returns the itineraries in force of flights, by flight and variation. */
export const listItinerariesOfFlights = async (
  sql: Sql,
  flights: readonly Designator[],
): Promise<readonly StoredItinerary[]> => {
  const rows = await sql<(CurrentRow & { id: number; amendmentId: bigint | null })[]>`
    select itinerary.id, itinerary.amendment_id as "amendmentId", ${currentColumns(sql)}
    from itinerary join ${toFlightTable(sql, flights)} using (designator, flight_number, suffix)
    where retired_by is null order by designator, flight_number, suffix, variation, itinerary.id`;
  return rows.map(({ id, amendmentId, ...row }) => ({
    ...readCurrent(row),
    id,
    doc: row.doc,
    amendmentId: amendmentId === null ? undefined : Number(amendmentId),
  }));
};

/** Retires itineraries by their ids. */
export const retireItinerariesById = async (sql: Sql, ids: readonly number[], loadId: number): Promise<void> => {
  await sql`update itinerary set retired_by = ${loadId} where id = any(${[...ids]}::int[])`;
};

/** Retires the itineraries in force of some designators, as filed, and returns their number. */
export const retireItineraries = async (sql: Sql, designators: readonly string[], loadId: number): Promise<number> => {
  const result = await sql`
    update itinerary set retired_by = ${loadId} where retired_by is null and designator = any(${[...designators]})`;
  return result.count;
};

/** Returns every pair of a filed designator and its carrier, also of retired itineraries. */
export const listFiledCarriers = async (
  sql: Sql,
): Promise<readonly { readonly designator: string; readonly carrierId: number }[]> =>
  sql<
    { designator: string; carrierId: number }[]
  >`select distinct designator, carrier_id as "carrierId" from itinerary`;

/**
 * Deletes retired itineraries that no instance refers to: those of which no day before today is expanded, apart from days that the new schedule
 * of their designator covers (`covered`, by designator).
 */
export const pruneRetiredItineraries = async (
  sql: Sql,
  { covered, today }: { readonly covered: ReadonlyMap<string, DateSpan>; readonly today: LocalDate },
): Promise<void> => {
  const spans = [...covered.values()];
  const [from, to] = [spans.map((span) => formatDate(span.from)), spans.map((span) => formatDate(span.to))];
  await sql`
    delete from itinerary using unnest(${[...covered.keys()]}::text[], ${from}::date[], ${to}::date[]) as new(designator, since, until)
    where itinerary.designator = new.designator and retired_by is not null and not exists (
      select from expanded_day
      where day between itinerary.from_date and itinerary.to_date
        and day < ${formatDate(today)} and (day < new.since or day > new.until))`;
};

function* itineraryLines(records: Iterable<ItineraryRecord>, loadId: number): Generator<string> {
  for (const { id, carrierId, itinerary, amendmentId } of records) {
    const [leg] = itinerary.legs;
    const { from, to } = computeItinerarySpan(itinerary);
    yield `${id}\t${copyText(leg.carrier)}\t${carrierId}\t${leg.flightNumber}\t${copyText(leg.suffix)}\t${leg.itinerary}\t${formatDate(from)}\t${formatDate(to)}\t${copyText(JSON.stringify(itinerary))}\t${loadId}\t${amendmentId ?? '\\N'}`;
  }
}

/** Inserts itineraries and returns their number; `sql` must be a transaction. */
export const insertItineraries = (sql: Sql, records: Iterable<ItineraryRecord>, loadId: number): Promise<number> =>
  copyRows(
    sql,
    sql`copy itinerary (id, designator, carrier_id, flight_number, suffix, variation, from_date, to_date, doc, load_id, amendment_id) from stdin`,
    itineraryLines(records, loadId),
  );

function* segmentLines(records: Iterable<SegmentRecord>): Generator<string> {
  for (const { id, itineraryId, detailsJson, seatsJson } of records)
    yield `${id}\t${itineraryId}\t${copyText(detailsJson)}\t${seatsJson === undefined ? '\\N' : copyText(seatsJson)}`;
}

/** Inserts segments and returns their number; `sql` must be a transaction. */
export const insertSegments = (sql: Sql, records: Iterable<SegmentRecord>): Promise<number> =>
  copyRows(sql, sql`copy segment (id, itinerary_id, details, seats) from stdin`, segmentLines(records));

const CURSOR_ROWS = 2000;

type CurrentRow = { readonly doc: string; readonly segmentIds: readonly number[] };

const currentColumns = (sql: Sql) => sql`
  doc, array(select segment.id from segment where itinerary_id = itinerary.id order by segment.id) as "segmentIds"`;

const readCurrent = ({ doc, segmentIds }: CurrentRow): CurrentItinerary => ({
  itinerary: JSON.parse(doc),
  segmentIds,
});

/** Reads the itineraries in force that can operate between two dates, without those of some designators, by designator and flight. */
export async function* readCurrentItineraries(
  sql: Sql,
  { from, to, without }: { readonly from: LocalDate; readonly to: LocalDate; readonly without: readonly string[] },
): AsyncGenerator<CurrentItinerary> {
  const pages = sql<CurrentRow[]>`
    select ${currentColumns(sql)} from itinerary
    where retired_by is null and not (designator = any(${[...without]}))
      and from_date <= ${formatDate(to)} and to_date >= ${formatDate(from)}
    order by designator, flight_number, suffix, variation, id`.cursor(CURSOR_ROWS);
  for await (const rows of pages) for (const row of rows) yield readCurrent(row);
}

/** Counts the itineraries in force that can operate between two dates. */
export const countItineraries = async (sql: Sql, { from, to }: DateSpan): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from itinerary
    where retired_by is null and from_date <= ${formatDate(to)} and to_date >= ${formatDate(from)}`;
  return row?.count ?? 0;
};

/** Returns the designators that have a schedule in force. */
export const listDesignatorsInForce = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ designator: string }[]>`
    select distinct designator from itinerary where retired_by is null order by designator`;
  return rows.map(({ designator }) => designator);
};

/** Returns all itineraries in force of a designator, by flight. */
export const listItinerariesInForce = async (sql: Sql, designator: string): Promise<readonly CurrentItinerary[]> => {
  const rows = await sql<CurrentRow[]>`
    select ${currentColumns(sql)} from itinerary
    where retired_by is null and designator = ${designator} order by flight_number, suffix, variation, id`;
  return rows.map(readCurrent);
};
