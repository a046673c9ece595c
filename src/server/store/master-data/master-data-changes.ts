import { LOCK_SPACE, type Sql } from '../pool/database.ts';

/** The channel on which triggers notify servers of changed master data, which they then read again. */
export const MASTER_DATA_CHANNEL = 'master_data';

const MASTER_DATA_LOCK = 11;

/**
 * Locks the master data for writers until the transaction `sql` ends, so that no code is inserted twice.
 */
export const lockMasterData = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${MASTER_DATA_LOCK}::int)`;
};

/** Identifies the content of the master data tables: equal texts mean that nothing changed. */
export type MasterDataVersion = {
  /** Of locations, carriers, cities, countries and aircraft types. */
  readonly records: string;
  /** Of the ids to which flights refer, of the terminals that they name, and of carriers that only status messages name. */
  readonly references: string;
};

/**
 * Reads the version of the master data that `sql` sees. Triggers insert a row with each change and keep about the last hundred. Rows are never
 * moved, so their texts are in the same order each time; sorting them takes a third of the time of this query, which each server runs often.
 */
export const readMasterDataVersion = async (sql: Sql): Promise<MasterDataVersion> => {
  const [row] = await sql<MasterDataVersion[]>`
    select coalesce(string_agg(id::text, ' ') filter (where noun not in ('in_use', 'location_terminal', 'unconfirmed_carrier')), '') as records,
      coalesce(string_agg(id::text, ' ') filter (where noun in ('in_use', 'location_terminal', 'unconfirmed_carrier')), '') as references
    from master_data_change`;
  return row ?? { records: '', references: '' };
};

/** Returns a list of records as one JSON parameter: the cast through text keeps the driver from encoding the JSON again. */
export const toJsonParameter = (sql: Sql, records: readonly object[]) => sql`${JSON.stringify(records)}::text::jsonb`;
