import { randomBytes } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import { type Database, openDatabase, type Sql } from '#store/pool/database.ts';
import { databaseUrlOf } from './database-url.ts';

export type FreshDatabase = { readonly sql: Database; readonly url: string; readonly drop: () => Promise<void> };

const onServer = async <T>(work: (server: Database) => Promise<T>): Promise<T> => {
  const server = openDatabase({ url: inject('testServer'), applicationName: 'flightdata-test', max: 1 });
  try {
    return await work(server);
  } finally {
    await server.end();
  }
};

/** Clones a database; the template must have no connections. */
export const cloneDatabase = async (
  template: string,
  name = `${inject('testTemplate')}_${randomBytes(6).toString('hex')}`,
): Promise<FreshDatabase> => {
  await onServer((server) => server.unsafe(`create database ${name} template ${template}`));
  const url = databaseUrlOf(inject('testServer'), name);
  const sql = openDatabase({ url, applicationName: 'flightdata-test', max: 4 });
  const drop = async (): Promise<void> => {
    await sql.end({ timeout: 1 });
    await onServer((server) => server.unsafe(`drop database ${name} with (force)`));
  };
  return { sql, url, drop };
};

/** Creates a database with the whole schema and no rows from the template of this run (about 0.1 s). Call `drop` in afterAll. */
export const freshDatabase = (): Promise<FreshDatabase> => cloneDatabase(inject('testTemplate'));

/** Creates a database for a file, dropped after its tests: `const { sql, url } = await sharedDatabase();` at its top. */
export const sharedDatabase = async (): Promise<FreshDatabase> => {
  const database = await freshDatabase();
  afterAll(database.drop);
  return database;
};

export const emptyDatabase = (): Promise<FreshDatabase> => cloneDatabase('template0');

/**
 * Clones a database that `fill` fills once in a test run: the first caller with this name fills it while later callers wait.
 * It is renamed when it is complete, so that an interrupted `fill` leaves no partial one. Call `drop` in afterAll.
 */
export const filledDatabase = async (
  name: string,
  fill: (database: FreshDatabase) => Promise<unknown>,
): Promise<FreshDatabase> => {
  const filled = `${inject('testTemplate')}_${name}`;
  await onServer(async (server) => {
    // The end of the connection releases the lock.
    await server`select pg_advisory_lock(hashtext(${filled}))`;
    const [existing] = await server`select from pg_database where datname = ${filled}`;
    if (existing) return;
    await server.unsafe(`drop database if exists ${filled}_making with (force)`);
    const partial = await cloneDatabase(inject('testTemplate'), `${filled}_making`);
    try {
      await fill(partial);
    } finally {
      await partial.sql.end();
    }
    await server.unsafe(`alter database ${filled}_making rename to ${filled}`);
  });
  return cloneDatabase(filled);
};

export const untilBlocked = async (sql: Sql): Promise<void> => {
  const list = () => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await list()).length === 0);
};
