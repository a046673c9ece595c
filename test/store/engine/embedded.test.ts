import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#store/pool/database.ts';
import { type Embedded, openEmbedded } from '#store/engine/embedded.ts';
import { listCopyFolders, findBinaries, findPackage } from '#store/engine/embedded-binaries.ts';
import { initCluster } from '#store/engine/embedded-cluster.ts';
import { createScratchFolder } from '#test/support/scratch-folder.ts';
import type { ProcessMessage } from './embedded-user.ts';

const run = promisify(execFile);

// A store that was opened before, with a table: initdb takes a second of processor time.
const template = await createScratchFolder();
const opened = await openEmbedded({ dataDir: template, applicationName: 'flightdata-test', log: () => {} });
await opened.sql`create table kept as select 42 as answer`;
await opened.close();
afterAll(() => rm(template, { recursive: true }));

let dataDir: string;
let logged: string[];
let open: { readonly close: () => Promise<void> }[];
beforeEach(async () => {
  // Of mode 0700 and of this user: for root, a folder that the user of PostgreSQL cannot enter by path.
  dataDir = await createScratchFolder();
  logged = [];
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map(({ close }) => close()));
  await rm(dataDir, { recursive: true });
});

/** Makes the data directory a copy of the template; the files keep their owner. */
const copyTemplate = () => run('cp', ['-a', `${template}/.`, dataDir]);

const openHere = async (folder = dataDir): Promise<Embedded> => {
  const log = (message: string): unknown => logged.push(message);
  const embedded = await openEmbedded({ dataDir: folder, applicationName: 'flightdata-test', log });
  open.push(embedded);
  return embedded;
};

/** Opens the data directory in a child process, which then waits to be closed or killed. Returns the server it reached, or why it failed. */
const openElsewhere = async (...role: readonly 'server'[]) => {
  const script = fileURLToPath(new URL('./embedded-user.ts', import.meta.url));
  const child = fork(script, [dataDir, ...role], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const { opened, failed } = await new Promise<ProcessMessage>((resolve) => {
    child.once('message', (message: ProcessMessage) => resolve(message));
    child.once('exit', () => resolve({ failed: 'it ended' }));
  });
  const finish = async (step: () => void): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) step();
    await ended;
  };
  const close = () => finish(() => child.disconnect());
  open.push({ close });
  return { opened, failed, close, kill: () => finish(() => child.kill('SIGKILL')) };
};

const serverPid = async (): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgresql', 'postmaster.pid'), 'utf8')).split('\n')[0]);

const isServerRunning = (): boolean => existsSync(join(dataDir, 'postgresql', 'postmaster.pid'));
const keeps = async ({ sql }: Embedded): Promise<unknown> => [...(await sql`select answer from kept`)];

test('an empty folder becomes a database with a password that retains its data, and stops with its last user', async () => {
  const first = await openHere();
  expect((await stat(join(dataDir, 'postgresql'))).mode & 0o777).toBe(0o700);
  const settings = await first.sql`
    select current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone, current_setting('fsync') as fsync,
           current_setting('wal_level') as wal, current_setting('jit') as jit, current_database() as name, upper('é') as upper`;
  expect([...settings]).toEqual([
    { encoding: 'UTF8', zone: 'UTC', fsync: 'on', wal: 'minimal', jit: 'off', name: 'flightdata', upper: 'É' },
  ]);
  await first.sql`create table kept as select 42 as answer`;
  await first.close();
  expect(isServerRunning()).toBe(false);

  const second = await openHere();
  expect(await keeps(second)).toEqual([{ answer: 42 }]);
  expect(logged).toEqual([`new store: created in DATA_DIR=${dataDir}`]);

  // A login requires the password, which only the owner of the folder can read.
  const unauthorized = openDatabase({
    url: second.url.replace(/:[^:@]*@/, ':guess@'),
    applicationName: 'stranger',
    max: 1,
  });
  await expect(unauthorized`select 1`).rejects.toMatchObject({ code: '28P01' });
  const published = join(dataDir, 'postgresql.json');
  expect((await stat(published)).mode & 0o777).toBe(0o600);
  const shown = { url: second.url, user: 'flightdata', database: 'flightdata', pid: await serverPid() };
  expect(JSON.parse(await readFile(published, 'utf8'))).toMatchObject(shown);
});

test('a path too long for a socket is served through a port of the loopback address', async () => {
  const { url, sql } = await openHere(join(dataDir, 'long-'.repeat(20)));
  expect(url).toMatch(/^postgres:\/\/flightdata:[^@]+@127\.0\.0\.1:\d+\/flightdata$/);
  const rows = await sql`select host(inet_server_addr()) as address`;
  expect([...rows]).toEqual([{ address: '127.0.0.1' }]);
});

