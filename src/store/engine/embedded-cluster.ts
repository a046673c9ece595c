import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { UnixAccount } from './embedded-account.ts';
import type { Binaries } from './embedded-binaries.ts';
import { environment, runProgram, DATABASE_URL_HINT } from './embedded-process.ts';

/** A data directory of PostgreSQL, and with what and as whom it is run. */
export type Cluster = {
  /** Absolute. Beside it lie its log and, while it is made, its draft. */
  readonly folder: string;
  readonly binaries: Binaries;
  readonly account: UnixAccount | undefined;
};

/** The one user and database of the embedded engine. */
export const OWNER = 'flightdata';

/** Where a running server listens: a unix socket in its data directory, or a port of the loopback address. */
export type ListenAddress = { readonly socket: string } | { readonly port: number };

const settings = {
  // Nobody replicates from this server: the log then need not carry what a replica would, and COPY into a new table skips it.
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'on',
  shared_buffers: '256MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  // A day is a partition with eight relations; a load that lays out a year anew holds locks on all of them.
  max_locks_per_transaction: '512',
  checkpoint_timeout: '15min',
  // Queries here are short; compiling one costs more than running it.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  unix_socket_permissions: '0700',
} as const;

/** The address of a socket must fit into 104 bytes on some systems, its end included; a port serves where the path is longer. */
const LONGEST_SOCKET_PATH = 103;
const PORT_OF_SOCKET = 5432;

/**
 * The working directory is entered before the user changes, and this name leads to it without walking the path: so a data
 * directory under folders that only root may enter works all the same.
 */
const dataArgument = ({ folder, account }: Pick<Cluster, 'folder' | 'account'>): string =>
  account && process.platform === 'linux' ? '/proc/self/cwd' : folder;

/**
 * Makes the data directory if there is none. It is made under another name and renamed when whole, so that one that
 * was interrupted is never mistaken for a real one. Takes about 0.7 s.
 */
export const initCluster = async ({ folder, binaries, account }: Cluster): Promise<void> => {
  const made = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    // A directory that is there but closed to this user must not be taken for none.
    if (cause.code === 'ENOENT') return undefined;
    throw new Error(`${folder} cannot be read: it belongs to another user`, { cause });
  });
  if (made?.trim() === binaries.major) return;
  if (made !== undefined)
    throw new Error(
      `${folder} was made by PostgreSQL ${made.trim()}, this program brings ${binaries.major}; export the data with the older release, or ${DATABASE_URL_HINT}`,
    );
  const parent = dirname(folder);
  const drafts = (await readdir(parent)).filter((name) => name.startsWith(`${basename(folder)}.draft`));
  for (const name of drafts) await rm(join(parent, name), { recursive: true });
  const draft = `${folder}.draft`;
  const password = randomBytes(24).toString('base64url');
  try {
    await mkdir(draft, { mode: 0o700 });
    if (account) await chown(draft, account.uid, account.gid);
    await runInitdb({ folder: draft, binaries, account }, password);
    await writeOwned(join(draft, 'flightdata-password'), password, account);
    await rename(draft, folder);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(
      `PostgreSQL could not make its data directory ${folder}: ${cause instanceof Error ? cause.message : String(cause)}; ${DATABASE_URL_HINT}`,
      { cause },
    );
  }
};

const runInitdb = async ({ folder, binaries, account }: Cluster, password: string): Promise<void> => {
  // An argument would show the password to the whole machine, and a named file could not be reached by the other user.
  const file = `${folder}-password`;
  await writeOwned(file, password, account);
  const handle = await open(file, 'r');
  try {
    await runProgram(binaries.initdb, {
      args: [
        '-D',
        dataArgument({ folder, account }),
        '--username',
        OWNER,
        '--pwfile',
        '/dev/stdin',
        '--auth',
        'scram-sha-256',
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
        '--no-instructions',
      ],
      cwd: folder,
      account,
      stdin: handle.fd,
    });
  } finally {
    await handle.close();
    await rm(file);
  }
};

const writeOwned = async (path: string, text: string, account: UnixAccount | undefined): Promise<void> => {
  await writeFile(path, text, { mode: 0o600, flush: true });
  if (account) await chown(path, account.uid, account.gid);
};

/** The password of the owner, made with the data directory. */
export const readPassword = ({ folder }: Cluster): Promise<string> =>
  readFile(join(folder, 'flightdata-password'), 'utf8');

/** What a server writes about itself while it runs, and leaves behind when it is killed: process id, and where it listens. */
export const readState = async ({
  folder,
}: Pick<Cluster, 'folder'>): Promise<{ readonly pid: number; readonly address: ListenAddress } | undefined> => {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , port, socketFolder] = text.split('\n');
  if (!Number(pid) || !Number(port)) return undefined;
  return { pid: Number(pid), address: socketFolder ? { socket: folder } : { port: Number(port) } };
};

