import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '#store/engine/embedded.ts';
import { type Database, openDatabase } from '#store/pool/database.ts';
import { migrate } from '#store/schema/migrate.ts';
import { databaseUrlOf } from '../database-url.ts';
import { createScratchFolder } from '../scratch-folder.ts';

const readReports = (folder: string): readonly string[] =>
  readdirSync(folder)
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'));

declare module 'vitest' {
  export interface ProvidedContext {
    /** A URL with the privilege to create databases. */
    testServer: string;
    /** The migrated database that test files clone; its name is the prefix of all databases of this run. */
    testTemplate: string;
    /** The folder of the texts that are printed when all tests are done. */
    reportFolder: string;
  }
}

type Server = { readonly url: string; readonly kind: string; readonly close: () => Promise<void> };

/** The data is thrown away: without fsync, creating and dropping databases takes half the time. */
const disableFsync = async (url: string): Promise<void> => {
  const sql = openDatabase({ url, applicationName: 'flightdata-test', max: 1 });
  await sql`alter system set fsync = off`;
  await sql`select pg_reload_conf()`;
  await sql.end();
};

const startServer = async (): Promise<Server> => {
  const configuredUrl = process.env['DATABASE_URL'];
  if (configuredUrl) return { url: configuredUrl, kind: 'DATABASE_URL', close: async () => {} };
  const dataDir = await createScratchFolder();
  const { url, close } = await openEmbedded({ dataDir, applicationName: 'flightdata-test', log: () => {} });
  await disableFsync(url);
  return {
    url,
    kind: 'embedded',
    close: async () => {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const createTemplate = async (sql: Database, url: string): Promise<string> => {
  const template = `flightdata_test_${randomBytes(4).toString('hex')}`;
  await sql.unsafe(`create database ${template} template template0 encoding 'UTF8' locale 'C'`);
  const migrated = openDatabase({ url: databaseUrlOf(url, template), applicationName: 'flightdata-test', max: 1 });
  try {
    await migrate(migrated);
  } finally {
    await migrated.end();
  }
  return template;
};

const dropAll = async (sql: Database, template: string): Promise<void> => {
  const left = await sql<
    { datname: string }[]
  >`select datname from pg_database where starts_with(datname, ${template})`;
  for (const { datname } of left) await sql.unsafe(`drop database ${datname} with (force)`);
};

/** Starts or finds the PostgreSQL of this run and migrates the template. Returns a function that cleans up. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startServer();
  const sql = openDatabase({ url: server.url, applicationName: 'flightdata-test', max: 1 });
  const reportFolder = await createScratchFolder();
  const end = async (): Promise<void> => {
    await rm(reportFolder, { recursive: true, force: true });
    await sql.end();
    await server.close();
  };
  try {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
    console.log(`test database: PostgreSQL ${row?.version} (${server.kind})`);
    const template = await createTemplate(sql, server.url);
    project.provide('testServer', server.url);
    project.provide('testTemplate', template);
    project.provide('reportFolder', reportFolder);
    return async () => {
      for (const text of readReports(reportFolder)) process.stdout.write(`\n${text}`);
      await dropAll(sql, template);
      await end();
    };
  } catch (failure) {
    await end();
    throw failure;
  }
};
