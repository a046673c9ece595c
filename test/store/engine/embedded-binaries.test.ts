import { chmod, cp, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findBinaries, findPackage, type PostgresPackage } from '#store/engine/embedded-binaries.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const { folder } = createTemporaryFolder();
await chmod(folder, 0o755);
let logged: string[];
beforeEach(() => void (logged = []));
const log = (message: string): unknown => logged.push(message);

/** Copies the package as npm leaves it without install scripts: without links. */
const unpack = async (name: string): Promise<PostgresPackage> => {
  const { root, version } = await findPackage();
  const links: readonly { readonly target: string }[] = JSON.parse(
    await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  const targets = new Set(links.map(({ target }) => join(root, target)));
  await cp(root, join(folder, name), { recursive: true, filter: (path) => !targets.has(path) });
  return { root: join(folder, name), version };
};
await mkdir(join(folder, 'private'), { mode: 0o700 });
const [open, closed] = [await unpack('package'), await unpack('private/package')];

test('creates the links missing after an installation without scripts, with several processes and repeatedly', async () => {
  const find = () => findBinaries(open, { account: undefined, copyTo: [], log });
  const bin = join(open.root, 'native/bin');
  const found = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: '18' };
  expect([...(await Promise.all([find(), find(), find()])), await find()]).toEqual([found, found, found, found]);
  expect(logged).toEqual([]);
});

test.runIf(isRoot)('copies programs in a folder that the other user cannot enter once, read-only for it', async () => {
  const shared = join(folder, 'shared');
  const find = () => findBinaries(closed, { account: nobody, copyTo: [shared], log });
  const copy = join(shared, `postgresql-${closed.version}`);
  const found = { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres'), major: '18' };
  expect(await Promise.all([find(), find()])).toEqual([found, found]);
  expect(await readdir(shared)).toEqual([`postgresql-${closed.version}`]);
  expect([(await stat(copy)).mode & 0o777, (await stat(copy)).uid]).toEqual([0o755, 0]);
  expect(logged).toEqual([
    `the PostgreSQL programs cannot be used where they are installed; they were copied to ${copy}`,
  ]);
});

test.runIf(isRoot)('does not run programs that another user placed in the copy', async () => {
  const shared = join(folder, 'planted');
  const planted = join(shared, `postgresql-${closed.version}`);
  await mkdir(join(planted, 'bin'), { recursive: true });
  await writeFile(join(planted, 'bin', 'postgres'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await chmod(planted, 0o777);
  const { postgres } = await findBinaries(closed, { account: nobody, copyTo: [shared], log });
  expect([postgres.startsWith(`${planted}/`), postgres.startsWith(shared)]).toEqual([false, true]);
});

test('a platform without a package, and a package that cannot run, describe the workaround', async () => {
  await expect(findPackage('plan9-mips')).rejects.toThrow(
    'this package contains no PostgreSQL for plan9-mips; set DATABASE_URL to use your own PostgreSQL server instead',
  );
  await rename(join(open.root, 'native/bin/postgres'), join(open.root, 'native/bin/gone'));
  await expect(findBinaries(open, { account: undefined, copyTo: [], log })).rejects.toThrow(
    /native cannot be run \(.*ENOENT.*\); set DATABASE_URL/,
  );
});
