import type { Sql } from '../pool/database.ts';
import { toJsonParameter } from './master-data-changes.ts';

/** Names of countries by ISO 3166-1 alpha-2 code. */
export type CountryNames = ReadonlyMap<string, string>;

/** Reads the names of all countries. */
export const readCountryNames = async (sql: Sql): Promise<CountryNames> => {
  const rows = await sql<{ code: string; name: string }[]>`select code, name from country order by code`;
  return new Map(rows.map(({ code, name }) => [code, name]));
};

/** Upserts names of countries; other countries stay. */
export const upsertCountries = async (sql: Sql, names: CountryNames): Promise<void> => {
  await sql`
    insert into country (code, name)
    select code, name
    from jsonb_to_recordset(${toJsonParameter(
      sql,
      [...names].map(([code, name]) => ({ code, name })),
    )}) as given(code text, name text)
    on conflict (code) do update set name = excluded.name where country.name <> excluded.name`;
};
