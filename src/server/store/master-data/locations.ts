import type { LocationFacts } from '#domain/master-data/master-data-facts.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import type { Sql } from '../pool/database.ts';
import { toJsonParameter, lockMasterData } from './master-data-changes.ts';

/**
 * A location to be written: without `id` it is inserted. `rank` orders the locations that share a code: the code resolves to rank 1. Without
 * `facts`, an existing location keeps its facts.
 */
export type LocationUpdate = Omit<Location, 'id'> & {
  readonly id?: number | undefined;
  readonly rank: number;
  readonly facts?: LocationFacts | undefined;
};

type Row = Omit<Location, 'latitude' | 'longitude' | 'zone'> & {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly zone: string | null;
};

const read = (row: Row): Location => ({
  ...row,
  latitude: row.latitude ?? undefined,
  longitude: row.longitude ?? undefined,
  zone: row.zone ?? undefined,
});

const columns = (sql: Sql) => sql`
  id, iata, icao, faa, name, city_code as "cityCode", country_code as "countryCode", latitude, longitude, zone`;

const unpackUpdates = (sql: Sql, records: readonly LocationUpdate[]) => sql`
  jsonb_to_recordset(${toJsonParameter(sql, records)}) as given(
    id integer, iata text, icao text, faa text, name text, "cityCode" text, "countryCode" text,
    latitude double precision, longitude double precision, zone text, rank integer, facts jsonb)`;

/** Returns all locations; of those that share a code, the one that the code resolves to comes first. */
export const listLocations = async (sql: Sql): Promise<readonly Location[]> => {
  const rows = await sql<Row[]>`select ${columns(sql)} from location order by rank, id`;
  return rows.map(read);
};

/** Returns the ids of stations in the list of airports of the last load. */
export const listStationIds = async (sql: Sql): Promise<readonly number[]> => {
  const rows = await sql<{ readonly id: number }[]>`
    select id from location where rank = 1 and iata <> '' and facts <> '{}' order by id`;
  return rows.map(({ id }) => id);
};

/**
 * Updates the locations with an `id` and inserts the others in their order. Other locations stay, because flights may refer to them. Returns the
 * numbers of inserted and changed rows.
 */
export const upsertLocations = async (
  sql: Sql,
  records: readonly LocationUpdate[],
): Promise<{ readonly added: number; readonly changed: number }> => {
  const known = records.filter((record) => record.id !== undefined);
  const added = records.filter((record) => record.id === undefined);
  const updated = await sql`
    update location set
      iata = given.iata, icao = given.icao, faa = given.faa, name = given.name, city_code = given."cityCode",
      country_code = given."countryCode", latitude = given.latitude, longitude = given.longitude, zone = given.zone,
      rank = given.rank, facts = coalesce(given.facts, location.facts), changed_at = now()
    from ${unpackUpdates(sql, known)}
    where location.id = given.id
      and (location.iata, location.icao, location.faa, location.name, location.city_code, location.country_code,
           location.latitude, location.longitude, location.zone, location.rank, location.facts)
        is distinct from
          (given.iata, given.icao, given.faa, given.name, given."cityCode", given."countryCode",
           given.latitude, given.longitude, given.zone, given.rank, coalesce(given.facts, location.facts))`;
  const inserted = await sql`
    insert into location (iata, icao, faa, name, city_code, country_code, latitude, longitude, zone, rank, facts)
    select iata, icao, faa, name, "cityCode", "countryCode", latitude, longitude, zone, rank, coalesce(facts, '{}')
    from ${unpackUpdates(sql, added)}`;
  return { added: inserted.count, changed: updated.count };
};

/**
 * Returns the location of an IATA code; inserts one with only the code when there is none, because a schedule can contain stations that the
 * master data lack. `sql` must be a transaction.
 */
export const getOrInsertLocation = async (sql: Sql, { iata }: { readonly iata: string }): Promise<Location> => {
  await lockMasterData(sql);
  const [known] = await sql<Row[]>`select ${columns(sql)} from location where iata = ${iata} order by rank, id limit 1`;
  if (known) return read(known);
  const [added] = await sql<Row[]>`insert into location (iata) values (${iata}) returning ${columns(sql)}`;
  if (!added) throw new Error(`location '${iata}' was not added`);
  return read(added);
};
