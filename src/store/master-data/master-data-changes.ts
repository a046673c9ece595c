import { LOCK_SPACE, type Sql } from '../pool/database.ts';

/** The channel that notifies servers of changed locations, carriers or equipment, which they then read again. */
export const MASTER_DATA_CHANNEL = 'master_data';

const MASTER_DATA_LOCK = 11;

/**
 * Locks the master data for writers until the transaction `sql` ends, so that no code is inserted twice.
 */
export const lockMasterData = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${MASTER_DATA_LOCK}::int)`;
};

/** Notifies the servers, when the transaction commits, to read master data again. */
export const notifyMasterData = async (sql: Sql): Promise<void> => {
  await sql`select pg_notify(${MASTER_DATA_CHANNEL}, '')`;
};

/** Returns a list of records as one JSON parameter: the cast through text keeps the driver from encoding the JSON again. */
export const toJsonParameter = (sql: Sql, records: readonly object[]) => sql`${JSON.stringify(records)}::text::jsonb`;
