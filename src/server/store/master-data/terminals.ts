import type { LocationTerminals, TerminalSource } from '#domain/master-data/location-terminals.ts';
import type { Sql } from '../pool/database.ts';

/** A terminal of a location, by the ID of the location. */
export type NamedTerminal = { readonly locationId: number; readonly code: string };

/** Reads the terminals of locations by ID. */
export const readTerminals = async (sql: Sql): Promise<ReadonlyMap<number, LocationTerminals>> => {
  const rows = await sql<{ location: number; codes: string[]; sources: TerminalSource[] }[]>`
    select location, array_agg(distinct code order by code) as codes, array_agg(distinct source order by source desc) as sources
    from location_terminal group by location`;
  return new Map(rows.map(({ location, codes, sources }) => [location, { codes, sources }]));
};

/** Inserts the terminals that flights of schedules name. */
export const insertScheduleTerminals = async (sql: Sql, terminals: readonly NamedTerminal[]): Promise<void> => {
  if (terminals.length === 0) return;
  const [ids, codes] = [terminals.map(({ locationId }) => locationId), terminals.map(({ code }) => code)];
  await sql`
    insert into location_terminal (location, code, source)
    select location, code, 'schedules' from unnest(${ids}::int[], ${codes}::text[]) as named(location, code)
    on conflict do nothing`;
};

/**
 * Replaces the terminals that minimum connecting times name, by IATA code of the station. A station that master data lack has none until the
 * next load of minimum connecting times.
 */
export const replaceConnectingTimeTerminals = async (
  sql: Sql,
  terminals: readonly { readonly station: string; readonly code: string }[],
): Promise<void> => {
  const [stations, codes] = [terminals.map(({ station }) => station), terminals.map(({ code }) => code)];
  const named = sql`
    select distinct owner.id, named.code from unnest(${stations}::text[], ${codes}::text[]) as named(station, code)
    join (select distinct on (iata) iata, id from location where iata = any(${stations}::text[]) order by iata, rank, id) owner
      on owner.iata = named.station`;
  await sql`delete from location_terminal where source = 'connecting-times' and (location, code) not in (${named})`;
  await sql`
    insert into location_terminal (location, code, source)
    select id, code, 'connecting-times' from (${named}) terminal on conflict do nothing`;
};
