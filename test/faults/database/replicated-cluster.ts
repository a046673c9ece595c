import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { openSession } from '../../../src/store/pool/database.ts';
import { findAccount } from '../../../src/store/engine/embedded-account.ts';
import { listCopyFolders, findBinaries, findPackage } from '../../../src/store/engine/embedded-binaries.ts';
import { initCluster, OWNER, readPassword, type Cluster } from '../../../src/store/engine/embedded-cluster.ts';
import { environment, runProgram } from '../../../src/store/engine/embedded-process.ts';
import { createScratchFolder } from '../../support/scratch-folder.ts';
import { freePort } from '../../support/free-port.ts';

/** A PostgreSQL server that can be crashed and restarted. */
export type ClusterNode = {
  readonly url: string;
  readonly start: () => Promise<void>;
  /** Stops it at once without a checkpoint, like a power failure. */
  readonly crash: () => Promise<void>;
};

export type ReplicatedCluster = {
  readonly primary: ClusterNode;
  /** A hot standby that streams from the primary. */
  readonly replica: ClusterNode;
  readonly drop: () => Promise<void>;
};

const settings = [
  'fsync=off',
  'wal_keep_size=256MB',
  'hot_standby_feedback=on',
  'max_wal_size=256MB',
  'shared_buffers=32MB',
];

const createNode = async (
  cluster: Cluster,
  more: readonly string[] = [],
): Promise<ClusterNode & { readonly port: number }> => {
  const port = await freePort();
  const url = `postgres://${OWNER}:${await readPassword(cluster)}@127.0.0.1:${port}/postgres`;
  const options = [...settings, `port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...more];
  let child: ChildProcess | undefined;
  const query = async (): Promise<void> => {
    const session = openSession(url, 'flightdata-test');
    try {
      await session`select 1`;
    } finally {
      await session.end({ timeout: 1 });
    }
  };
  return {
    url,
    port,
    start: async () => {
      const args = ['-D', '/proc/self/cwd', ...options.flatMap((one) => ['-c', one])];
      child = spawn(cluster.binaries.postgres, args, {
        ...cluster.account,
        cwd: cluster.folder,
        env: environment,
        stdio: 'ignore',
      });
      await vi.waitFor(query, { timeout: 30_000, interval: 50 });
    },
    crash: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
    },
  };
};

/** Starts a primary and a streaming replica of the embedded PostgreSQL (about three seconds). Linux only. */
export const startReplicatedCluster = async (): Promise<ReplicatedCluster> => {
  const folder = await createScratchFolder();
  const account = await findAccount(join(folder, 'none'));
  if (account) await chown(folder, account.uid, account.gid);
  const binaries = await findBinaries(await findPackage(), { account, copyTo: listCopyFolders(folder), log: () => {} });
  const first: Cluster = { folder: join(folder, 'primary'), binaries, account };
  const second: Cluster = { ...first, folder: join(folder, 'replica') };
  await initCluster(first);
  // A copy of a cluster that has never run is a valid base backup.
  await runProgram('/bin/cp', { args: ['-a', first.folder, second.folder] });
  await writeFile(join(second.folder, 'standby.signal'), '');
  const primary = await createNode(first);
  const source = `host=127.0.0.1 port=${primary.port} user=${OWNER} password=${await readPassword(first)}`;
  const replica = await createNode(second, [`primary_conninfo=${source}`, 'wal_retrieve_retry_interval=100ms']);
  const drop = async (): Promise<void> => {
    await replica.crash();
    await primary.crash();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await primary.start();
    await replica.start();
  } catch (error) {
    await drop();
    throw error;
  }
  return { primary, replica, drop };
};
