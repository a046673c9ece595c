import { openDatabase, type Database } from '../../../../src/store/pool/database.ts';
import { readMasterData, type MasterData } from '../../../../src/jobs/cache/master-data-cache.ts';
import { createTestApp, JUNE_NOON } from '../../../support/test-app.ts';
import { TEST_KEY, type TinyService } from '../../../support/tiny-world.ts';

/** A server of its own over a store, as another process would be. */
export type Server = {
  readonly db: Database;
  /** Where it asks what changed, while it keeps pages. */
  readonly changesDb: Database;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Of the pages asked for so far: how many were given from memory, and how many were made. */
  readonly counts: { hit: number; miss: number };
  /** Reads master data again, as a running server does when it is told of a change. */
  readonly refresh: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Serves the store of a world with connections of its own and so much memory for pages; 0 keeps none. */
export const serveAgain = async (world: Pick<TinyService, 'url'>, pageCacheBytes: number): Promise<Server> => {
  const db = openDatabase({ url: world.url, applicationName: 'flightdata test', max: 4 });
  const changesDb = openDatabase({ url: world.url, applicationName: 'flightdata test', max: 1 });
  let masterData: MasterData = await readMasterData(db, JUNE_NOON);
  const counts = { hit: 0, miss: 0 };
  const app = await createTestApp(db, {
    masterData: () => masterData,
    ...(pageCacheBytes > 0 && {
      pageCache: {
        sql: changesDb,
        maxBytes: pageCacheBytes,
        observer: {
          onLookup: (result) => {
            counts[result] += 1;
          },
        },
      },
    }),
  });
  return {
    db,
    changesDb,
    counts,
    get: (path, headers = {}) =>
      app(new Request(`http://service.test${path}`, { headers: { 'subscription-key': TEST_KEY, ...headers } })),
    refresh: async () => {
      masterData = await readMasterData(db, JUNE_NOON);
    },
    stop: async () => {
      await Promise.all([db, changesDb].map((pool) => pool.end({ timeout: 1 })));
    },
  };
};
