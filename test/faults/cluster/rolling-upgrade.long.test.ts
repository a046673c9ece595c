import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { openDatabase, type Database } from '#store/pool/database.ts';
import { migrate } from '#store/schema/migrate.ts';
import { message } from '#test/jobs/status/messages.ts';
import { JUNE_NOON } from '#test/support/test-app.ts';
import { headers } from '../database/served-world.ts';
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
    const ingester = await createStatusIngester(db, undefined, JUNE_NOON);
    let isOver = false;
    let stored = 0;
    const feed = (async () => {
      while (!isOver) {
        stored += 1;
        const at = new Date(Date.UTC(2026, 5, 1) + stored * 1000).toISOString();
        await ingester.ingest([message({ id: `m${stored}`, at, facts: { departureGate: `G${stored}` } })]);
        await delay(20);
      }
    })();
    const load = startSteadyLoad({
      base: cluster.base,
      paths,
      headers,
      keepAliveConnections: 10,
      singleUseConnections: 10,
      pauseMs: 10,
    });
    await load.waitForMore(100);
    for (let round = 0; round < UPGRADES; round += 1) {
      if (round > 0) await cluster.replaceServers(earlier, env);
      await cluster.replaceServers(present, env);
    }
    await load.waitForMore(100);
    isOver = true;
    await feed;
    const results = await load.stop();
    const failed = results.filter(({ status }) => status !== 200);
    const version = earlier === present ? 'the same version' : 'an earlier version';
    reportFault(53, {
      upgrades: UPGRADES,
      from: version,
      requests: results.length,
      failed: failed.length,
      messages: stored,
    });
    expect(failed.slice(0, 3).map(({ status, path, body }) => [status, path, body])).toEqual([]);
  });
});
