import type { Sql } from './database.ts';

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
  await sql`
    insert into flight_version (key) select decode(key, 'hex') from unnest(${[...keys]}::text[]) as key order by 1
    on conflict do nothing`;
  return sql<Row[]>`
    select encode(key, 'hex') as key, version, deleted, told from flight_version
    where key in (select decode(key, 'hex') from unnest(${[...keys]}::text[]) as key)
    order by flight_version.key for update`;
};

/**
 * Makes a transaction the only one that makes events of these flights until it ends, and answers where each stands, by its schedule
 * instance key in lower-case hexadecimal digits. Whoever wants one of them waits, so it is asked for all flights of a transaction in
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

/** What events of a flight do to its row; `deleted` is left as it is where no schedule event is among them. */
export type VersionStep = {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly deleted: DeletedFlight | 'in-schedule' | 'as-it-is';
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
      told = case given.deleted when 'as-it-is' then v.told else given.told end
    from unnest(
      ${ordered.map(({ key }) => key)}::text[],
      ${ordered.map(({ from }) => from)}::int[],
      ${ordered.map(({ to }) => to)}::int[],
      ${ordered.map(({ deleted }) => (typeof deleted === 'object' ? 'deleted' : deleted))}::text[],
      ${ordered.map((step) => toldOf(step) ?? null)}::text[]
    ) as given(key, first, last, deleted, told)
    where v.key = decode(given.key, 'hex') and v.version = given.first
    returning given.key`;
  if (counted.length === ordered.length) return;
  const known = new Set(counted.map(({ key }) => key));
  const stray = ordered.find(({ key }) => !known.has(key));
  throw new Error(
    `the flight ${stray?.key} does not stand at version ${stray?.from}: lock the versions of flights before events are made`,
  );
};
