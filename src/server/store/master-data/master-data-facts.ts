import type { CarrierFacts, EquipmentFacts, LocationFacts } from '#domain/master-data/master-data-facts.ts';
import { noEquipmentFacts, type EquipmentEntry } from '#domain/master-data/equipment-records.ts';
import type { Sql } from '../pool/database.ts';

/** Creates a function that returns the same object for equal values: values that thousands of records deduplicate are in memory once. */
const createDeduplicator = (): (<T>(value: T) => T) => {
  const known = new Map<string, unknown>();
  return <T>(value: T): T => {
    const text = JSON.stringify(value);
    const first = known.get(text);
    // Values with the same JSON have the same type.
    if (first !== undefined) return first as T;
    known.set(text, value);
    return value;
  };
};

/** Returns facts whose members are shared with equal ones of other records. */
const deduplicateFacts = <F extends object>(facts: F, deduplicate: <T>(value: T) => T): F => {
  const shared: F = { ...facts };
  for (const name of Object.keys(facts) as (keyof F)[]) shared[name] = deduplicate(facts[name]);
  return shared;
};

const toMapById = <F extends object>(
  rows: readonly { readonly id: number; readonly facts: F }[],
): ReadonlyMap<number, F> => {
  const deduplicate = createDeduplicator();
  return new Map(rows.map(({ id, facts }) => [id, deduplicateFacts(facts, deduplicate)]));
};

/** Reads the facts of locations by id, without locations that only schedules mention. */
export const readLocationFacts = async (sql: Sql): Promise<ReadonlyMap<number, LocationFacts>> =>
  toMapById(await sql<{ id: number; facts: LocationFacts }[]>`select id, facts from location where facts <> '{}'`);

/** Reads the facts of carriers by id, without carriers that only schedules mention. */
export const readCarrierFacts = async (sql: Sql): Promise<ReadonlyMap<number, CarrierFacts>> =>
  toMapById(await sql<{ id: number; facts: CarrierFacts }[]>`select id, facts from carrier where facts <> '{}'`);

type EquipmentRow = {
  readonly id: number;
  readonly iata: string;
  readonly icao: string;
  readonly name: string;
  readonly cargoTonnes: number | null;
  readonly facts: EquipmentFacts | null;
};

/** Returns all aircraft types with their facts. */
export const listEquipmentEntries = async (sql: Sql): Promise<readonly EquipmentEntry[]> => {
  const rows = await sql<EquipmentRow[]>`
    select id, iata, icao, name, cargo_tonnes as "cargoTonnes", nullif(facts, '{}') as facts from equipment`;
  const deduplicate = createDeduplicator();
  return rows.map(({ id, iata, icao, name, cargoTonnes, facts }) => ({
    id,
    iata,
    icao,
    name,
    cargoTonnes: cargoTonnes ?? undefined,
    facts: facts ? deduplicateFacts(facts, deduplicate) : noEquipmentFacts,
  }));
};

/** Rejects with the error of the database when master data cannot be read. */
export const assertMasterDataReadable = async (sql: Sql): Promise<void> => {
  await sql`select from location limit 1`;
};