/**
 * Whether a process is the server of this data directory. A process id alone does not tell, it may have gone to another
 * process; the server is the one that works in the directory. Undefined where the system does not say.
 */
export const isServerProcess = async (
  pid: number,
  { folder }: Pick<Cluster, 'folder'>,
): Promise<boolean | undefined> => {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ESRCH') return false;
  }
  if (process.platform !== 'linux') return undefined;
  const place = await stat(`/proc/${pid}/cwd`).catch((cause: NodeJS.ErrnoException) => cause.code);
  const own = await stat(folder);
  // ENOENT is a process that has ended and only waits for its parent to hear of it.
  if (place === 'ENOENT') return false;
  return typeof place === 'object' ? place.dev === own.dev && place.ino === own.ino : undefined;
};

/** Where the next server is to listen. A port that served before is taken again, so that pools of other processes find it. */
export const chooseAddress = async ({ folder }: Cluster, wantsPort: boolean): Promise<ListenAddress> => {
  const socket = join(folder, `.s.PGSQL.${PORT_OF_SOCKET}`);
  if (!wantsPort && Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH) return { socket: folder };
  const before = (await readState({ folder }))?.address;
  const usual = before && 'port' in before ? await freePort(before.port).catch(() => undefined) : undefined;
  return { port: usual ?? (await freePort(0)) };
};

const freePort = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

/** A server that was started: its process, and what it said if it ended again. */
export type ServerProcess = { readonly pid: number; readonly ended: () => string | undefined };

/** Starts the server; it is not ready yet. It outlives this process, and no Ctrl-C of a terminal reaches it. Its log is beside the data directory. */
export const startServer = async (
  { folder, binaries, account }: Cluster,
  address: ListenAddress,
): Promise<ServerProcess> => {
  const logFile = `${folder}.log`;
  await rename(logFile, `${logFile}.1`).catch(() => {});
  const log = await open(logFile, 'w', 0o600);
  const listen =
    'socket' in address
      ? { listen_addresses: '', unix_socket_directories: '.', port: PORT_OF_SOCKET }
      : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: address.port };
  const args = Object.entries({ ...settings, ...listen }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    await removeStaleState(folder);
    const child = spawn(binaries.postgres, ['-D', dataArgument({ folder, account }), ...args], {
      ...account,
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise((resolve, reject) => child.on('spawn', resolve).on('error', reject));
    child.unref();
    const ended = (): string | undefined =>
      child.exitCode === null && child.signalCode === null
        ? undefined
        : `it ended with ${child.signalCode ?? `code ${child.exitCode}`}`;
    return { pid: child.pid ?? 0, ended };
  } catch (cause) {
    throw new Error(
      `PostgreSQL could not be started: ${cause instanceof Error ? cause.message : String(cause)}; ${DATABASE_URL_HINT}`,
      { cause },
    );
  } finally {
    await log.close();
  }
};

/** PostgreSQL itself sees that a process id in its lock files is dead, but not that it now belongs to another process of the same user. */
const removeStaleState = async (folder: string): Promise<void> => {
  const state = await readState({ folder });
  if (!state || (await isServerProcess(state.pid, { folder })) !== false) return;
  await rm(join(folder, `.s.PGSQL.${PORT_OF_SOCKET}.lock`), { force: true });
  await rm(join(folder, 'postmaster.pid'), { force: true });
};

/** The end of the server's log, for a message. */
export const readLog = async ({ folder }: Cluster): Promise<string> =>
  (await readFile(`${folder}.log`, 'utf8').catch(() => '')).trim().split('\n').slice(-6).join('\n');

/** Stops the server: it disconnects everybody and writes its checkpoint (a minute at most); one that hangs is cut off, and recovers at its next start. */
export const stopServer = async (cluster: Cluster): Promise<void> => {
  const state = await readState(cluster);
  if (!state || (await isServerProcess(state.pid, cluster)) === false) return;
  const ended = async (): Promise<boolean> =>
    (await readState(cluster))?.pid !== state.pid || (await isServerProcess(state.pid, cluster)) === false;
  for (const [signal, patienceMs] of [
    ['SIGINT', 60_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5000],
  ] as const) {
    try {
      process.kill(state.pid, signal);
    } catch {
      return;
    }
    const giveUpAt = performance.now() + patienceMs;
    while (performance.now() < giveUpAt) {
      if (await ended()) return;
      await wait(10);
    }
  }
  throw new Error(`PostgreSQL, process ${state.pid}, does not end`);
};
