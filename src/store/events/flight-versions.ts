import { formatDate, type LocalDate } from '../../domain/time/dates.ts';
import type { Database, Sql } from '../pool/database.ts';
import { deleteSlices, type Slices } from '../tasks/delete-slices.ts';

/** A flight that a schedule held once and holds no more. */
export type DeletedFlight = {
  /** How it was last, as JSON of the domain's ToldSchedule; undefined where that was not known. */
  readonly told: string | undefined;
};

/** Where a flight stands in the count of its events. */
export type FlightVersion = {
  /** Of its last event, 0 before its first. */
  readonly version: number;
  /** Undefined unless its last schedule event told that it is gone. */
  readonly deleted: DeletedFlight | undefined;
};

type Row = {
  readonly key: string;
  readonly version: number;
  readonly deleted: boolean;
  readonly told: string | null;
};

/** How many flights are locked by one statement. */
const LOCKED_AT_ONCE = 10_000;

const lockPiece = async (sql: Sql, keys: readonly string[]): Promise<readonly Row[]> => {
  // Nothing is updated: rows that are there are only locked. In one statement with those that are not, so that each is locked in its
  // turn, and a flight that is forgotten meanwhile is there again.
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
 * Makes a transaction the only one that makes events of these flights until it ends, and answers where each stands, by its schedule
 * instance key in lower-case hexadecimal digits and in the order of these. Whoever wants one of them waits, so it is asked for all flights of a transaction in
 * one call, after every other lock and before their events are made: flights are locked in the order of their keys, and two calls
 * could close a ring with those of another transaction.
 */
export const lockVersions = async (sql: Sql, keys: Iterable<string>): Promise<ReadonlyMap<string, FlightVersion>> => {
  const ordered = [...new Set(keys)].toSorted();
  const found = new Map<string, FlightVersion>();
  for (let from = 0; from < ordered.length; from += LOCKED_AT_ONCE)
    for (const { key, version, deleted, told } of await lockPiece(sql, ordered.slice(from, from + LOCKED_AT_ONCE)))
      found.set(key, { version, deleted: deleted ? { told: told ?? undefined } : undefined });
  return found;
};

/** A flight that has one event more. */
export type NextVersion = Pick<VersionStep, 'key' | 'day'>;

/**
 * Counts one event more for each entry, several for a flight that is there several times, and answers by the flight's key where it stood
 * before. It locks flights as `lockVersions` does, and is called in the same place; where a flight can be counted before its event is made
 * it costs a third of locking and counting it apart. Whether the flight is deleted is left as it is.
 */
export const countNext = async (sql: Sql, flights: readonly NextVersion[]): Promise<ReadonlyMap<string, number>> => {
  const ordered = [...Map.groupBy(flights, ({ key }) => key)]
    .map(([key, entries]) => ({
      key,
      events: entries.length,
      day: Math.max(...entries.map(({ day }) => day)) as LocalDate,
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const found = new Map<string, number>();
  for (let from = 0; from < ordered.length; from += LOCKED_AT_ONCE) {
    const piece = ordered.slice(from, from + LOCKED_AT_ONCE);
    const events = new Map(piece.map((one) => [one.key, one.events]));
    const rows = await sql<{ key: string; version: number }[]>`
      insert into flight_version as v (key, version, day)
      select decode(key, 'hex'), events, day
      from unnest(
        string_to_array(${piece.map(({ key }) => key).join()}, ','), ${piece.map((one) => one.events)}::int[],
        ${piece.map(({ day }) => formatDate(day))}::date[]
      ) as given(key, events, day)
      order by 1
      on conflict (key) do update set version = v.version + excluded.version, day = excluded.day
      returning encode(key, 'hex') as key, version`;
    for (const { key, version } of rows) found.set(key, version - (events.get(key) ?? 0));
  }
  return found;
};

/** What events of a flight do to its row; `deleted` is left as it is where no schedule event is among them. */
export type VersionStep = {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly deleted: DeletedFlight | 'in-schedule' | 'as-it-is';
  /** The later of the day on which the flight departs and that of its last event. */
  readonly day: LocalDate;
};

/**
 * Counts events of flights: each must stand at `from`. Throws when one does not, since then its events were made without
 * `lockVersions`, and two transactions would give the same number twice.
 */
export const countVersions = async (sql: Sql, steps: readonly VersionStep[]): Promise<void> => {
  const ordered = steps.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const toldOf = ({ deleted }: VersionStep): string | undefined =>
    typeof deleted === 'object' ? deleted.told : undefined;
  const counted = await sql<{ key: string }[]>`
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
      ${ordered.map((step) => toldOf(step) ?? null)}::text[],
      ${ordered.map(({ day }) => formatDate(day))}::date[]
    ) as given(key, first, last, deleted, told, day)
    where v.key = decode(given.key, 'hex') and v.version = given.first
    returning given.key`;
  if (counted.length === ordered.length) return;
  const known = new Set(counted.map(({ key }) => key));
  const stray = ordered.find(({ key }) => !known.has(key));
  throw new Error(
    `the flight ${stray?.key} does not stand at version ${stray?.from}: lock the versions of flights before events are made`,
  );
};

/**
 * Forgets the count of flights whose day is before a date, and of those that never had an event, and answers how many. A flight that
 * somebody has locked is left to the next time. Should one of them have an event after all, it is counted from 1 again.
 */
export const pruneVersions = (db: Database, before: LocalDate, slices: Slices = {}): Promise<number> =>
  deleteSlices(async (slice) => {
    const gone = await db`
      delete from flight_version where key = any(array(
        select key from flight_version where day < ${formatDate(before)} order by day limit ${slice} for update skip locked
      ))`;
    return gone.count;
  }, slices);
