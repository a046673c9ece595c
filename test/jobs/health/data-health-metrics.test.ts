import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLimitedDatabase, type Database } from '#store/pool/database.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { formatMetrics } from '#telemetry/format-metrics.ts';
import { createDataHealthObserver } from '#jobs/health/data-health-metrics.ts';
import { createReadiness } from '#jobs/health/readiness.ts';
import { readMetrics } from '#test/support/read-metrics.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { fresh, useDatabase } from '../job-database.ts';

let pool: Database;
useDatabase();
const openPool = (url: string, queryTimeoutMs = 5000): Database =>
  openLimitedDatabase({ url, applicationName: 'flightdata-test', max: 2, queryTimeoutMs });
beforeAll(() => {
  pool = openPool(fresh.url);
});
afterAll(() => pool.end({ timeout: 0 }));

const now = new Date('2026-06-01T12:00:00Z');
const clock = (): Date => now;

type Observer = ReturnType<typeof createDataHealthObserver>;
const valuesOf = async (observe: Observer): Promise<Readonly<Record<string, number>>> => {
  const read = readMetrics(formatMetrics(await observe()));
  return Object.fromEntries([...read.values()].flatMap(({ samples }) => [...samples]));
};

test('an empty store reports that it is up, and no timestamps', async () => {
  const values = await valuesOf(createDataHealthObserver(pool, { clock }));
  expect(values).toMatchObject({
    flightdata_store_up: 1,
    flightdata_flight_instances: 0,
    flightdata_keys_valid: 0,
    flightdata_push_backlog_events: 0,
    flightdata_subscriptions_behind: 0,
  });
  expect(Object.keys(values).filter((name) => /timestamp|hub|days_ahead/.test(name))).toEqual([]);
});

test('reports the time of loads, the expanded days, and valid keys', async () => {
  await saveTinyMasterData(fresh.sql);
  await publishText(fresh.sql, buildFile(buildLeg()), { horizonDays: 3 });
  await insertKeyIfMissing(fresh.sql, { name: 'tests', products: ['flight-info'], key: 'a-key-of-the-tests' });
  const [loaded] = await fresh.sql<{ at: number }[]>`
    select extract(epoch from max(loaded_at))::float8 as at from load`;
  const values = await valuesOf(createDataHealthObserver(pool, { clock }));
  expect(values['flightdata_schedules_loaded_timestamp_seconds']).toBeCloseTo(loaded?.at ?? 0, 2);
  expect(values).toMatchObject({ flightdata_store_up: 1, flightdata_keys_valid: 1 });
  expect(values['flightdata_store_size_bytes']).toBeGreaterThan(1e6);
});

test('reads the store once within the reuse time, however often metrics are read', async () => {
  let readings = 0;
  const observe = createDataHealthObserver(pool, {
    clock: () => {
      readings += 1;
      return now;
    },
  });
  await Promise.all(Array.from({ length: 50 }, () => valuesOf(observe)));
  await valuesOf(observe);
  expect(readings).toBe(1);
});

test('a hanging store does not delay metrics, and is down until it responds', async () => {
  const observe = createDataHealthObserver(pool, { clock, ttlMs: 0, timeoutMs: 200 });
  const readiness = createReadiness();
  expect(await readiness.getState()).toEqual({ isReady: false, text: 'starting' });
  readiness.setReady(pool);
  expect(await readiness.getState()).toEqual({ isReady: true, text: 'ready' });
  const reserved = await fresh.sql.reserve();
  try {
    await reserved`begin`;
    await reserved`lock table push_endpoint in access exclusive mode`;
    expect(await valuesOf(observe)).toEqual({ flightdata_store_up: 0 });
  } finally {
    await reserved`rollback`;
    reserved.release();
  }
  await expect.poll(() => valuesOf(observe)).toMatchObject({ flightdata_store_up: 1 });
  readiness.setDraining();
  expect(await readiness.getState()).toEqual({ isReady: false, text: 'shutting down' });
});

test('reports an unavailable store, and that the server is not ready', async () => {
  const url = new URL(fresh.url);
  url.port = '1';
  const unavailable = openPool(url.href, 1000);
  try {
    const readiness = createReadiness();
    readiness.setReady(unavailable);
    expect(await readiness.getState()).toEqual({ isReady: false, text: 'the database does not respond' });
    expect(await valuesOf(createDataHealthObserver(unavailable, { clock }))).toEqual({ flightdata_store_up: 0 });
  } finally {
    await unavailable.end({ timeout: 0 });
  }
});
