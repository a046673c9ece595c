import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { openDatabase } from '../../src/store/database.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { migrate } from '../../src/store/migrate.ts';
import { urlOf } from './database-url.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A URL with the right to create databases. */
    testServer: string;
    /** The migrated database that every test file clones; its name begins all names of this run. */
    testTemplate: string;
  }
}

type Server = { readonly url: string; readonly kind: string; readonly close: () => Promise<void> };

const startServer = async (): Promise<Server> => {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, kind: 'DATABASE_URL', close: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdata-test-'));
  const { url, close } = await openEmbedded({ dataDir, applicationName: 'flightdata-test', log: () => {} });
  return {
    url,
    kind: 'embedded',
    close: async () => {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Starts or finds the PostgreSQL of this run and migrates the template; the function it answers puts everything away. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startServer();
  const template = `flightdata_test_${randomBytes(4).toString('hex')}`;
  const sql = openDatabase({ url: server.url, applicationName: 'flightdata-test', max: 1 });
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  console.log(`test database: PostgreSQL ${row?.version} (${server.kind})`);
  await sql.unsafe(`create database ${template} template template0 encoding 'UTF8' locale 'C'`);
  const migrated = openDatabase({ url: urlOf(server.url, template), applicationName: 'flightdata-test', max: 1 });
  await migrate(migrated);
  await migrated.end();
  project.provide('testServer', server.url);
  project.provide('testTemplate', template);
  return async () => {
    const left = await sql<{ datname: string }[]>`select datname from pg_database where starts_with(datname, ${template})`;
    for (const { datname } of left) await sql.unsafe(`drop database ${datname} with (force)`);
    await sql.end();
    await server.close();
  };
};
