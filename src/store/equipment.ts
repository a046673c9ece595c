import type { Equipment } from '../domain/master-data.ts';
import type { Sql } from './database.ts';
import { announceMasterData, asJson } from './master-data-changes.ts';

type Row = Omit<Equipment, 'cargoTonnes'> & { readonly cargoTonnes: number | null };

const read = (row: Row): Equipment => ({ ...row, cargoTonnes: row.cargoTonnes ?? undefined });

/** Every aircraft type, by IATA code. */
export const allEquipment = async (sql: Sql): Promise<readonly Equipment[]> => {
  const rows = await sql<Row[]>`select iata, icao, name, cargo_tonnes as "cargoTonnes" from equipment order by iata`;
  return rows.map(read);
};

/**
 * Writes aircraft types by their IATA code; types not given stay. Returns how many rows were added or differed; servers are
 * told when any did.
 */
export const saveEquipment = async (
  sql: Sql,
  types: readonly Equipment[],
): Promise<{ readonly added: number; readonly changed: number }> => {
  // PostgreSQL leaves xmax at 0 on a row that a statement inserts and sets it on one that it updates.
  const written = await sql<{ readonly added: boolean }[]>`
    insert into equipment as known (iata, icao, name, cargo_tonnes)
    select iata, icao, name, "cargoTonnes"
    from jsonb_to_recordset(${asJson(sql, types)}) as given(iata text, icao text, name text, "cargoTonnes" double precision)
    on conflict (iata) do update set icao = excluded.icao, name = excluded.name, cargo_tonnes = excluded.cargo_tonnes
      where (known.icao, known.name, known.cargo_tonnes)
        is distinct from (excluded.icao, excluded.name, excluded.cargo_tonnes)
    returning xmax = 0 as added`;
  if (written.length > 0) await announceMasterData(sql);
  const added = written.filter((row) => row.added).length;
  return { added, changed: written.length - added };
};
