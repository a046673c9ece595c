import { createPageCacheMetrics, type PageCacheStatistics } from '#http/cache/page-cache.ts';
import { openDatabase, type Database } from '#store/pool/database.ts';
import { readMasterData, type LoadedMasterData } from '#jobs/cache/master-data-cache.ts';
import { createTestApp, JUNE_NOON } from '#test/support/test-app.ts';
import { TEST_KEY, type TinyService } from '#test/support/tiny-world.ts';

/** A further server over the store of a test service, like another process. */
export type Server = {
  readonly db: Database;
  /** Connection for reading page changes, used while pages are cached. */
  readonly changesDb: Database;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly counts: PageCacheStatistics;
  /** Reloads master data, as a running server does after a change. */
  readonly refresh: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts a server over the store of a test service with its own connections and a page cache of this size; 0 disables it. */
export const startServer = async (
  world: Pick<TinyService, 'url'>,
  pageCacheBytes: number,
  leaseMs = 0,
): Promise<Server> => {
  const db = openDatabase({ url: world.url, applicationName: 'flightdata test', max: 4 });
  const changesDb = openDatabase({ url: world.url, applicationName: 'flightdata test', max: 1 });
  let masterData: LoadedMasterData = await readMasterData(db, JUNE_NOON);
  const { statistics: counts } = createPageCacheMetrics();
  const app = await createTestApp(db, {
    masterData: () => masterData,
    ...(pageCacheBytes > 0 && {
      pageCache: {
        sql: changesDb,
        maxBytes: pageCacheBytes,
        leaseMs,
        statistics: counts,
      },
    }),
  });
  return {
    db,
    changesDb,
    counts,
    get: (path, headers = {}) =>
      app.request(`http://service.test${path}`, { headers: { 'subscription-key': TEST_KEY, ...headers } }),
    refresh: async () => {
      masterData = await readMasterData(db, JUNE_NOON);
    },
    stop: async () => {
      await Promise.all([db, changesDb].map((pool) => pool.end({ timeout: 1 })));
    },
  };
};
