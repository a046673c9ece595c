import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

import { type Database, openDatabase } from '../../src/store/pool/database.ts';
import { databaseUrlOf } from './database-url.ts';

export type FreshDatabase = { readonly sql: Database; readonly url: string; readonly drop: () => Promise<void> };

const onServer = async (statement: string): Promise<void> => {
  const server = openDatabase({ url: inject('testServer'), applicationName: 'flightdata-test', max: 1 });
  await server.unsafe(statement);
  await server.end();
};

/** Clones a database; the template must have no connections. */
export const cloneDatabase = async (
  template: string,
  name = `${inject('testTemplate')}_${randomBytes(6).toString('hex')}`,
): Promise<FreshDatabase> => {
  await onServer(`create database ${name} template ${template}`);
  const url = databaseUrlOf(inject('testServer'), name);
  const sql = openDatabase({ url, applicationName: 'flightdata-test', max: 4 });
  const drop = async (): Promise<void> => {
    await sql.end({ timeout: 1 });
    await onServer(`drop database ${name} with (force)`);
  };
  return { sql, url, drop };
};

/** Creates a database with the whole schema and no rows from the template of this run (about 0.1 s). Call `drop` in afterAll. */
export const freshDatabase = (): Promise<FreshDatabase> => cloneDatabase(inject('testTemplate'));

/** Creates a database without a schema, for the tests of the migrations. */
export const emptyDatabase = (): Promise<FreshDatabase> => cloneDatabase('template0');
