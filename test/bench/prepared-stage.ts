import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../src/store/pool/database.ts';
import { openEmbedded } from '../../src/store/engine/embedded.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { databaseUrlOf } from '../support/database-url.ts';

/** The database of a benchmark, on DATABASE_URL or on a temporary embedded engine. */
export type Stage = {
  readonly db: Database;
  readonly url: string;
  readonly engine: string;
  readonly strike: () => Promise<void>;
};

/** Creates an empty, migrated database; `strike` drops it. Two at once need two names. */
export const prepareStage = async (name = 'flightdata_bench'): Promise<Stage> => {
  const given = process.env['DATABASE_URL'];
  if (given === undefined) {
    const dataDir = await mkdtemp(join(tmpdir(), 'flightdata-bench-'));
    const { sql, url, close } = await openEmbedded({ dataDir, applicationName: 'flightdata bench', log: () => {} });
    await migrate(sql);
    return {
      db: sql,
      url,
      engine: await engineOf(sql),
      strike: async () => {
        await close();
        await rm(dataDir, { recursive: true });
      },
    };
  }
  const server = openDatabase({ url: given, applicationName: 'flightdata bench', max: 1 });
  await server.unsafe(`drop database if exists ${name} with (force)`);
  await server.unsafe(`create database ${name}`);
  const url = databaseUrlOf(given, name);
  const db = openDatabase({ url, applicationName: 'flightdata bench' });
  await migrate(db);
  const strike = async (): Promise<void> => {
    await db.end({ timeout: 1 });
    await server.unsafe(`drop database if exists ${name} with (force)`);
    await server.end();
  };
  return { db, url, engine: await engineOf(db), strike };
};

const engineOf = async (sql: Database): Promise<string> => {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  return `PostgreSQL ${row?.version}`;
};

/** A process of the benchmark that has sent its first message. */
export type LoadPlayer = { readonly said: unknown; readonly process: ChildProcess; readonly stop: () => Promise<void> };

/** Starts a script of this folder and waits for its first message. */
export const playLoad = async (script: string, ...args: readonly string[]): Promise<LoadPlayer> => {
  const child = fork(new URL(script, import.meta.url), args, {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [said] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${script} ended with ${String(code)}`))),
  ]);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { said, process: child, stop };
};
