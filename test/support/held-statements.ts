import { expect } from 'vitest';
import type { Database } from '#store/pool/database.ts';

/** The advisory lock for which held statements wait. */
const HELD = 4711;

/**
 * Makes each statement of this kind wait, after it has changed its rows, until the returned function is called: a command can then be killed, or
 * another one started, in the middle of its transaction.
 */
export const holdAfter = async (
  sql: Database,
  event: 'insert' | 'update' | 'delete',
  table: string,
): Promise<() => Promise<void>> => {
  await sql.unsafe(`
    create or replace function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${HELD}); return null; end $$;
    create or replace trigger hold after ${event} on ${table} for each statement execute function hold();`);
  const holder = await sql.reserve();
  await holder`select pg_advisory_lock(${HELD})`;
  return async () => {
    await holder`select pg_advisory_unlock(${HELD})`;
    holder.release();
  };
};

const POLLING = { timeout: 60_000, interval: 20 };

/** Waits until this many statements of commands wait for a lock. */
export const untilWaiting = async (sql: Database, count: number): Promise<void> => {
  const countWaiting = async (): Promise<number | undefined> => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'flightdata %' and wait_event_type = 'Lock'`;
    return row?.count;
  };
  await expect.poll(countWaiting, POLLING).toBe(count);
};

/** Waits until no command has a connection: the database has rolled back what a killed one did not commit. */
export const untilRolledBack = async (sql: Database): Promise<void> => {
  const list = () =>
    sql`select pid from pg_stat_activity where datname = current_database() and application_name like 'flightdata %'`;
  await expect.poll(list, POLLING).toEqual([]);
};
