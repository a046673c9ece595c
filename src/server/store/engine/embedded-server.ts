import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { getErrorCode } from '#lib/error-code.ts';
import { type Database, openSession } from '../pool/database.ts';
import {
  type ListenAddress,
  chooseAddress,
  type Cluster,
  isServerProcess,
  OWNER,
  readLog,
  readPassword,
  readState,
  type ServerProcess,
  startServer,
  stopServer,
} from './embedded-cluster.ts';
import { DATABASE_URL_HINT } from './embedded-process.ts';

type Log = (message: string) => void;

/**
 * Ensures that the server of a data directory runs and has its database, and returns its URL; the caller holds the lock. Throws, with the end
 * of the server's log, when it accepts no connections.
 */
export const ensureServer = async (cluster: Cluster, log: Log): Promise<string> => {
  const password = await readPassword(cluster);
  const url = (await findRunning(cluster, password)) ?? (await startUntilReady({ cluster, password, log }));
  await writeConnectionFile(cluster, url);
  return url;
};

/** Returns the URL of a server at an address. */
export const formatUrl = (address: ListenAddress, password: string): string =>
  'socket' in address
    ? `postgres://${OWNER}:${password}@localhost/${OWNER}?host=${encodeURIComponent(address.socket)}`
    : `postgres://${OWNER}:${password}@127.0.0.1:${address.port}/${OWNER}`;

/**
 * Finds a running server. Waits for one that is starting, recovering or stopping, but not for one that has only left its files. Where the
 * system cannot distinguish the two, waits five seconds; PostgreSQL itself then prevents a second server.
 */
const findRunning = async (cluster: Cluster, password: string): Promise<string | undefined> => {
  for (const since = performance.now(); ;) {
    const state = await readState(cluster);
    if (!state) return undefined;
    const url = formatUrl(state.address, password);
    if (await canConnect(url)) return url;
    const runs = await isServerProcess(state.pid, cluster);
    const waitedMs = performance.now() - since;
    if (runs === false || (runs === undefined && waitedMs > 5000)) return undefined;
    if (waitedMs > 60_000)
      throw new Error(
        `PostgreSQL, process ${state.pid} in ${cluster.folder}, does not respond:\n${await readLog(cluster)}`,
      );
    await wait(50);
  }
};

type StartOptions = { readonly cluster: Cluster; readonly password: string; readonly log: Log };

/** Temporary failures: child processes of a killed server end soon, and another process may have taken the free port. */
const temporaryFailure = /pre-existing shared memory block|lock file ".*" already exists|Address already in use/i;

/** Some shared file systems do not support sockets. */
const socketUnsupported = /could not create any Unix-domain sockets/i;

const startUntilReady = async ({ cluster, password, log }: StartOptions): Promise<string> => {
  let needsPort = false;
  for (let attempts = 1; ; attempts++) {
    const address = await chooseAddress(cluster, needsPort);
    const started = await startServer(cluster, address);
    const url = await waitUntilReady(started, formatUrl(address, password), log).catch(async (failure: unknown) => {
      await stopServer(cluster);
      throw failure;
    });
    if (url !== undefined) return url;
    const logTail = await readLog(cluster);
    const canRetry = temporaryFailure.test(logTail) || (socketUnsupported.test(logTail) && !needsPort);
    if (!canRetry || attempts > 20)
      throw new Error(`PostgreSQL did not start, ${started.exitReason()}:\n${logTail}\n(${DATABASE_URL_HINT})`);
    needsPort ||= socketUnsupported.test(logTail);
    await wait(500);
  }
};

/** Returns the URL when the server accepts connections, undefined when it has ended. Recovery after a crash can take minutes. */
const waitUntilReady = async (
  { pid, exitReason }: ServerProcess,
  url: string,
  log: Log,
): Promise<string | undefined> => {
  for (let polls = 0; exitReason() === undefined; polls++) {
    if (await canConnect(url)) return url;
    if (polls === 200) log(`PostgreSQL, process ${pid}, is still starting; recovery after a crash can take minutes`);
    await wait(25);
  }
  return undefined;
};

/** Counts the sessions of other processes of this service. Ending sessions of this process have its own name. */
export const countOtherUsers = async (session: Database, name: string): Promise<number> => {
  const rows = await session`
    select from pg_stat_activity
    where backend_type = 'client backend' and starts_with(application_name, 'flightdata') and application_name <> ${name}`;
  return rows.length;
};

/** Codes of a server that is absent or not ready: no socket, not listening, 57P03 starting or stopping, 57P01 and 57P02 shutting down. */
const notReady = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  '57P01',
  '57P02',
  '57P03',
]);

const canConnect = async (url: string): Promise<boolean> => {
  const session = openSession(url, 'start of flightdata');
  try {
    await session`select 1`;
    return true;
  } catch (cause) {
    const code = getErrorCode(cause);
    if (code === '3D000') return await createOwnDatabase(url);
    if (notReady.has(code)) return false;
    throw cause;
  } finally {
    await session.end({ timeout: 1 });
  }
};

/** Returns the URL of the database that every server has. */
export const toMaintenanceUrl = (url: string): string => {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  return maintenance.toString();
};

/** Creates the database at the first start, or after an interrupted one. */
const createOwnDatabase = async (url: string): Promise<boolean> => {
  const session = openSession(toMaintenanceUrl(url), 'start of flightdata');
  await session.unsafe(`create database ${OWNER}`);
  await session.end();
  return true;
};

/** Writes the connection data for the operator's own tools; the service does not read it. */
const writeConnectionFile = async (cluster: Cluster, url: string): Promise<void> => {
  const state = await readState(cluster);
  await writeFile(
    `${cluster.folder}.json`,
    `${JSON.stringify({ url, ...state?.address, user: OWNER, database: OWNER, password: new URL(url).password, pid: state?.pid }, undefined, 2)}\n`,
    { mode: 0o600 },
  );
};
