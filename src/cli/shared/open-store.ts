import type { Config } from '../../config.ts';
import { openDatabase, type Database } from '../../store/pool/database.ts';
import { openEmbedded } from '../../store/engine/embedded.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { openTracing } from './tracing.ts';

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

/** Opens DATABASE_URL, or else the embedded PostgreSQL of DATA_DIR, at its present schema version. */
export const openStoreWithoutMigration = async ({ databaseUrl, dataDir }: Config, command: string): Promise<Store> => {
  const applicationName = `flightdata ${command}`;
  if (databaseUrl === undefined) {
    const { sql, ...rest } = await openEmbedded({ dataDir, applicationName, log: printError });
    return { db: sql, ...rest };
  }
  const db = openDatabase({ url: databaseUrl, applicationName });
  return {
    db,
    url: databaseUrl,
    applicationName,
    claimServerRole: async () => {},
    close: () => db.end({ timeout: 5 }),
  };
};

/** Opens DATABASE_URL, or else the embedded PostgreSQL of DATA_DIR, and applies pending migrations. */
export const openStore = async (config: Config, command: string): Promise<Store> => {
  const store = await openStoreWithoutMigration(config, command);
  try {
    await migrate(store.db);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
};

/** Runs a command on the store, as one trace, and closes the store in any case. */
export const withStore = async <T>(config: Config, command: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openStore(config, command);
  const tracing = openTracing(config, (error) => printError(error instanceof Error ? error.message : String(error)));
  try {
    tracing.traceQueries(store.db);
    return await tracing.trace(`flightdata ${command}`, () => work(store));
  } finally {
    await tracing.close();
    await store.close();
  }
};
