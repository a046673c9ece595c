import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { getErrorCode } from '#lib/error-code.ts';
import { type Database, LOCK_SPACE, MIGRATION_LOCK, type Sql } from '../pool/database.ts';

type Migration = { readonly version: number; readonly name: string; readonly text: string; readonly sha256: string };
type AppliedRow = { readonly version: number; readonly name: string; readonly sha256: string };

/** The migrations are beside this module, both in a checkout and in the built package. */
const shipped = new URL('./migrations/', import.meta.url);

/**
 * Checksums of earlier texts of a migration that databases may have. A later migration brings them to the same schema: 0019 those of 0015.
 */
const earlierChecksums: Readonly<Record<string, readonly string[]>> = {
  '0015-page-changes.sql': ['8ef3b61022ea6e2d0c2b0c5455d1d2ce8ce428c1e79a9955def8d40c48ca5672'],
};

/**
 * How long a migration waits for a lock, milliseconds. Queries of servers queue behind it, and are rejected after waiting for 500 ms.
 */
const LOCK_WAIT_MS = 200;
/** The delay before a retry, and the number of attempts: 15 minutes in total, longer than a large load holds its locks. */
const RETRY_DELAY_MS = 1000;
const MAX_ATTEMPTS = 750;

/**
 * Applies every `NNNN-name.sql` that is not applied yet, in order, each in one transaction with its row in `schema_migration`; returns the names
 * of those applied. Several processes may call it at the same time, and servers of the previous version may run meanwhile: a migration that
 * waits for a lock gives up before others have waited long behind it, and retries. Throws when an applied file was changed or is missing, when
 * the database is newer than the files, and when a file fails.
 */
export const migrate = async (database: Database, directory: URL = shipped): Promise<readonly string[]> => {
  const migrations = await readMigrations(directory);
  const applied: string[] = [];
  // First only creates and checks the ledger, so that an incompatible database is rejected before it is changed.
  await withMigrationLock(database, (sql) => readLedger(sql, migrations));
  for (const migration of migrations) {
    const isApplied = await retryOnLockTimeout(() =>
      withMigrationLock(database, async (sql) => {
        const done = await readLedger(sql, migrations);
        if (done.has(migration.version)) return false;
        await sql`select set_config('lock_timeout', ${LOCK_WAIT_MS}::text, true)`;
        await apply(sql, migration);
        return true;
      }),
    );
    if (isApplied) applied.push(migration.name);
  }
  return applied;
};

/** Returns the names of the migrations that a database lacks. Changes nothing; throws like `migrate` for an incompatible database. */
export const listPendingMigrations = async (sql: Sql, directory: URL = shipped): Promise<readonly string[]> => {
  const migrations = await readMigrations(directory);
  const ledger = await sql`select from pg_class where oid = to_regclass('schema_migration')`;
  const done = ledger.length === 0 ? new Set() : await checkLedger(sql, migrations);
  return migrations.filter(({ version }) => !done.has(version)).map(({ name }) => name);
};

const readMigrations = async (directory: URL): Promise<readonly Migration[]> => {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
  const migrations = await Promise.all(names.map((name) => readMigration(directory, name)));
  const twice = migrations.find(({ version }, index) => migrations[index - 1]?.version === version);
  if (twice) throw new Error(`two migrations have the number of ${twice.name}`);
  return migrations;
};

const readMigration = async (directory: URL, name: string): Promise<Migration> => {
  const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1];
  if (number === undefined)
    throw new Error(`not the name of a migration: '${name}', which must look like 0001-what-it-does.sql`);
  // A checkout may convert line endings; the schema, and so the checksum, is the same.
  const text = (await readFile(new URL(name, directory), 'utf8')).replaceAll('\r\n', '\n');
  return { version: Number(number), name, text, sha256: createHash('sha256').update(text).digest('hex') };
};

/** Runs a task in a transaction that holds the migration lock: when a process dies half-way, its lock ends with the transaction. */
const withMigrationLock = <T>(database: Database, task: (sql: Sql) => Promise<T>) =>
  database.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${MIGRATION_LOCK}::int)`;
    return task(sql);
  });

const retryOnLockTimeout = async <T>(task: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await task();
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !isLockTimeout(error)) throw error;
      await delay(RETRY_DELAY_MS);
    }
  }
};

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && getErrorCode(error.cause) === LOCK_NOT_AVAILABLE;

const LOCK_NOT_AVAILABLE = '55P03';

const readLedger = async (sql: Sql, migrations: readonly Migration[]): Promise<ReadonlySet<number>> => {
  await sql`
    create table if not exists schema_migration (
      version    integer primary key,
      name       text not null,
      sha256     text not null,
      applied_at timestamptz not null default now()
    )`;
  return checkLedger(sql, migrations);
};

const checkLedger = async (sql: Sql, migrations: readonly Migration[]): Promise<ReadonlySet<number>> => {
  const rows = await sql<AppliedRow[]>`select version, name, sha256 from schema_migration order by version`;
  const newest = migrations.at(-1)?.version ?? 0;
  for (const { version, name, sha256 } of rows) {
    if (version > newest)
      throw new Error(
        `the database is newer than this release: it has migration ${name}, this release ends at ${newest}; install the newer release`,
      );
    const file = migrations.find((migration) => migration.version === version);
    if (!file)
      throw new Error(
        `the database has migration ${name}, which this release does not contain; install the release that created it`,
      );
    if (file.sha256 !== sha256 && !earlierChecksums[name]?.includes(sha256))
      throw new Error(`migration ${file.name} was changed after it was applied; restore it and add a new migration`);
  }
  return new Set(rows.map(({ version }) => version));
};

const apply = async (sql: Sql, { version, name, text, sha256 }: Migration): Promise<void> => {
  try {
    await sql.unsafe(text);
  } catch (cause) {
    throw new Error(
      `migration ${name} failed${formatErrorLine(cause, text)}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  await sql`insert into schema_migration (version, name, sha256) values (${version}, ${name}, ${sha256})`;
};

/** Returns the line of an error: PostgreSQL reports the 1-based position of the character. */
const formatErrorLine = (cause: unknown, text: string): string => {
  if (typeof cause !== 'object' || cause === null || !('position' in cause)) return '';
  return ` at line ${text.slice(0, Number(cause.position) - 1).split('\n').length}`;
};
