import { formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { Database, Sql } from '../pool/database.ts';
import { deleteBatches, type DeleteBatchesOptions } from '../tasks/delete-batches.ts';

/** A flight that is no longer in the schedule. */
export type DeletedFlight = {
  /** Its last reported schedule, JSON; undefined where that is not known. */
  readonly lastState: string | undefined;
};

/** The number of the last event of a flight. */
export type FlightVersion = {
  /** 0 before the first event. */
  readonly version: number;
  /** Set when the last schedule event reported the deletion of the flight. */
  readonly deleted: DeletedFlight | undefined;
};

type Row = {
  readonly key: string;
  readonly version: number;
  readonly deleted: boolean;
  readonly told: string | null;
};

/** Flights locked by one statement. */
const LOCK_BATCH = 10_000;

const lockBatch = async (sql: Sql, keys: readonly string[]): Promise<readonly Row[]> => {
  // Existing rows are locked and not updated (`where false`). One statement for existing and missing rows locks all in the order of keys, and
  // inserts a row again that is pruned meanwhile.
  await sql`
    insert into flight_version as v (key) select decode(key, 'hex') from unnest(${[...keys]}::text[]) as key order by 1
    on conflict (key) do update set version = v.version where false`;
  const rows = await sql<Row[]>`
    select encode(key, 'hex') as key, version, deleted, told from flight_version
    where key in (select decode(key, 'hex') from unnest(${[...keys]}::text[]) as key) order by flight_version.key`;
  if (rows.length !== keys.length) throw new Error(`of ${keys.length} flights ${rows.length} could be locked`);
  return rows;
};

/**
 * Locks the versions of flights until the transaction ends, so that no other one creates events of them, and returns them by schedule instance
 * key (lower-case hexadecimal) in the order of keys. Call it once for all flights of a transaction, after every other lock and before their
 * events are created: flights are locked in the order of their keys, and two calls could deadlock with another transaction.
 */
export const lockVersions = async (sql: Sql, keys: Iterable<string>): Promise<ReadonlyMap<string, FlightVersion>> => {
  const ordered = [...new Set(keys)].toSorted();
  const versions = new Map<string, FlightVersion>();
  for (let from = 0; from < ordered.length; from += LOCK_BATCH)
    for (const { key, version, deleted, told } of await lockBatch(sql, ordered.slice(from, from + LOCK_BATCH)))
      versions.set(key, { version, deleted: deleted ? { lastState: told ?? undefined } : undefined });
  return versions;
};

/** A flight that gets another event. */
export type NextVersion = Pick<VersionUpdate, 'key' | 'day'>;

/**
 * Increments the version of a flight for each of its entries and returns the versions before, by key. It locks flights like `lockVersions` and
 * is called in the same place. Where a flight can be counted before its event is created, this costs a third of locking and updating apart.
 * It does not change whether the flight is deleted.
 */
export const incrementVersions = async (
  sql: Sql,
  flights: readonly NextVersion[],
): Promise<ReadonlyMap<string, number>> => {
  const ordered = [...Map.groupBy(flights, ({ key }) => key)]
    .map(([key, entries]) => ({
      key,
      events: entries.length,
      day: Math.max(...entries.map(({ day }) => day)) as LocalDate,
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const versions = new Map<string, number>();
  for (let from = 0; from < ordered.length; from += LOCK_BATCH) {
    const batch = ordered.slice(from, from + LOCK_BATCH);
    const events = new Map(batch.map((flight) => [flight.key, flight.events]));
    const rows = await sql<{ key: string; version: number }[]>`
      insert into flight_version as v (key, version, day)
      select decode(key, 'hex'), events, day
      from unnest(
        string_to_array(${batch.map(({ key }) => key).join()}, ','), ${batch.map((flight) => flight.events)}::int[],
        ${batch.map(({ day }) => formatDate(day))}::date[]
      ) as given(key, events, day)
      order by 1
      on conflict (key) do update set version = v.version + excluded.version, day = excluded.day
      returning encode(key, 'hex') as key, version`;
    for (const { key, version } of rows) versions.set(key, version - (events.get(key) ?? 0));
  }
  return versions;
};

/** The effect of the events of a flight on its row; `as-it-is` when no schedule event is among them. */
export type VersionUpdate = {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly deleted: DeletedFlight | 'in-schedule' | 'as-it-is';
  /** The day of departure or that of the last event, whichever is later. */
  readonly day: LocalDate;
};

/**
 * Updates the versions of flights, each of which must be at `from`. Throws when one is not: its events were then created without
 * `lockVersions`, and two transactions would assign the same number.
 */
export const updateVersions = async (sql: Sql, steps: readonly VersionUpdate[]): Promise<void> => {
  const ordered = steps.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const lastStateOf = ({ deleted }: VersionUpdate): string | undefined =>
    typeof deleted === 'object' ? deleted.lastState : undefined;
  const updated = await sql<{ key: string }[]>`
    update flight_version v
    set version = given.last,
      deleted = case given.deleted when 'as-it-is' then v.deleted else given.deleted = 'deleted' end,
      told = case given.deleted when 'as-it-is' then v.told else given.told end,
      day = given.day
    from unnest(
      ${ordered.map(({ key }) => key)}::text[],
      ${ordered.map(({ from }) => from)}::int[],
      ${ordered.map(({ to }) => to)}::int[],
      ${ordered.map(({ deleted }) => (typeof deleted === 'object' ? 'deleted' : deleted))}::text[],
      ${ordered.map((update) => lastStateOf(update) ?? null)}::text[],
      ${ordered.map(({ day }) => formatDate(day))}::date[]
    ) as given(key, first, last, deleted, told, day)
    where v.key = decode(given.key, 'hex') and v.version = given.first
    returning given.key`;
  if (updated.length === ordered.length) return;
  const updatedKeys = new Set(updated.map(({ key }) => key));
  const outdated = ordered.find(({ key }) => !updatedKeys.has(key));
  throw new Error(
    `the flight ${outdated?.key} is not at version ${outdated?.from}: lock the versions of flights before creating events`,
  );
};

/**
 * Deletes the versions of flights whose day is before a date, and of those that never had an event, and returns their number. Locked flights
 * are skipped until the next call. A later event of a deleted flight is numbered from 1 again.
 */
export const pruneVersions = (db: Database, before: LocalDate, options: DeleteBatchesOptions = {}): Promise<number> =>
  deleteBatches(async (batchSize) => {
    const deleted = await db`
      delete from flight_version where key = any(array(
        select key from flight_version where day < ${formatDate(before)} order by day limit ${batchSize} for update skip locked
      ))`;
    return deleted.count;
  }, options);
