import { mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { findAccount } from '../../../src/store/engine/embedded-account.ts';
import { listCopyFolders, findBinaries, findPackage } from '../../../src/store/engine/embedded-binaries.ts';
import {
  initCluster,
  isServerProcess,
  OWNER,
  readPassword,
  startServer,
  type Cluster,
} from '../../../src/store/engine/embedded-cluster.ts';
import { openDatabase, openSession, type Database } from '../../../src/store/pool/database.ts';
import { createScratchFolder } from '../../support/scratch-folder.ts';
import { freePort } from '../../support/free-port.ts';

/** Signals that stop PostgreSQL: an orderly shutdown, an immediate one without a checkpoint, a kill. */
export const stopModes = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

/** A PostgreSQL server of one test on a loopback port. */
export type PrivatePostgres = {
  readonly url: string;
  /** The process ID of the server. */
  readonly pid: () => number;
  /** Stops it and waits until it has exited. */
  readonly stop: (how: keyof typeof stopModes) => Promise<void>;
  /** Starts it and waits until it accepts queries. */
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

const acceptsQueries = async (url: string): Promise<boolean> => {
  const session = openSession(url, 'flightdata-test');
  try {
    await session`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await session.end({ timeout: 1 });
  }
};

/** Creates and starts a cluster, in memory where there is space; `settings` are statements such as `alter system set ...`. */
export const startPrivatePostgres = async ({
  folder,
  settings = [],
}: { readonly folder?: string; readonly settings?: readonly string[] } = {}): Promise<PrivatePostgres> => {
  const dataFolder = folder === undefined ? await createScratchFolder() : await mkdtemp(join(folder, 'cluster-'));
  const account = await findAccount(dataFolder);
  const binaries = await findBinaries(await findPackage(), {
    account,
    copyTo: listCopyFolders(dataFolder),
    log: () => {},
  });
  const cluster: Cluster = { folder: join(dataFolder, 'postgresql'), binaries, account };
  await initCluster(cluster);
  const port = await freePort();
  const base = `postgres://${OWNER}:${await readPassword(cluster)}@127.0.0.1:${port}`;
  let pid = 0;
  const waitForExit = async (): Promise<void> => {
    while ((await isServerProcess(pid, cluster)) !== false) await delay(5);
  };
  const start = async (): Promise<void> => {
    pid = (await startServer(cluster, { port })).pid;
    while (!(await acceptsQueries(`${base}/postgres`))) await delay(20);
  };
  const stop = async (how: keyof typeof stopModes): Promise<void> => {
    process.kill(pid, stopModes[how]);
    await waitForExit();
  };
  await start();
  const sql: Database = openDatabase({ url: `${base}/postgres`, applicationName: 'flightdata-test', max: 1 });
  await sql.unsafe(`create database ${OWNER}`);
  for (const setting of settings) await sql.unsafe(setting);
  await sql.end();
  if (settings.length > 0) {
    await stop('fast');
    await start();
  }
  return {
    url: `${base}/${OWNER}`,
    pid: () => pid,
    stop,
    start,
    remove: async () => {
      if ((await isServerProcess(pid, cluster)) !== false) await stop('immediate');
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
};
