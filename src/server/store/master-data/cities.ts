import type { City } from '#domain/master-data/master-data-facts.ts';
import type { Sql } from '../pool/database.ts';
import { toJsonParameter } from './master-data-changes.ts';

type Row = Omit<City, 'latitude' | 'longitude' | 'zone'> & {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly zone: string | null;
};

/** Returns all cities by code. */
export const listCities = async (sql: Sql): Promise<readonly City[]> => {
  const rows = await sql<Row[]>`
    select code, name, country_code as "countryCode", latitude, longitude, zone, facts -> 'provenance' as provenance
    from city order by code`;
  return rows.map((row) => ({
    ...row,
    latitude: row.latitude ?? undefined,
    longitude: row.longitude ?? undefined,
    zone: row.zone ?? undefined,
  }));
};

/**
 * Upserts cities by code; other cities stay. Returns the numbers of inserted and changed rows. `sql` must be a transaction that holds the lock of master data.
 */
export const upsertCities = async (
  sql: Sql,
  cities: readonly City[],
): Promise<{ readonly added: number; readonly changed: number }> => {
  // PostgreSQL leaves xmax at 0 in a row that a statement inserts.
  const written = await sql<{ added: boolean }[]>`
    insert into city (code, name, country_code, latitude, longitude, zone, facts)
    select code, name, "countryCode", latitude, longitude, zone, jsonb_build_object('provenance', provenance)
    from jsonb_to_recordset(${toJsonParameter(sql, cities)}) as given(
      code text, name text, "countryCode" text, latitude double precision, longitude double precision, zone text,
      provenance jsonb)
    on conflict (code) do update set
      name = excluded.name, country_code = excluded.country_code, latitude = excluded.latitude,
      longitude = excluded.longitude, zone = excluded.zone, facts = excluded.facts, changed_at = now()
    where (city.name, city.country_code, city.latitude, city.longitude, city.zone, city.facts)
      is distinct from
        (excluded.name, excluded.country_code, excluded.latitude, excluded.longitude, excluded.zone, excluded.facts)
    returning xmax = 0 as added`;
  const added = written.filter((row) => row.added).length;
  return { added, changed: written.length - added };
};
