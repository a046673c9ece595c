import type { CabinLetters } from '#domain/master-data/cabin-letters.ts';
import type { CarrierFacts } from '#domain/master-data/master-data-facts.ts';
import type { Carrier } from '#domain/master-data/master-data.ts';
import type { Sql } from '../pool/database.ts';
import { toJsonParameter, lockMasterData } from './master-data-changes.ts';

/** A carrier to be written: without `id` it is inserted. Without `facts`, an existing carrier keeps its facts. */
export type CarrierUpdate = Omit<Carrier, 'id'> & {
  readonly id?: number | undefined;
  readonly facts?: CarrierFacts | undefined;
};

const columns = (sql: Sql) => sql`id, iata, icao, name, rank`;

const unpackUpdates = (sql: Sql, records: readonly CarrierUpdate[]) => sql`
  jsonb_to_recordset(${toJsonParameter(sql, records)}) as given(
    id integer, iata text, icao text, name text, rank integer, facts jsonb)`;

/** Returns all carriers; of those that share an IATA code, the one that the code resolves to comes first. */
export const listCarriers = async (sql: Sql): Promise<readonly Carrier[]> => [
  ...(await sql<Carrier[]>`select ${columns(sql)} from carrier order by rank, id`),
];

/** Returns how carriers use the letters of their aircraft configurations, by ID, where not as in SSIM. */
export const readCabinLetters = async (sql: Sql): Promise<ReadonlyMap<number, CabinLetters>> => {
  const rows = await sql<{ readonly id: number; readonly letters: CabinLetters }[]>`
    select id, facts -> 'cabinLetters' as letters from carrier where facts ? 'cabinLetters'`;
  return new Map(rows.map(({ id, letters }) => [id, letters]));
};

/** Returns the ids of current carriers below a rank whose name comes from a source. */
export const listCarrierIdsNamedBy = async (
  sql: Sql,
  { source, rankBelow }: { readonly source: string; readonly rankBelow: number },
): Promise<readonly number[]> => {
  const rows = await sql<{ readonly id: number }[]>`
    select id from carrier
    where rank < ${rankBelow} and facts -> 'provenance' ->> 'name' = ${source} and facts -> 'validity' ->> 'to' = ''
    order by id`;
  return rows.map(({ id }) => id);
};

/**
 * Updates the carriers with an `id` and inserts the others in their order. Other carriers stay, because flights may refer to them. Returns the
 * numbers of inserted and changed rows.
 */
export const upsertCarriers = async (
  sql: Sql,
  records: readonly CarrierUpdate[],
): Promise<{ readonly added: number; readonly changed: number }> => {
  const known = records.filter((record) => record.id !== undefined);
  const added = records.filter((record) => record.id === undefined);
  const updated = await sql`
    update carrier set
      iata = given.iata, icao = given.icao, name = given.name, rank = given.rank,
      facts = coalesce(given.facts, carrier.facts), changed_at = now()
    from ${unpackUpdates(sql, known)}
    where carrier.id = given.id
      and (carrier.iata, carrier.icao, carrier.name, carrier.rank, carrier.facts)
        is distinct from (given.iata, given.icao, given.name, given.rank, coalesce(given.facts, carrier.facts))`;
  const inserted = await sql`
    insert into carrier (iata, icao, name, rank, facts)
    select iata, icao, name, rank, coalesce(facts, '{}') from ${unpackUpdates(sql, added)}`;
  return { added: inserted.count, changed: updated.count };
};

/**
 * Returns the carrier of a designator as filed, IATA (two characters) or ICAO (three letters); inserts one with only the code when there is
 * none. `sql` must be a transaction.
 */
export const getOrInsertCarrier = async (
  sql: Sql,
  { iata = '', icao = '' }: { readonly iata?: string; readonly icao?: string },
): Promise<Carrier> => {
  await lockMasterData(sql);
  const [known] = await sql<Carrier[]>`
    select ${columns(sql)} from carrier
    where (${iata} <> '' and iata = ${iata}) or (${iata} = '' and icao = ${icao})
    order by rank, id limit 1`;
  if (known) return known;
  const [added] = await sql<Carrier[]>`
    insert into carrier (iata, icao) values (${iata}, ${icao}) returning ${columns(sql)}`;
  if (!added) throw new Error(`carrier '${iata || icao}' was not added`);
  return added;
};
