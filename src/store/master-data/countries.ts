import type { Sql } from '../pool/database.ts';
import { notifyMasterData, toJsonParameter } from './master-data-changes.ts';

/** Names of countries by ISO 3166-1 alpha-2 code. */
export type CountryNames = ReadonlyMap<string, string>;

/** The name of every country known. */
export const readCountryNames = async (sql: Sql): Promise<CountryNames> => {
  const rows = await sql<{ code: string; name: string }[]>`select code, name from country order by code`;
  return new Map(rows.map(({ code, name }) => [code, name]));
};

/** Writes names of countries; those not given stay. Servers are told when any is new or differs. */
export const upsertCountries = async (sql: Sql, names: CountryNames): Promise<void> => {
  const written = await sql`
    insert into country (code, name)
    select code, name
    from jsonb_to_recordset(${toJsonParameter(
      sql,
      [...names].map(([code, name]) => ({ code, name })),
    )}) as given(code text, name text)
    on conflict (code) do update set name = excluded.name where country.name <> excluded.name`;
  if (written.count > 0) await notifyMasterData(sql);
};
