import { LOCK_SPACE, type Sql } from '../pool/database.ts';

/** The channel on which servers hear that locations, carriers or equipment changed and must be read again. */
export const MASTER_DATA_CHANNEL = 'master_data';

const MASTER_DATA_LOCK = 11;

/**
 * Makes the writers of master data wait for each other until the transaction ends, so that no code is added twice.
 * `sql` must be a transaction.
 */
export const lockMasterData = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${MASTER_DATA_LOCK}::int)`;
};

/** Tells the servers, once the transaction commits, to read master data again. */
export const notifyMasterData = async (sql: Sql): Promise<void> => {
  await sql`select pg_notify(${MASTER_DATA_CHANNEL}, '')`;
};

/** A list of records as one parameter: the cast by way of text keeps the driver from writing the JSON a second time. */
export const toJsonParameter = (sql: Sql, records: readonly object[]) => sql`${JSON.stringify(records)}::text::jsonb`;
