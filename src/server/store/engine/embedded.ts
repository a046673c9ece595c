import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { getErrorCode } from '#lib/error-code.ts';
import { type Database, LOCK_SPACE, openDatabase, openSession, SERVER_LOCK } from '../pool/database.ts';
import { findAccount } from './embedded-account.ts';
import { listCopyFolders, findBinaries, findPackage } from './embedded-binaries.ts';
import { type Cluster, initCluster, stopServer } from './embedded-cluster.ts';
import { withLock } from './embedded-lock.ts';
import { countOtherUsers, ensureServer } from './embedded-server.ts';

export type EmbeddedOptions = {
  /** Contains all files of the engine. */
  readonly dataDir: string;
  /** Whether to create a missing store; otherwise NoStoreError is thrown. */
  readonly mayCreate?: boolean;
  /** For example `flightdata serve`: the prefix `flightdata` identifies processes of this service. */
  readonly applicationName: string;
  /** Called with messages for the operator about slow or unusual steps. */
  readonly log: (message: string) => void;
};

export type Embedded = {
  readonly sql: Database;
  /** For `openDatabase` and psql; contains the password. */
  readonly url: string;
  /** Identifies the sessions of this process; its other pools must use it too. */
  readonly applicationName: string;
  /** Makes this process the only server of the data directory until it closes or dies; throws when there is another one. */
  readonly claimServerRole: () => Promise<void>;
  /** Closes the pool, and stops PostgreSQL when no other process of this service uses it. */
  readonly close: () => Promise<void>;
};

/**
 * Opens the PostgreSQL of a data directory: the running one, whichever process started it, or a new one. It is restarted if it dies while this
 * process lives, and stops when its last process has closed it or has ended in any other way. The first start takes about 1 s, a later one
 * 0.2 s. Throws, with DATABASE_URL as the alternative, where it cannot run.
 */
export const openEmbedded = async ({
  dataDir,
  mayCreate = true,
  applicationName,
  log,
}: EmbeddedOptions): Promise<Embedded> => {
  if (!mayCreate && !hasEmbeddedStore(dataDir)) throw new NoStoreError(`DATA_DIR=${dataDir}`);
  const cluster = await prepare(dataDir, log);
  const lock = { path: `${cluster.folder}.lock`, timeoutMs: 120_000, log };
  // The random suffix distinguishes the sessions of this process from those of another one with the same name.
  const name = `${applicationName.startsWith('flightdata') ? applicationName : `flightdata ${applicationName}`} ${randomBytes(4).toString('hex')}`;
  let hasServerRole = false;
  let closed: Promise<void> | undefined;
  let phase: 'opening' | 'open' | 'recovering' | 'closed' = 'opening';

  const recover = async (): Promise<void> => {
    if (phase !== 'open') return;
    phase = 'recovering';
    for (let delayMs = 500; isRecovering(); delayMs = Math.min(delayMs * 2, 30_000)) {
      try {
        await withLock(lock, async () => {
          await ensureServer(cluster, log);
          await presence`select 1`;
        });
        if (hasServerRole) await claimRole(presence, dataDir);
        log('reconnected to PostgreSQL');
        if (isRecovering()) phase = 'open';
      } catch (failure) {
        log(`lost the connection to PostgreSQL: ${failure instanceof Error ? failure.message : String(failure)}`);
        await wait(delayMs);
      }
    }
  };
  const isRecovering = (): boolean => phase === 'recovering';

  // Held for the lifetime of this process: it shows other processes that this one is present, even when idle.
  const [url, presence] = await withLock(lock, async () => {
    await initCluster(cluster);
    const address = await ensureServer(cluster, log);
    const session = openSession(address, name, () => void recover());
    await session`select 1`;
    return [address, session] as const;
  });
  const sql = openDatabase({ url, applicationName: name });
  phase = 'open';

  const end = async (): Promise<void> => {
    phase = 'closed';
    await sql.end({ timeout: 5 });
    await withLock(lock, async () => {
      const alone = await countOtherUsers(presence, name).then(
        (users) => users === 0,
        () => false,
      );
      await presence.end({ timeout: 1 });
      if (!alone) return;
      await stopServer(cluster);
      await rm(`${cluster.folder}.json`, { force: true });
    });
  };

  const claimServerRole = async (): Promise<void> => {
    await claimRole(presence, dataDir);
    hasServerRole = true;
  };
  return { sql, url, applicationName: name, claimServerRole, close: () => (closed ??= end()) };
};

const toClusterFolder = (dataDir: string): string => join(dataDir, 'postgresql');

/** Returns whether a data directory has a store, perhaps one whose creation was interrupted. */
export const hasEmbeddedStore = (dataDir: string): boolean => existsSync(toClusterFolder(dataDir));

/** The setting of the operator names a place without a store. */
export class NoStoreError extends Error {
  constructor(setting: string) {
    super(`${setting} has no store; correct it, or create a store with 'flightdata serve' or an import`);
    this.name = 'NoStoreError';
  }
}

const folderErrors: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'no folder can be created there',
};

/** Creates a folder and those above it, one by one: `recursive` of Node 24 never returns for a path below /proc. */
const createFolder = async (folder: string): Promise<void> => {
  const existing = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code);
  if (existing === 'ENOENT') {
    await createFolder(dirname(folder));
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== 'EEXIST') throw error;
    });
  } else if (typeof existing === 'string') throw Object.assign(new Error(existing), { code: existing });
  else if (existing?.isDirectory() === false) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
};

/** Returns an error that names the variable, its value and the remedy; it says what its cause would say. */
const explainFolderError = (error: unknown, dataDir: string): Error => {
  const code = getErrorCode(error);
  const reason = folderErrors[code] ?? (error instanceof Error ? error.message : String(error));
  return new Error(`DATA_DIR=${dataDir} cannot be used: ${reason} (${code}); choose a folder that this user can write`);
};

/** Creates the data directory unless it exists, and checks that it can be written. */
const createDataDirectory = async (dataDir: string): Promise<void> => {
  try {
    await createFolder(dataDir);
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainFolderError(error, dataDir);
  }
};

const prepare = async (dataDir: string, log: EmbeddedOptions['log']): Promise<Cluster> => {
  await createDataDirectory(dataDir);
  if (!hasEmbeddedStore(dataDir)) log(`new store: created in DATA_DIR=${dataDir}`);
  const directory = await realpath(dataDir);
  const folder = toClusterFolder(directory);
  const account = await findAccount(folder);
  const binaries = await findBinaries(await findPackage(), { account, copyTo: listCopyFolders(directory), log });
  return { folder, binaries, account };
};

const claimRole = async (session: Database, dataDir: string): Promise<void> => {
  // The lock of a killed server becomes free when PostgreSQL notices the lost connection, a moment later.
  for (let attempts = 0; attempts < 10; attempts++) {
    const [row] = await session<
      { won: boolean }[]
    >`select pg_try_advisory_lock(${LOCK_SPACE}::int, ${SERVER_LOCK}::int) as won`;
    if (row?.won) return;
    await wait(100);
  }
  throw new Error(`a server already uses the data directory ${dataDir}; stop it, or set another DATA_DIR`);
};
