import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { getErrorCode } from '#lib/error-code.ts';
import type { UnixAccount } from './embedded-account.ts';
import type { Binaries } from './embedded-binaries.ts';
import { environment, runProgram, DATABASE_URL_HINT } from './embedded-process.ts';
import { dismissWatchdog, startWatchdog } from './embedded-watchdog.ts';

/** A data directory of PostgreSQL, its programs, and the user who runs them. */
export type Cluster = {
  /** An absolute path. Its log and, during creation, its draft are beside it. */
  readonly folder: string;
  readonly binaries: Binaries;
  readonly account: UnixAccount | undefined;
};

/** The only user and database of the embedded engine. */
export const OWNER = 'flightdata';

/** Where a running server listens: a unix socket in its data directory, or a port of the loopback address. */
export type ListenAddress = { readonly socket: string } | { readonly port: number };

const settings = {
  // The server has no replicas: the WAL can omit what they need, and COPY into a new table skips it.
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'on',
  shared_buffers: '256MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  // A day is a partition with eight relations; a load that expands a year holds locks on all of them.
  max_locks_per_transaction: '512',
  checkpoint_timeout: '15min',
  // Queries are short: JIT compilation costs more than execution.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The sessions of a killed process end within this time, also in the middle of a long statement.
  client_connection_check_interval: '2s',
  unix_socket_permissions: '0700',
} as const;

/** The path of a unix socket is limited to 104 bytes on some systems, including the terminator; longer paths need a port. */
const MAX_SOCKET_PATH_BYTES = 103;
const SOCKET_PORT = 5432;

/**
 * Returns the data directory as an argument. A child process enters its working directory before it changes the user, and this name refers to
 * it without the path: a data directory below folders that only root can enter works too.
 */
const dataArgument = ({ folder, account }: Pick<Cluster, 'folder' | 'account'>): string =>
  account && process.platform === 'linux' ? '/proc/self/cwd' : folder;

/**
 * Creates the data directory if there is none, under another name, and renames it when complete: an interrupted one is never used.
 * Takes about 0.7 s.
 */
export const initCluster = async ({ folder, binaries, account }: Cluster): Promise<void> => {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    // An unreadable directory must not be taken for a missing one.
    if (cause.code === 'ENOENT') return undefined;
    throw new Error(`${folder} cannot be read: it belongs to another user`, { cause });
  });
  if (version?.trim() === binaries.major) return;
  if (version !== undefined)
    throw new Error(
      `${folder} was created by PostgreSQL ${version.trim()}, but this release contains PostgreSQL ${binaries.major}; export the data with the older release, or ${DATABASE_URL_HINT}`,
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
      `PostgreSQL could not create its data directory ${folder}: ${cause instanceof Error ? cause.message : String(cause)}; ${DATABASE_URL_HINT}`,
      { cause },
    );
  }
};

const runInitdb = async ({ folder, binaries, account }: Cluster, password: string): Promise<void> => {
  // All users can see arguments, and the other user cannot reach a file by name: so the password comes from standard input.
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

/** Reads the password of the owner, which is created with the data directory. */
export const readPassword = ({ folder }: Pick<Cluster, 'folder'>): Promise<string> =>
  readFile(join(folder, 'flightdata-password'), 'utf8');

/** Reads the process id and address that a running server writes, and leaves behind when it is killed. */
export const readState = async ({
  folder,
}: Pick<Cluster, 'folder'>): Promise<{ readonly pid: number; readonly address: ListenAddress } | undefined> => {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , port, socketFolder] = text.split('\n');
  if (!Number(pid) || !Number(port)) return undefined;
  return { pid: Number(pid), address: socketFolder ? { socket: folder } : { port: Number(port) } };
};

/**
 * Returns whether a process is the server of this data directory. A process id can be reused, so the working directory is compared; undefined
 * where the system does not provide it.
 */
export const isServerProcess = async (
  pid: number,
  { folder }: Pick<Cluster, 'folder'>,
): Promise<boolean | undefined> => {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if (getErrorCode(cause) === 'ESRCH') return false;
  }
  if (process.platform !== 'linux') return undefined;
  const cwd = await stat(`/proc/${pid}/cwd`).catch((cause: NodeJS.ErrnoException) => cause.code);
  const own = await stat(folder);
  // ENOENT: a zombie process, which has ended and waits for its parent.
  if (cwd === 'ENOENT') return false;
  return typeof cwd === 'object' ? cwd.dev === own.dev && cwd.ino === own.ino : undefined;
};

