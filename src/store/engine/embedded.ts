import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { type Database, LOCK_SPACE, openDatabase, openSession, SERVER_LOCK } from '../pool/database.ts';
import { findAccount } from './embedded-account.ts';
import { listCopyFolders, findBinaries, findPackage } from './embedded-binaries.ts';
import { type Cluster, initCluster, stopServer } from './embedded-cluster.ts';
import { withLock } from './embedded-lock.ts';
import { ensureServer } from './embedded-server.ts';

export type EmbeddedOptions = {
  /** Made when it is not there. Everything of the engine lies in it. */
  readonly dataDir: string;
  /** `flightdata serve`, say: it begins with `flightdata`, by which processes of this service know each other. */
  readonly applicationName: string;
  /** Hears, in sentences for the operator, what takes long or went otherwise than usual. */
  readonly log: (message: string) => void;
};

export type Embedded = {
  readonly sql: Database;
  /** For `openDatabase` and for psql; holds the password. */
  readonly url: string;
  /** By which its sessions are told from those of other processes: other pools of this one must have it too. */
  readonly applicationName: string;
  /** Makes this process the one server of the data directory until it closes or dies; throws when another one is. */
  readonly claimServerRole: () => Promise<void>;
  /** Ends the pool, and PostgreSQL with it when no other process of this service uses it. */
  readonly close: () => Promise<void>;
};

/**
 * Opens the PostgreSQL of a data directory: the one that runs, whoever started it, or else a new one. One that dies while
 * this process lives is started again. The first start takes about a second, a later one 0.2 s.
 * Throws, naming DATABASE_URL as the way out, where the engine cannot run.
 */
export const openEmbedded = async ({ dataDir, applicationName, log }: EmbeddedOptions): Promise<Embedded> => {
  const cluster = await prepare(dataDir, log);
  const lock = { path: `${cluster.folder}.lock`, timeoutMs: 120_000, log };
  // Tells the sessions of this process from those of another one with the same name.
  const name = `${applicationName.startsWith('flightdata') ? applicationName : `flightdata ${applicationName}`} ${randomBytes(4).toString('hex')}`;
  let servesAlone = false;
  let closed: Promise<void> | undefined;
  let phase: 'opening' | 'open' | 'recovering' | 'closed' = 'opening';

  const recover = async (): Promise<void> => {
    if (phase !== 'open') return;
    phase = 'recovering';
    for (let pauseMs = 500; isRecovering(); pauseMs = Math.min(pauseMs * 2, 30_000)) {
      try {
        await withLock(lock, async () => {
          await ensureServer(cluster, log);
          await presence`select 1`;
        });
        if (servesAlone) await claim(presence, dataDir);
        log('the connection to PostgreSQL had been lost and is there again');
        if (isRecovering()) phase = 'open';
      } catch (failure) {
        log(`the connection to PostgreSQL was lost: ${failure instanceof Error ? failure.message : String(failure)}`);
        await wait(pauseMs);
      }
    }
  };
  const isRecovering = (): boolean => phase === 'recovering';

  // Held for as long as this process lives: by it others see that somebody is there, however idle.
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
      const alone = await isAlone(presence, name).catch(() => false);
      await presence.end({ timeout: 1 });
      if (!alone) return;
      await stopServer(cluster);
      await rm(`${cluster.folder}.json`, { force: true });
    });
  };

  const claimServerRole = async (): Promise<void> => {
    await claim(presence, dataDir);
    servesAlone = true;
  };
  return { sql, url, applicationName: name, claimServerRole, close: () => (closed ??= end()) };
};

const prepare = async (dataDir: string, log: EmbeddedOptions['log']): Promise<Cluster> => {
  await mkdir(dataDir, { recursive: true });
  const place = await realpath(dataDir);
  const folder = join(place, 'postgresql');
  const account = await findAccount(folder);
  const binaries = await findBinaries(await findPackage(), { account, copyTo: listCopyFolders(place), log });
  return { folder, binaries, account };
};

const claim = async (session: Database, dataDir: string): Promise<void> => {
  // The lock of a server that was killed is free as soon as PostgreSQL has noticed, a moment later.
  for (let attempts = 0; attempts < 10; attempts++) {
    const [row] = await session<
      { won: boolean }[]
    >`select pg_try_advisory_lock(${LOCK_SPACE}::int, ${SERVER_LOCK}::int) as won`;
    if (row?.won) return;
    await wait(100);
  }
  throw new Error(`a server already runs on the data directory ${dataDir}; stop it, or give this one another DATA_DIR`);
};

/** Sessions of this service that are not of this process. Those of its own that are just ending bear its name. */
const isAlone = async (session: Database, name: string): Promise<boolean> => {
  const rows = await session`
    select from pg_stat_activity
    where backend_type = 'client backend' and starts_with(application_name, 'flightdata') and application_name <> ${name} limit 1`;
  return rows.length === 0;
};
