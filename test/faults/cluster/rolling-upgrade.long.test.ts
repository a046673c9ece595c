import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '#store/pool/database.ts';
import { migrate } from '#store/schema/migrate.ts';
import { headers } from '../database/served-world.ts';
import { startHttpFeed } from '../support/http-feed.ts';
import { reportFault } from '../support/report-fault.ts';
import { seedWorld } from '../support/seed-world.ts';
import { startSteadyLoad } from '../support/steady-load.ts';
import { missingPrograms, startLocalCluster } from './local-cluster.ts';

/** 5 in the full length. */
const UPGRADES = Number(process.env['ROLLING_UPGRADES'] ?? 1);
const present = new URL('../../..', import.meta.url).pathname;
/** A checkout of the earlier version, with its packages; by default this version replaces itself. */
const earlier = process.env['UPGRADE_FROM'] ?? present;
const env = { FLIGHTDATA_TODAY: '2026-06-01', HORIZON_DAYS: '4', DRAIN_SECONDS: '3' };
const paths = [
  '/flight-instances?version=v2&DepartureDateTime=2026-06-01&Content=Status',
  '/flights?version=v1',
  '/locations?version=v1&Limit=3',
];

describe.skipIf(missingPrograms.length > 0)('a cluster', () => {
  let cluster: ReturnType<typeof startLocalCluster>;
  let db: Database;
  beforeAll(async () => {
    cluster = startLocalCluster({ basePort: 28_400 });
    db = openDatabase({ url: cluster.leaderUrl, applicationName: 'flightdata-test', max: 3 });
    if (earlier === present) await migrate(db);
    await cluster.replaceServers(earlier, env);
    await seedWorld(db);
  }, 240_000);
  afterAll(async () => {
    await db?.end({ timeout: 1 });
    cluster?.remove();
  });

  test('loses no request while its servers are replaced one after the other', { timeout: 600_000 }, async () => {
    const feed = startHttpFeed(cluster.base, { batch: 10, periodMs: 100 });
    const load = startSteadyLoad({
      base: cluster.base,
      paths,
      headers,
      keepAliveConnections: 10,
      singleUseConnections: 10,
      pauseMs: 10,
      keepsBodies: true,
    });
    await load.waitForMore(100);
    const startedAt = new Date();
    // From the earlier version once: it does not start on the schema of this one.
    for (let round = 0; round < UPGRADES; round += 1) await cluster.replaceServers(present, env);
    await load.waitForMore(100);
    await feed.stop();
    const results = await load.stop();
    const failed = results.filter(({ status }) => status !== 200);
    const [migrations] = await db<{ applied: number }[]>`
      select count(*)::int as applied from schema_migration where applied_at > ${startedAt}`;
    reportFault(53, {
      upgrades: UPGRADES,
      'of them from an earlier version': earlier === present ? 0 : 1,
      'migrations meanwhile': migrations?.applied ?? 0,
      requests: results.length,
      failed: failed.length,
      messages: feed.acknowledged.at(-1)?.last ?? 0,
      'requests of the feed that failed': feed.listFailures(),
    });
    expect(failed.slice(0, 3).map(({ status, path, body }) => [status, path, body])).toEqual([]);
    expect(feed.listFailures()).toEqual({});
  });
});
