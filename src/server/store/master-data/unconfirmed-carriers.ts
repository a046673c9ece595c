import type { Carrier } from '#domain/master-data/master-data.ts';
import type { Sql } from '../pool/database.ts';

type Row = { readonly id: number; readonly code: string };

const toCarrier = ({ id, code }: Row): Carrier => ({
  id,
  iata: code.length === 3 ? '' : code,
  icao: code.length === 3 ? code : '',
  name: '',
  rank: 1,
  isUnconfirmed: true,
});

/** Returns the carriers that only status messages name; with codes, those of them. */
export const listUnconfirmedCarriers = async (sql: Sql, codes?: readonly string[]): Promise<readonly Carrier[]> => {
  const rows = await sql<Row[]>`
    select id, code from unconfirmed_carrier
    ${codes === undefined ? sql`` : sql`where code = any(${[...codes]}::text[])`} order by id`;
  return rows.map(toCarrier);
};

/** Inserts the carriers of codes that have none, and returns those of all codes. */
export const getOrInsertUnconfirmedCarriers = async (
  sql: Sql,
  codes: ReadonlySet<string>,
): Promise<readonly Carrier[]> => {
  if (codes.size === 0) return [];
  // In one order, so that transactions which insert the same codes do not deadlock.
  const sorted = [...codes].toSorted();
  await sql`
    insert into unconfirmed_carrier (code) select code from unnest(${sorted}::text[]) as given(code)
    where not exists (select from unconfirmed_carrier known where known.code = given.code)
    order by code on conflict do nothing`;
  return listUnconfirmedCarriers(sql, sorted);
};

/** Deletes the carriers without a flight. Hold the exclusive lock on statuses: a message may add a flight of the carrier. */
export const deleteUnusedUnconfirmedCarriers = async (sql: Sql): Promise<void> => {
  await sql`
    delete from unconfirmed_carrier u
    where not exists (select from flight_instance i where i.carrier = u.id)
      and not exists (select from flight_codeshare c where c.carrier = u.id)
      and not exists (
        select from flight_status s where s.superseded is not null and (s.superseded ->> 'carrier')::integer = u.id)`;
};
