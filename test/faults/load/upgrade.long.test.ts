import { cp } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { migrate } from '#store/schema/migrate.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { createTemporaryFolder } from '#test/support/temporary-folder.ts';
import { reportFault } from '../support/report-fault.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { seedWorld, worldPaths } from '../support/seed-world.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startSteadyLoad } from '../support/steady-load.ts';

/** Number of consecutive schema versions; each migration runs while a long transaction reads the tables it changes. */
const UPGRADES = Number(process.env['UPGRADES'] ?? 2);

const { sql, url } = await sharedDatabase();
const { folder, write } = createTemporaryFolder();
await cp(fileURLToPath(new URL('../../../src/server/store/schema/migrations/', import.meta.url)), folder, {
  recursive: true,
});
await seedWorld(sql);
let server: ServerProcess | undefined;
afterAll(() => server?.kill());

/** Formats a migration of tables that every request reads and every load writes: columns, an index, a trigger, a new table. */
const formatMigration = (version: number): string => `
  create table upgrade_${version} (id integer primary key);
  alter table flight_instance add column upgrade_${version} text;
  alter table subscription add column upgrade_${version} integer check (upgrade_${version} >= 0);
  alter table expanded_day add column upgrade_${version} text;
  create index upgrade_${version}_location on location (lower(iata));
  create function upgrade_${version}() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger upgrade_${version} after insert on flight_instance for each statement execute function upgrade_${version}();
`;

/** Starts a long transaction that reads the migrated tables, such as a backup. Returns a function that ends it. */
const startLongRead = async (): Promise<() => Promise<void>> => {
  const session = await sql.reserve();
  await session`begin`;
  await session`select count(*) from subscription, flight_instance, expanded_day`;
  return async () => {
    await session`rollback`;
    session.release();
  };
};

test(
  'serves without errors while the database is migrated to the next schema version',
  { timeout: 60_000 + UPGRADES * 30_000 },
  async () => {
    server = await startServerProcess([], {
      DATABASE_URL: url,
      FLIGHTDATA_TODAY: '2026-06-01',
      HORIZON_DAYS: '3',
      // Without the cache every page is read from the database.
      CACHE_MB: '0',
    });
    const load = startSteadyLoad({
      base: server.base,
      paths: worldPaths,
      headers: { 'Subscription-Key': TEST_KEY },
      keepAliveConnections: 6,
      singleUseConnections: 2,
      pauseMs: 5,
    });
    await load.waitForMore(100);
    const applied: string[] = [];
    let waited = 0;
    for (let version = 9001; version <= 9000 + UPGRADES; version += 1) {
      write(`${version}-next.sql`, formatMigration(version));
      const stopReading = await startLongRead();
      const migrating = migrate(sql, pathToFileURL(`${folder}/`));
      const listBlockedLocks = () => sql`
        select from pg_locks join pg_database as d on d.oid = database where datname = current_database() and not granted
          and mode = 'AccessExclusiveLock'`;
      await expect.poll(async () => (await listBlockedLocks()).length, { interval: 20 }).toBe(1);
      waited += 1;
      await load.waitForMore(100);
      await stopReading();
      applied.push(...(await migrating));
      await load.waitForMore(100);
    }
    const requests = await load.stop();
    const failed = requests.filter(({ status }) => status !== 200);
    const longestMs = Math.round(Math.max(...requests.map(({ ms }) => ms)));
    const counts = { upgrades: applied.length, requests: requests.length, failed: failed.length };
    reportFault(43, { ...counts, 'blocked by the reader': waited, 'longest ms': longestMs });
    expect(failed.slice(0, 5)).toEqual([]);
    expect(applied).toEqual(Array.from({ length: UPGRADES }, (_, index) => `${9001 + index}-next.sql`));
  },
);