/** Chooses the address of the next server. The port of the previous one is reused, so that pools of other processes find it. */
export const chooseAddress = async ({ folder }: Cluster, needsPort: boolean): Promise<ListenAddress> => {
  const socket = join(folder, `.s.PGSQL.${SOCKET_PORT}`);
  if (!needsPort && Buffer.byteLength(socket) <= MAX_SOCKET_PATH_BYTES) return { socket: folder };
  const before = (await readState({ folder }))?.address;
  const samePort = before && 'port' in before ? await freePort(before.port).catch(() => undefined) : undefined;
  return { port: samePort ?? (await freePort(0)) };
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

/** A started server; `exitReason` returns why it has ended, or undefined while it runs. */
export type ServerProcess = { readonly pid: number; readonly exitReason: () => string | undefined };

/**
 * Starts the server without waiting until it is ready. It is detached: it receives no Ctrl-C, and outlives this process until its last user has
 * ended. Its log is beside the data directory.
 */
export const startServer = async (
  { folder, binaries, account }: Cluster,
  address: ListenAddress,
): Promise<ServerProcess> => {
  const logFile = `${folder}.log`;
  await rename(logFile, `${logFile}.1`).catch(() => {});
  const log = await open(logFile, 'w', 0o600);
  const listen =
    'socket' in address
      ? { listen_addresses: '', unix_socket_directories: '.', port: SOCKET_PORT }
      : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: address.port };
  const args = Object.entries({ ...settings, ...listen }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    await removeStaleState(folder);
    startWatchdog(folder, log.fd);
    const child = spawn(binaries.postgres, ['-D', dataArgument({ folder, account }), ...args], {
      ...account,
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise((resolve, reject) => child.on('spawn', resolve).on('error', reject));
    child.unref();
    const exitReason = (): string | undefined =>
      child.exitCode === null && child.signalCode === null
        ? undefined
        : `it ended with ${child.signalCode ?? `code ${child.exitCode}`}`;
    return { pid: child.pid ?? 0, exitReason };
  } catch (cause) {
    throw new Error(
      `PostgreSQL could not be started: ${cause instanceof Error ? cause.message : String(cause)}; ${DATABASE_URL_HINT}`,
      { cause },
    );
  } finally {
    await log.close();
  }
};

/** Removes lock files whose process id now belongs to another process of the same user: PostgreSQL recognizes only dead ones. */
const removeStaleState = async (folder: string): Promise<void> => {
  const state = await readState({ folder });
  if (!state || (await isServerProcess(state.pid, { folder })) !== false) return;
  await rm(join(folder, `.s.PGSQL.${SOCKET_PORT}.lock`), { force: true });
  await rm(join(folder, 'postmaster.pid'), { force: true });
};

/** Reads the last lines of the server's log, for an error message. */
export const readLog = async ({ folder }: Cluster): Promise<string> =>
  (await readFile(`${folder}.log`, 'utf8').catch(() => '')).trim().split('\n').slice(-6).join('\n');

/** Stops the server with a checkpoint, which can take a minute; one that hangs is killed, and recovers at its next start. */
export const stopServer = async (cluster: Pick<Cluster, 'folder'>): Promise<void> => {
  await endServerProcess(cluster);
  dismissWatchdog(cluster.folder);
};

const endServerProcess = async (cluster: Pick<Cluster, 'folder'>): Promise<void> => {
  const state = await readState(cluster);
  if (!state || (await isServerProcess(state.pid, cluster)) === false) return;
  const ended = async (): Promise<boolean> =>
    (await readState(cluster))?.pid !== state.pid || (await isServerProcess(state.pid, cluster)) === false;
  for (const [signal, timeoutMs] of [
    ['SIGINT', 60_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5000],
  ] as const) {
    try {
      process.kill(state.pid, signal);
    } catch {
      return;
    }
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if (await ended()) return;
      await wait(10);
    }
  }
  throw new Error(`PostgreSQL, process ${state.pid}, does not end`);
};