test('another process shares the running server, and the last one out stops it', async () => {
  await copyTemplate();
  const here = await openHere();
  const other = await openElsewhere();
  expect(other.opened?.pid).toBe(String(await serverPid()));
  await here.close();
  expect(isServerRunning()).toBe(true);
  await other.close();
  expect(isServerRunning()).toBe(false);
});

test('processes that start at the same time create one database and one server', async () => {
  const others = await Promise.all([openElsewhere(), openElsewhere(), openElsewhere()]);
  expect(others.map(({ failed }) => failed)).toEqual([undefined, undefined, undefined]);
  expect(new Set(others.map(({ opened }) => `${opened?.system} ${opened?.pid}`)).size).toBe(1);
  await Promise.all(others.map(({ close }) => close()));
  expect(isServerRunning()).toBe(false);
});

test('a PostgreSQL whose process was killed stops after its last user, and starts again with the same data', async () => {
  await copyTemplate();
  const [owner, user] = [await openElsewhere(), await openElsewhere()];
  const pid = await serverPid();
  await owner.kill();
  const here = await openHere();
  expect(await serverPid()).toBe(pid);
  await here.close();
  await user.kill();
  await expect.poll(isServerRunning, { timeout: 20_000 }).toBe(false);
  expect(await keeps(await openHere())).toEqual([{ answer: 42 }]);
});

test('a PostgreSQL that was killed with its process recovers at the next start', async () => {
  await copyTemplate();
  const other = await openElsewhere();
  const killed = await serverPid();
  await other.kill();
  process.kill(killed, 'SIGKILL');
  expect(await keeps(await openHere())).toEqual([{ answer: 42 }]);
  expect(await serverPid()).not.toBe(killed);
});

test('a PostgreSQL that is killed under a running process restarts, with the same data and the same claim', async () => {
  await copyTemplate();
  const here = await openHere();
  await here.claimServerRole();
  process.kill(await serverPid(), 'SIGKILL');
  await expect.poll(() => logged.at(-1)).toBe('reconnected to PostgreSQL');
  await expect.poll(() => keeps(here).catch(() => 'away')).toEqual([{ answer: 42 }]);
  const other = await openElsewhere('server');
  expect(other.failed).toContain('a server already uses');
});

test('a stale process ID does not prevent the start, even when another process has it', async () => {
  await copyTemplate();
  const stalePidFile = (pid: number): string => `${pid}\n/proc/self/cwd\n1700000000\n5432\n.\n\n\n`;
  await writeFile(join(dataDir, 'postgresql', 'postmaster.pid'), stalePidFile(process.pid));
  await writeFile(join(dataDir, 'postgresql', '.s.PGSQL.5432.lock'), stalePidFile(process.pid));
  expect(await keeps(await openHere())).toEqual([{ answer: 42 }]);
});

test('an interrupted start is repeated', async () => {
  await writeFile(join(dataDir, 'postgresql.draft'), 'half of it');
  await writeFile(join(dataDir, 'postgresql.lock'), '999999999 1 of a process that is gone');
  const here = await openHere();
  expect([...(await here.sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  expect(existsSync(join(dataDir, 'postgresql.draft'))).toBe(false);
});

test('a data directory has one server; a second one is rejected until the first has ended or died', async () => {
  await copyTemplate();
  const server = await openElsewhere('server');
  const here = await openHere();
  await expect(here.claimServerRole()).rejects.toThrow(
    `a server already uses the data directory ${dataDir}; stop it, or set another DATA_DIR`,
  );
  await server.kill();
  await expect(here.claimServerRole()).resolves.toBeUndefined();
});

test('data of another major release is not modified', async () => {
  await copyTemplate();
  await writeFile(join(dataDir, 'postgresql', 'PG_VERSION'), '14\n');
  await expect(openHere()).rejects.toThrow(
    /was created by PostgreSQL 14, but this release contains PostgreSQL 18; .*DATABASE_URL/,
  );
});

test.runIf(process.getuid?.() === 0)('root opens a folder of another user as that user', async () => {
  const account = { uid: 65_534, gid: 65_534 };
  const places = { account, copyTo: listCopyFolders(dataDir), log: () => {} };
  const binaries = await findBinaries(await findPackage(), places);
  await initCluster({ folder: join(dataDir, 'postgresql'), binaries, account });
  await openHere();
  expect((await stat(`/proc/${await serverPid()}`)).uid).toBe(account.uid);
});
