import type { EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import type { Equipment } from '#domain/master-data/master-data.ts';
import type { Sql } from '../pool/database.ts';
import { toJsonParameter } from './master-data-changes.ts';

/** An aircraft type to be written. Without `facts`, an existing type keeps its facts. */
export type EquipmentUpdate = Equipment & { readonly facts?: EquipmentFacts | undefined };

type Row = Omit<Equipment, 'cargoTonnes'> & { readonly cargoTonnes: number | null };

const read = (row: Row): Equipment => ({ ...row, cargoTonnes: row.cargoTonnes ?? undefined });

/** Returns all aircraft types by IATA code; those with only an ICAO code come first, by that code. */
export const listEquipment = async (sql: Sql): Promise<readonly Equipment[]> => {
  const rows = await sql<Row[]>`
    select iata, icao, name, cargo_tonnes as "cargoTonnes" from equipment order by iata, icao`;
  return rows.map(read);
};

const unpackUpdates = (sql: Sql, types: readonly EquipmentUpdate[]) => sql`
  jsonb_to_recordset(${toJsonParameter(sql, types)}) as given(
    iata text, icao text, name text, "cargoTonnes" double precision, facts jsonb)`;

/** Returns the update of an existing row. PostgreSQL leaves xmax at 0 in a row that a statement inserts. */
const orUpdate = (sql: Sql) => sql`
  do update set icao = excluded.icao, name = excluded.name, cargo_tonnes = excluded.cargo_tonnes,
    facts = case when excluded.facts = '{}' then known.facts else excluded.facts end, changed_at = now()
  where (known.icao, known.name, known.cargo_tonnes) is distinct from (excluded.icao, excluded.name, excluded.cargo_tonnes)
    or (excluded.facts <> '{}' and known.facts <> excluded.facts)
  returning xmax = 0 as added`;

/**
 * Upserts aircraft types by IATA code, or by ICAO code when they have no IATA code; other types stay. A type with only an ICAO code is deleted
 * when one with an IATA code has the same ICAO code. Returns the numbers of inserted and changed rows.
 * `sql` must be a transaction when there are types of both kinds.
 */
export const upsertEquipment = async (
  sql: Sql,
  types: readonly EquipmentUpdate[],
): Promise<{ readonly added: number; readonly changed: number }> => {
  const withIata = await sql<{ readonly added: boolean }[]>`
    insert into equipment as known (iata, icao, name, cargo_tonnes, facts)
    select iata, icao, name, "cargoTonnes", coalesce(facts, '{}')
    from ${unpackUpdates(
      sql,
      types.filter(({ iata }) => iata !== ''),
    )}
    on conflict (iata) where iata <> '' ${orUpdate(sql)}`;
  await sql`
    delete from equipment alone using equipment other
    where alone.iata = '' and other.iata <> '' and other.icao = alone.icao`;
  const icaoOnly = await sql<{ readonly added: boolean }[]>`
    insert into equipment as known (iata, icao, name, cargo_tonnes, facts)
    select '', icao, name, "cargoTonnes", coalesce(facts, '{}')
    from ${unpackUpdates(
      sql,
      types.filter(({ iata }) => iata === ''),
    )}
    where not exists (select from equipment other where other.iata <> '' and other.icao = given.icao)
    on conflict (icao) where iata = '' ${orUpdate(sql)}`;
  const written = [...withIata, ...icaoOnly];
  const added = written.filter((row) => row.added).length;
  return { added, changed: written.length - added };
};
