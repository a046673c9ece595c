import type { Config } from '#config.ts';
import { delayResult } from '#lib/delay-at-least.ts';
import { maskPassword } from '#lib/mask-password.ts';
import { openDatabase, probeStore, type Database } from '#store/pool/database.ts';
import { NoStoreError, openEmbedded } from '#store/engine/embedded.ts';
import { migrate } from '#store/schema/migrate.ts';
import { explainDatabaseError } from './database-error.ts';
import { assertRoom } from './disk-room.ts';
import { openTracing, runTraced } from './tracing.ts';

/** The open store of a command. */
export type Store = {
  readonly db: Database;
  /** For further connection pools; contains the password. */
  readonly url: string;
  /** For further connection pools of this process. */
  readonly applicationName: string;
  /** Makes this process the only server of an embedded store; with DATABASE_URL there may be several. */
  readonly claimServerRole: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const printError = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

/** Commands that may create a store; of all others a mistyped DATA_DIR or DATABASE_URL is an error. The hub needs its keys before the first server. */
const creatingCommands = /^(serve|import .+|hub server-config)$/;

/** Opens a database; `log` is called when it has no store yet. */
const openServer = async (url: string, command: string, log: (message: string) => void): Promise<Store> => {
  const applicationName = `flightdata ${command}`;
  const hasStore = await probeStore(url, applicationName).catch((error: unknown) => {
    throw explainDatabaseError(error, url);
  });
  const setting = `DATABASE_URL=${maskPassword(url)}`;
  if (!hasStore && !creatingCommands.test(command)) throw new NoStoreError(setting);
  if (!hasStore) log(`new store: created in ${setting}`);
  const db = openDatabase({ url, applicationName });
  return { db, url, applicationName, claimServerRole: async () => {}, close: () => db.end({ timeout: 5 }) };
};

type OpenStoreOptions = {
  /** Whether the command fills a new store with the demo world, which needs more room. */
  readonly demo?: boolean;
};

/** Opens DATABASE_URL, or else the embedded PostgreSQL of DATA_DIR, at its present schema version. Throws NoStoreError for most commands. */
export const openStoreWithoutMigration = async (
  { databaseUrl, dataDir }: Config,
  command: string,
  { demo = false }: OpenStoreOptions = {},
): Promise<Store> => {
  if (databaseUrl !== undefined) return openServer(databaseUrl, command, printError);
  const mayCreate = creatingCommands.test(command);
  const applicationName = `flightdata ${command}`;
  if (mayCreate) await assertRoom(dataDir, { demo, warn: printError });
  const { sql, ...rest } = await openEmbedded({ dataDir, mayCreate, applicationName, log: printError });
  return { db: sql, ...rest };
};

/** Opens DATABASE_URL, or else the embedded PostgreSQL of DATA_DIR, and applies pending migrations. */
export const openStore = async (config: Config, command: string, options?: OpenStoreOptions): Promise<Store> => {
  const store = await openStoreWithoutMigration(config, command, options);
  try {
    await migrate(store.db);
  } catch (error) {
    await store.close();
    throw config.databaseUrl === undefined ? error : explainDatabaseError(error, config.databaseUrl);
  }
  return store;
};

/** The store of a command that changes what servers have in their page caches. */
export type CommandStore = Store & {
  /** Resolves with the result of `work` when no server serves pages from before its commits, so that it may be reported. */
  readonly whenVisible: <T>(work: Promise<T>) => Promise<T>;
};

/** Runs a command on the store, as one trace, and closes the store in any case. */
export const withStore = async <T>(
  config: Config,
  command: string,
  work: (store: CommandStore) => Promise<T>,
): Promise<T> => {
  const store = await openStore(config, command);
  const whenVisible: CommandStore['whenVisible'] = (pending) => delayResult(pending, config.cacheLeaseMs);
  const tracing = await openTracing(config, (error) =>
    printError(error instanceof Error ? error.message : String(error)),
  );
  try {
    tracing.traceQueries(store.db);
    return await runTraced(`flightdata ${command}`, () => work({ ...store, whenVisible }));
  } finally {
    await tracing.close();
    await store.close();
  }
};
