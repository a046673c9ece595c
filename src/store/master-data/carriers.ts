import type { CarrierFacts } from '../../domain/master-data/master-data-facts.ts';
import type { Carrier } from '../../domain/master-data/master-data.ts';
import type { Sql } from '../pool/database.ts';
import { notifyMasterData, toJsonParameter, lockMasterData } from './master-data-changes.ts';

/** A carrier to be written: without an `id` it is new. Without `facts` those that a known carrier has stay. */
export type CarrierUpdate = Omit<Carrier, 'id'> & {
  readonly id?: number | undefined;
  readonly facts?: CarrierFacts | undefined;
};

const columns = (sql: Sql) => sql`id, iata, icao, name, rank`;

const given = (sql: Sql, records: readonly CarrierUpdate[]) => sql`
  jsonb_to_recordset(${toJsonParameter(sql, records)}) as given(
    id integer, iata text, icao text, name text, rank integer, facts jsonb)`;

/** Every carrier; of those that share an IATA code the one that answers first comes first. */
export const listCarriers = async (sql: Sql): Promise<readonly Carrier[]> => [
  ...(await sql<Carrier[]>`select ${columns(sql)} from carrier order by rank, id`),
];

/** Ids of the present carriers below a rank that have their name from a source. */
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
 * Writes carriers: those with an `id` are brought up to date, the others are added in their order. Carriers not given
 * stay, because flights may point at them. Returns how many rows were added or differed; servers are told when any did.
 */
export const upsertCarriers = async (
  sql: Sql,
  records: readonly CarrierUpdate[],
): Promise<{ readonly added: number; readonly changed: number }> => {
  const known = records.filter((record) => record.id !== undefined);
  const fresh = records.filter((record) => record.id === undefined);
  const updated = await sql`
    update carrier set
      iata = given.iata, icao = given.icao, name = given.name, rank = given.rank,
      facts = coalesce(given.facts, carrier.facts), changed_at = now()
    from ${given(sql, known)}
    where carrier.id = given.id
      and (carrier.iata, carrier.icao, carrier.name, carrier.rank, carrier.facts)
        is distinct from (given.iata, given.icao, given.name, given.rank, coalesce(given.facts, carrier.facts))`;
  const inserted = await sql`
    insert into carrier (iata, icao, name, rank, facts)
    select iata, icao, name, rank, coalesce(facts, '{}') from ${given(sql, fresh)}`;
  if (updated.count + inserted.count > 0) await notifyMasterData(sql);
  return { added: inserted.count, changed: updated.count };
};

/**
 * The carrier of a designator as a schedule files it, IATA (two characters) or ICAO (three letters), added with nothing but
 * the code when there is none. `sql` must be a transaction.
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
  await notifyMasterData(sql);
  return added;
};
