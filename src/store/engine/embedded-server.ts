import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { openSession } from '../pool/database.ts';
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
 * Sees to it that the server of a data directory runs and has its database; the caller holds the lock. Answers its URL.
 * Throws, with the end of the server's log, when it cannot be brought to answer.
 */
export const ensureServer = async (cluster: Cluster, log: Log): Promise<string> => {
  const password = await readPassword(cluster);
  const url = (await findRunning(cluster, password)) ?? (await start({ cluster, password, log }));
  await publish(cluster, url);
  return url;
};

const urlAt = (address: ListenAddress, password: string): string =>
  'socket' in address
    ? `postgres://${OWNER}:${password}@localhost/${OWNER}?host=${encodeURIComponent(address.socket)}`
    : `postgres://${OWNER}:${password}@127.0.0.1:${address.port}/${OWNER}`;

/**
 * A server that is starting, recovering or stopping is waited for; one that has left only its traces is not. Where the system
 * does not tell the two apart, a few seconds decide, and PostgreSQL itself has the last word.
 */
const findRunning = async (cluster: Cluster, password: string): Promise<string | undefined> => {
  for (const since = performance.now(); ;) {
    const state = await readState(cluster);
    if (!state) return undefined;
    const url = urlAt(state.address, password);
    if (await answers(url)) return url;
    const runs = await isServerProcess(state.pid, cluster);
    const waitedMs = performance.now() - since;
    if (runs === false || (runs === undefined && waitedMs > 5000)) return undefined;
    if (waitedMs > 60_000)
      throw new Error(
        `PostgreSQL, process ${state.pid} in ${cluster.folder}, does not answer:\n${await readLog(cluster)}`,
      );
    await wait(50);
  }
};

type Starting = { readonly cluster: Cluster; readonly password: string; readonly log: Log };

/** What a killed server left running ends within moments, and a free port may be taken from under us: both pass. */
const passing = /pre-existing shared memory block|lock file ".*" already exists|Address already in use/i;

/** Some shared file systems hold no sockets. */
const noSocket = /could not create any Unix-domain sockets/i;

const start = async ({ cluster, password, log }: Starting): Promise<string> => {
  let wantsPort = false;
  for (let attempts = 1; ; attempts++) {
    const address = await chooseAddress(cluster, wantsPort);
    const started = await startServer(cluster, address);
    const url = await becomesReady(started, urlAt(address, password), log).catch(async (failure: unknown) => {
      await stopServer(cluster);
      throw failure;
    });
    if (url !== undefined) return url;
    const said = await readLog(cluster);
    const worthAnother = passing.test(said) || (noSocket.test(said) && !wantsPort);
    if (!worthAnother || attempts > 20)
      throw new Error(`PostgreSQL did not start, ${started.ended()}:\n${said}\n(${DATABASE_URL_HINT})`);
    wantsPort ||= noSocket.test(said);
    await wait(500);
  }
};

/** The URL once the server takes connections, undefined when it ended instead. Recovery after a crash may take minutes. */
const becomesReady = async ({ pid, ended }: ServerProcess, url: string, log: Log): Promise<string | undefined> => {
  for (let polls = 0; ended() === undefined; polls++) {
    if (await answers(url)) return url;
    if (polls === 200) log(`PostgreSQL, process ${pid}, is still starting; after a crash it has to recover first`);
    await wait(25);
  }
  return undefined;
};

/** Codes of a server that is not there or not ready: no socket, nobody listening, 57P03 starting or stopping, 57P01 and 57P02 just going. */
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

const answers = async (url: string): Promise<boolean> => {
  const session = openSession(url, 'start of flightdata');
  try {
    await session`select 1`;
    return true;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (code === '3D000') return await createOwnDatabase(url);
    if (notReady.has(code)) return false;
    throw cause;
  } finally {
    await session.end({ timeout: 1 });
  }
};

/** The first start, or one after the first was cut short between two statements. */
const createOwnDatabase = async (url: string): Promise<boolean> => {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const session = openSession(maintenance.toString(), 'start of flightdata');
  await session.unsafe(`create database ${OWNER}`);
  await session.end();
  return true;
};

/** For the operator's own tools; nothing of ours reads it. */
const publish = async (cluster: Cluster, url: string): Promise<void> => {
  const state = await readState(cluster);
  await writeFile(
    `${cluster.folder}.json`,
    `${JSON.stringify({ url, ...state?.address, user: OWNER, database: OWNER, password: new URL(url).password, pid: state?.pid }, undefined, 2)}\n`,
    { mode: 0o600 },
  );
};
