import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findAccount } from '#store/engine/embedded-account.ts';
import { findBinaries, findPackage, listCopyFolders } from '#store/engine/embedded-binaries.ts';
import { initCluster, OWNER, readPassword, type Cluster } from '#store/engine/embedded-cluster.ts';
import { environment, runProgram } from '#store/engine/embedded-process.ts';
import { openSession } from '#store/pool/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { createScratchFolder } from '#test/support/scratch-folder.ts';

/** Signals that stop PostgreSQL: an orderly shutdown, an immediate one without a checkpoint, a kill. */
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;
export type StopMode = keyof typeof stopSignals;

export type PrivatePostgres = {
  readonly url: string;
  readonly port: number;
  readonly pid: () => number;
  /** Starts it and waits until it accepts queries. */
  readonly start: () => Promise<void>;
  /** Stops it, if it runs, and waits until it has exited. */
  readonly stop: (mode: StopMode) => Promise<void>;
  readonly remove: () => Promise<void>;
};

const settings = ['fsync=off', 'shared_buffers=32MB', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];

const isRunning = (child: ChildProcess | undefined): child is ChildProcess =>
  child !== undefined && child.exitCode === null && child.signalCode === null;

const createServer = async (cluster: Cluster, more: readonly string[]): Promise<PrivatePostgres> => {
  const port = await freePort();
  const url = `postgres://${OWNER}:${await readPassword(cluster)}@127.0.0.1:${port}/postgres`;
  const args = [...settings, `port=${port}`, ...more].flatMap((one) => ['-c', one]);
  let child: ChildProcess | undefined;
  const query = async (): Promise<void> => {
    // After a kill the first start fails while a process of the old server still uses its memory.
    if (!isRunning(child)) {
      const options = { ...cluster.account, cwd: cluster.folder, env: environment, stdio: 'ignore' } as const;
      child = spawn(cluster.binaries.postgres, ['-D', '/proc/self/cwd', ...args], options);
    }
    const session = openSession(url, 'flightdata-test');
    try {
      await session`select 1`;
    } finally {
      await session.end({ timeout: 1 });
    }
  };
  const stop = async (mode: StopMode): Promise<void> => {
    if (!isRunning(child)) return;
    const ended = once(child, 'exit');
    child.kill(stopSignals[mode]);
    await ended;
  };
  return {
    url,
    port,
    pid: () => child?.pid ?? 0,
    start: () => vi.waitFor(query, { timeout: 60_000, interval: 20 }),
    stop,
    remove: async () => {
      await stop('immediate');
      await rm(cluster.folder, { recursive: true, force: true });
    },
  };
};

/** Creates a cluster in a folder, by default in memory where there is space. */
const createCluster = async (parent?: string): Promise<Cluster> => {
  const folder = parent === undefined ? await createScratchFolder() : await mkdtemp(join(parent, 'cluster-'));
  const account = await findAccount(join(folder, 'none'));
  if (account) await chown(folder, account.uid, account.gid);
  const binaries = await findBinaries(await findPackage(), { account, copyTo: listCopyFolders(folder), log: () => {} });
  const cluster: Cluster = { folder: join(folder, 'primary'), binaries, account };
  await initCluster(cluster);
  return cluster;
};

/** Starts a server of the embedded PostgreSQL (about two seconds). Linux only. */
export const startPrivatePostgres = async ({
  folder,
  more = [],
}: { readonly folder?: string; readonly more?: readonly string[] } = {}): Promise<PrivatePostgres> => {
  const server = await createServer(await createCluster(folder), more);
  await server.start();
  return server;
};

/** Starts a primary and a hot standby that streams from it (about three seconds). */
export const startReplicatedPostgres = async () => {
  const first = await createCluster();
  const second: Cluster = { ...first, folder: join(first.folder, '..', 'replica') };
  // A copy of a cluster that has never run is a valid base backup.
  await runProgram('/bin/cp', { args: ['-a', first.folder, second.folder] });
  await writeFile(join(second.folder, 'standby.signal'), '');
  const primary = await createServer(first, ['wal_keep_size=256MB', 'max_wal_size=256MB']);
  const source = `host=127.0.0.1 port=${primary.port} user=${OWNER} password=${await readPassword(first)}`;
  const options = [`primary_conninfo=${source}`, 'wal_retrieve_retry_interval=100ms', 'hot_standby_feedback=on'];
  const replica = await createServer(second, options);
  const remove = async (): Promise<void> => {
    await replica.remove();
    await primary.remove();
  };
  await primary.start();
  await replica.start();
  return { primary, replica, remove };
};
