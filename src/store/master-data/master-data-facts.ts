import type { CarrierFacts, EquipmentFacts, LocationFacts } from '../../domain/master-data/master-data-facts.ts';
import { noEquipmentFacts, type EquipmentEntry } from '../../domain/master-data/equipment-records.ts';
import type { Sql } from '../pool/database.ts';

/** Keeps one of all values that are alike: what thousands of records have in common is in memory once. */
const newSharing = (): (<T>(value: T) => T) => {
  const known = new Map<string, unknown>();
  return <T>(value: T): T => {
    const text = JSON.stringify(value);
    const first = known.get(text);
    // What has the same text has the same type.
    if (first !== undefined) return first as T;
    known.set(text, value);
    return value;
  };
};

/** Facts whose members are shared with those of other records. */
const sharedFacts = <F extends object>(facts: F, share: <T>(value: T) => T): F => {
  const shared: F = { ...facts };
  for (const name of Object.keys(facts) as (keyof F)[]) shared[name] = share(facts[name]);
  return shared;
};

const byId = <F extends object>(
  rows: readonly { readonly id: number; readonly facts: F }[],
): ReadonlyMap<number, F> => {
  const share = newSharing();
  return new Map(rows.map(({ id, facts }) => [id, sharedFacts(facts, share)]));
};

/** What is known of locations beyond what flights need, by id; a location that only a schedule named is not among them. */
export const readLocationFacts = async (sql: Sql): Promise<ReadonlyMap<number, LocationFacts>> =>
  byId(await sql<{ id: number; facts: LocationFacts }[]>`select id, facts from location where facts <> '{}'`);

/** The same for carriers. */
export const readCarrierFacts = async (sql: Sql): Promise<ReadonlyMap<number, CarrierFacts>> =>
  byId(await sql<{ id: number; facts: CarrierFacts }[]>`select id, facts from carrier where facts <> '{}'`);

type EquipmentRow = {
  readonly id: number;
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  readonly cargoTonnes: number | null;
  readonly facts: EquipmentFacts | null;
};

/** Every type of equipment with all that is known of it. */
export const listEquipmentEntries = async (sql: Sql): Promise<readonly EquipmentEntry[]> => {
  const rows = await sql<EquipmentRow[]>`
    select id, iata, icao, name, cargo_tonnes as "cargoTonnes", nullif(facts, '{}') as facts from equipment`;
  const share = newSharing();
  return rows.map(({ id, iata, icao, name, cargoTonnes, facts }) => ({
    id,
    iata,
    icao,
    name,
    cargoTonnes: cargoTonnes ?? undefined,
    facts: facts ? sharedFacts(facts, share) : noEquipmentFacts,
  }));
};

/** A question that master data can answer only while they can be read. */
export const assertMasterDataReadable = async (sql: Sql): Promise<void> => {
  await sql`select from location limit 1`;
};
