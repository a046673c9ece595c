import type { EquipmentFacts } from '../../domain/master-data/master-data-facts.ts';
import type { Equipment } from '../../domain/master-data/master-data.ts';
import type { Sql } from '../pool/database.ts';
import { notifyMasterData, toJsonParameter } from './master-data-changes.ts';

/** An aircraft type to be written. Without `facts` those that a known type has stay. */
export type EquipmentUpdate = Equipment & { readonly facts?: EquipmentFacts | undefined };

type Row = Omit<Equipment, 'cargoTonnes'> & { readonly cargoTonnes: number | null };

const read = (row: Row): Equipment => ({ ...row, cargoTonnes: row.cargoTonnes ?? undefined });

/** Every aircraft type, by IATA code; those that have an ICAO code only come first, by that. */
export const listEquipment = async (sql: Sql): Promise<readonly Equipment[]> => {
  const rows = await sql<Row[]>`
    select iata, icao, name, cargo_tonnes as "cargoTonnes" from equipment order by iata, icao`;
  return rows.map(read);
};

const given = (sql: Sql, types: readonly EquipmentUpdate[]) => sql`
  jsonb_to_recordset(${toJsonParameter(sql, types)}) as given(
    iata text, icao text, name text, "cargoTonnes" double precision, facts jsonb)`;

/** What becomes of a row that is already there. PostgreSQL leaves xmax at 0 on a row that a statement inserts. */
const orUpdate = (sql: Sql) => sql`
  do update set icao = excluded.icao, name = excluded.name, cargo_tonnes = excluded.cargo_tonnes,
    facts = case when excluded.facts = '{}' then known.facts else excluded.facts end, changed_at = now()
  where (known.icao, known.name, known.cargo_tonnes) is distinct from (excluded.icao, excluded.name, excluded.cargo_tonnes)
    or (excluded.facts <> '{}' and known.facts <> excluded.facts)
  returning xmax = 0 as added`;

/**
 * Writes aircraft types by their IATA code, those without one by their ICAO code; types not given stay. A type by its ICAO code
 * alone gives way as soon as one with an IATA code has that ICAO code for its own. Returns how many rows were added or
 * differed; servers are told when any did. `sql` must be a transaction when types of both kinds are given.
 */
export const upsertEquipment = async (
  sql: Sql,
  types: readonly EquipmentUpdate[],
): Promise<{ readonly added: number; readonly changed: number }> => {
  const filed = await sql<{ readonly added: boolean }[]>`
    insert into equipment as known (iata, icao, name, cargo_tonnes, facts)
    select iata, icao, name, "cargoTonnes", coalesce(facts, '{}')
    from ${given(
      sql,
      types.filter(({ iata }) => iata !== ''),
    )}
    on conflict (iata) where iata <> '' ${orUpdate(sql)}`;
  const gone = await sql`
    delete from equipment alone using equipment other
    where alone.iata = '' and other.iata <> '' and other.icao = alone.icao`;
  const alone = await sql<{ readonly added: boolean }[]>`
    insert into equipment as known (iata, icao, name, cargo_tonnes, facts)
    select '', icao, name, "cargoTonnes", coalesce(facts, '{}')
    from ${given(
      sql,
      types.filter(({ iata }) => iata === ''),
    )}
    where not exists (select from equipment other where other.iata <> '' and other.icao = given.icao)
    on conflict (icao) where iata = '' ${orUpdate(sql)}`;
  const written = [...filed, ...alone];
  if (written.length + gone.count > 0) await notifyMasterData(sql);
  const added = written.filter((row) => row.added).length;
  return { added, changed: written.length - added };
};
