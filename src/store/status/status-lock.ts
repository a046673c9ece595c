import type { Sql } from '../pool/database.ts';

/**
 * Makes a transaction the only one that changes statuses until it ends, for one that meets flights in an order of its own, as
 * a file of many batches does: it and the others would wait for each other in a ring. The others wait before they hold
 * anything. Lock the schedules first.
 */
export const lockAllStatuses = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('flightdata statuses'))`;
};

/** Begins a transaction that locks the statuses of its flights all at once: such ones run side by side. */
export const shareStatuses = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtext('flightdata statuses'))`;
};
