import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { findBinaries, findPackage, type PostgresPackage } from '../../../src/store/engine/embedded-binaries.ts';
import { initCluster, readState, startServer, stopServer } from '../../../src/store/engine/embedded-cluster.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };

let folder: string;
let logged: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightdata-binaries-'));
  await chmod(folder, 0o755);
  logged = [];
});
afterEach(() => rm(folder, { recursive: true }));

const log = (message: string): void => void logged.push(message);

/** The package as npm leaves it without install scripts: no links. */
const unpack = async (name: string): Promise<PostgresPackage> => {
  const { root, version } = await findPackage();
  const copy = join(folder, name);
  await cp(root, copy, { recursive: true, filter: async (path) => !(await isLink(root, path)) });
  return { root: copy, version };
};
const isLink = async (root: string, path: string): Promise<boolean> => {
  const links: { target: string }[] = JSON.parse(
    await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  return links.some(({ target }) => path === join(root, target));
};

test('creates the links missing after an installation without scripts, with several processes and repeatedly', async () => {
  const unpacked = await unpack('package');
  const options = { account: undefined, copyTo: [], log };
  const [first, ...others] = await Promise.all([
    findBinaries(unpacked, options),
    findBinaries(unpacked, options),
    findBinaries(unpacked, options),
  ]);
  expect(first).toEqual({
    initdb: join(unpacked.root, 'native/bin/initdb'),
    postgres: join(unpacked.root, 'native/bin/postgres'),
    major: '18',
  });
  expect(others).toEqual([first, first]);
  expect(await findBinaries(unpacked, options)).toEqual(first);
  expect(logged).toEqual([]);
});

test.runIf(isRoot)(
  'copies programs in a folder that the other user cannot enter once, read-only for that user',
  async () => {
    await mkdir(join(folder, 'private'), { mode: 0o700 });
    const unpacked = await unpack('private/package');
    const shared = join(folder, 'shared');
    const options = { account: nobody, copyTo: [shared], log };
    const [first, second] = await Promise.all([findBinaries(unpacked, options), findBinaries(unpacked, options)]);
    const copy = join(shared, `postgresql-${unpacked.version}`);
    expect(first).toEqual({ initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres'), major: '18' });
    expect(second).toEqual(first);
    expect(await readdir(shared)).toEqual([`postgresql-${unpacked.version}`]);
    expect([(await stat(copy)).mode & 0o777, (await stat(copy)).uid]).toEqual([0o755, 0]);
    expect(logged).toEqual([
      `the PostgreSQL programs cannot be used where they are installed; they were copied to ${copy}`,
    ]);
  },
);

test.runIf(isRoot)('does not run programs that another user placed in the copy', async () => {
  await mkdir(join(folder, 'private'), { mode: 0o700 });
  const unpacked = await unpack('private/package');
  const planted = join(folder, 'shared', `postgresql-${unpacked.version}`);
  await mkdir(join(planted, 'bin'), { recursive: true });
  await writeFile(join(planted, 'bin', 'postgres'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await chmod(planted, 0o777);
  const { postgres } = await findBinaries(unpacked, { account: nobody, copyTo: [join(folder, 'shared')], log });
  expect(postgres.startsWith(planted + '/')).toBe(false);
  expect(postgres.startsWith(join(folder, 'shared'))).toBe(true);
});

test.runIf(isRoot)('as nobody, creates and serves a database in a folder that nobody may not enter', async () => {
  await mkdir(join(folder, 'private'), { mode: 0o700 });
  const binaries = await findBinaries(await unpack('package'), { account: nobody, copyTo: [], log });
  const cluster = { folder: join(folder, 'private', 'postgresql'), binaries, account: nobody };
  await initCluster(cluster);
  const { pid } = await startServer(cluster, { socket: cluster.folder });
  await expect.poll(async () => (await readState(cluster))?.pid, { timeout: 60_000 }).toBe(pid);
  expect((await stat(`/proc/${pid}`)).uid).toBe(nobody.uid);
  await stopServer(cluster);
  expect(await readState(cluster)).toBeUndefined();
  expect((await stat(cluster.folder)).mode & 0o777).toBe(0o700);
});

test('a platform without a package, and a package that cannot run, describe the workaround', async () => {
  await expect(findPackage('plan9-mips')).rejects.toThrow(
    'no PostgreSQL for plan9-mips is installed with this program; set DATABASE_URL to use a PostgreSQL server of your own instead',
  );
  const unpacked = await unpack('package');
  await rename(join(unpacked.root, 'native/bin/postgres'), join(unpacked.root, 'native/bin/gone'));
  await expect(findBinaries(unpacked, { account: undefined, copyTo: [], log })).rejects.toThrow(
    /native cannot be run \(.*ENOENT.*\); set DATABASE_URL/,
  );
});
