import type { Config } from '../config.ts';
import { openDatabase, type Database } from '../store/pool/database.ts';
import { openEmbedded } from '../store/engine/embedded.ts';
import { migrate } from '../store/schema/migrate.ts';
import { openTracing } from './open-tracing.ts';

/** The store a command works on, migrated. */
export type Store = {
  readonly db: Database;
  /** Where it is, for another pool of one's own; holds the password. */
  readonly url: string;
  /** For another pool of this process. */
  readonly applicationName: string;
  /** Makes this process the one server of an embedded store; with DATABASE_URL there may be many. */
  readonly claimServerRole: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const say = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

/** Opens DATABASE_URL, or else the embedded PostgreSQL of DATA_DIR, whatever migrations it has had. */
export const openAsItIs = async ({ databaseUrl, dataDir }: Config, command: string): Promise<Store> => {
  const applicationName = `flightdata ${command}`;
  if (databaseUrl === undefined) {
    const { sql, ...rest } = await openEmbedded({ dataDir, applicationName, log: say });
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

/** Opens DATABASE_URL, or else the embedded PostgreSQL of DATA_DIR, and applies the migrations that are missing. */
export const openStore = async (config: Config, command: string): Promise<Store> => {
  const store = await openAsItIs(config, command);
  try {
    await migrate(store.db);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
};

/** Runs a command on the store and closes it, however the command ends. */
export const withStore = async <T>(config: Config, command: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openStore(config, command);
  const tracing = openTracing(config, (error) => say(error instanceof Error ? error.message : String(error)));
  try {
    tracing.queries(store.db);
    return await tracing.work(`flightdata ${command}`, () => work(store));
  } finally {
    await tracing.close();
    await store.close();
  }
};
