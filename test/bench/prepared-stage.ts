import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openDatabase } from '#store/pool/database.ts';
import { migrate } from '#store/schema/migrate.ts';
import { databaseUrlOf } from '../support/database-url.ts';

/** The migrated database of a benchmark; `strike` drops it, unless it is kept. */
export type Stage = Awaited<ReturnType<typeof prepareStage>>;

/** The server of the benchmark databases. */
export const serverUrl = (): string => {
  const url = process.env['DATABASE_URL'];
  if (!url) throw new Error('a part that is run alone needs DATABASE_URL; make bench starts a server without it');
  return url;
};

/** Creates the database, unless one of that name is reused. Two at once need two names. */
export const prepareStage = async (name: string, isReused = false) => {
  const url = databaseUrlOf(serverUrl(), name);
  const open = (at: string) => openDatabase({ url: at, applicationName: 'flightdata bench' });
  const server = open(serverUrl());
  const [known] = isReused ? await server`select from pg_database where datname = ${name}` : [];
  const drop = () => server.unsafe(`drop database if exists ${name} with (force)`);
  if (!known) {
    await drop();
    await server.unsafe(`create database ${name}`);
  }
  const db = open(url);
  await migrate(db);
  const strike = async (isKept = false): Promise<void> => {
    await db.end({ timeout: 1 });
    if (!isKept) await drop();
    await server.end();
  };
  return { db, url, strike };
};

/** A process of the benchmark that has sent its first message. */
export type LoadPlayer = Awaited<ReturnType<typeof playLoad>>;

/** Starts a script of this folder and waits for its first message. */
export const playLoad = async (script: string, ...args: readonly string[]) => {
  const child = fork(new URL(script, import.meta.url), args, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [firstMessage]: readonly unknown[] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${script} ended with ${String(code)}`))),
  ]);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { firstMessage, process: child, stop };
};

/** Starts a server that sends the responses of the service to these paths from memory. */
export const playMemory = async (base: string, paths: readonly string[]) => {
  const player = await playLoad('./memory-server.ts');
  const learned = once(player.process, 'message');
  player.process.send({ base, paths: [...new Set(paths)] });
  await learned;
  return { base: `http://127.0.0.1:${String(player.firstMessage)}`, pid: player.process.pid, stop: player.stop };
};
