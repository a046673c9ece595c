import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openDatabase, type Database } from '#store/pool/database.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';

export let fresh: FreshDatabase;
export let db: Database;
/** What a test has started; it is stopped after the test, the last one first. */
export const stops: (() => Promise<unknown>)[] = [];

type Step = (sql: Database) => Promise<unknown>;

/** Creates a database for the tests of a file; `prepare` fills it once, and `reset` clears it before each test. */
export const useDatabase = ({ prepare, reset }: { readonly prepare?: Step; readonly reset?: Step } = {}): void => {
  beforeAll(async () => {
    fresh = await freshDatabase();
    db = fresh.sql;
    await prepare?.(db);
  });
  beforeEach(() => reset?.(db));
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });
  afterAll(() => fresh.drop());
};

export const openPool = (max = 3): Database => {
  const sql = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max });
  stops.push(() => sql.end({ timeout: 1 }));
  return sql;
};

/** Throws the error of a task that must not fail. */
export const fail = (error: unknown): never => {
  throw error;
};
