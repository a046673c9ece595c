import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { openDatabase, openLimitedDatabase, openSession, type Database } from '#store/pool/database.ts';
import { migrate } from '#store/schema/migrate.ts';
import { monitorReplicas } from '#jobs/cache/replica-monitor.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { createTestApp, JUNE_NOON } from '#test/support/test-app.ts';
import { reportFault } from '../support/report-fault.ts';
import { seedWorld } from '../support/seed-world.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { message } from '#test/jobs/status/messages.ts';
import { startReplicatedPostgres } from './private-postgres.ts';

/** Status messages; each is requested as soon as it is stored. */
const MESSAGES = Number(process.env['REPLICA_MESSAGES'] ?? 60);
const CALLERS = 4;

let cluster: Awaited<ReturnType<typeof startReplicatedPostgres>>;
let db: Database;
const pools: Database[] = [];
let sent = 0;
let storeGate: (gate: string) => Promise<void>;
beforeAll(async () => {
  cluster = await startReplicatedPostgres();
  db = openDatabase({ url: cluster.primary.url, applicationName: 'flightdata-test', max: 4 });
  await migrate(db);
  await seedWorld(db);
  const ingester = await createStatusIngester(db, undefined, JUNE_NOON);
  storeGate = async (gate) => {
    sent += 1;
    const at = new Date(JUNE_NOON().getTime() + sent * 1000).toISOString();
    const [outcome] = await ingester.ingest([message({ id: `m${sent}`, at, facts: { departureGate: gate } })]);
    if (outcome?.kind !== 'stored') throw new Error(`message ${sent} was not stored`);
  };
});
afterAll(async () => {
  await Promise.all([db, ...pools].map((pool) => pool.end({ timeout: 1 })));
  await cluster.remove();
});

/** Serves the primary with replicas at these URLs and counts which one was used. `ignoresLag` treats every replica as caught up. */
const serve = async (urls: readonly string[], pageCacheBytes = 0, ignoresLag = false) => {
  const openPool = (url: string, max = 3): Database => {
    const pool = openLimitedDatabase({ url, applicationName: 'flightdata-test', max, queryTimeoutMs: 5000 });
    pools.push(pool);
    return pool;
  };
  const sql = openPool(cluster.primary.url);
  const errors: unknown[] = [];
  const counts = { byReplica: 0, byPrimary: 0 };
  const monitored = monitorReplicas(sql, {
    replicas: urls.map((url) => openPool(url)),
    onError: (error) => errors.push(error),
  });
  const app = await createTestApp(sql, {
    replicas: monitored.map((replica) => ({
      ...replica,
      isUpToDate: async () => {
        const isUpToDate = ignoresLag || (await replica.isUpToDate());
        counts[isUpToDate ? 'byReplica' : 'byPrimary'] += 1;
        return isUpToDate;
      },
    })),
    ...(pageCacheBytes > 0 && { pageCache: { sql: openPool(cluster.primary.url, 1), maxBytes: pageCacheBytes } }),
  });
  /** Requests the departure gate of the only flight of the day. */
  const gate = async (): Promise<string | undefined> => {
    const response = await app.request(
      'http://service.test/flight-instances?version=v2&DepartureDateTime=2026-06-01&Content=Status',
      {
        headers: { 'subscription-key': TEST_KEY },
      },
    );
    expect(response.status).toBe(200);
    const { data }: FlightInstancePage = await response.json();
    return data[0]?.statusDetails?.[0]?.departure?.gate;
  };
  return { gate, counts, errors };
};

test(
  'the response contains whatever was stored before the request, from primary or replica',
  { timeout: 240_000 + MESSAGES * 1000 },
  async () => {
    const { gate, counts, errors } = await serve([cluster.replica.url], 2 ** 20);
    let stale = 0;
    const readGates = async (expected: string): Promise<void> => {
      const gates = await Promise.all(Array.from({ length: CALLERS }, gate));
      stale += gates.filter((one) => one !== expected).length;
    };
    for (let round = 1; round <= MESSAGES; round += 1) {
      await storeGate(`A${round}`);
      await readGates(`A${round}`);
    }
    const figures = { messages: MESSAGES, responses: MESSAGES * CALLERS, stale, ...counts, errors: errors.length };
    reportFault(42, figures, 'up to date');
    expect([stale, errors]).toEqual([0, []]);
    expect(counts.byReplica).toBeGreaterThan(0);
  },
);

test('skips a replica that lags until it has caught up', async () => {
  const { gate, counts } = await serve([cluster.replica.url]);
  await expect.poll(async () => (await gate(), counts.byReplica), { interval: 20 }).toBeGreaterThan(0);
  const replica = openSession(cluster.replica.url, 'flightdata-test');
  pools.push(replica);
  await replica`select pg_wal_replay_pause()`;
  await storeGate('B1');
  const before = { ...counts };
  const gates = await Promise.all(Array.from({ length: 50 }, gate));
  const stale = gates.filter((one) => one !== 'B1').length;
  reportFault(42, { responses: gates.length, stale, 'by the replica': counts.byReplica - before.byReplica }, 'lags');
  expect(new Set(gates)).toEqual(new Set(['B1']));
  expect(counts.byReplica).toBe(before.byReplica);
  // Without the lag check the response is stale, which proves that the test detects it.
  expect(await (await serve([cluster.replica.url], 0, true)).gate()).not.toBe('B1');
  await replica`select pg_wal_replay_resume()`;
  await expect
    .poll(async () => [await gate(), counts.byReplica > before.byReplica], { interval: 20 })
    .toEqual(['B1', true]);
});

test('skips a replica that is down and uses it again when it is back', async () => {
  const { gate, counts, errors } = await serve([cluster.replica.url]);
  await expect.poll(async () => (await gate(), counts.byReplica), { interval: 20 }).toBeGreaterThan(0);
  await storeGate('C1');
  const stopped = cluster.replica.stop('immediate');
  const gates: (string | undefined)[] = [];
  while (gates.length < 50) gates.push(await gate());
  await stopped;
  const stale = gates.filter((one) => one !== 'C1').length;
  reportFault(42, { responses: gates.length, stale, 'logged errors': errors.length }, 'down');
  expect(new Set(gates)).toEqual(new Set(['C1']));
  expect(await gate()).toBe('C1');
  expect(errors.length).toBeGreaterThan(0);
  await cluster.replica.start();
  const before = counts.byReplica;
  await expect.poll(async () => [await gate(), counts.byReplica > before], { interval: 20 }).toEqual(['C1', true]);
});

test('never queries a server that is not a replica of the primary', async () => {
  // The primary itself and an unrelated server.
  const { gate, counts } = await serve([cluster.primary.url, inject('testServer')]);
  await storeGate('D1');
  expect(new Set(await Promise.all(Array.from({ length: 10 }, gate)))).toEqual(new Set(['D1']));
  // A node that turned out to be no replica is not queried again for some seconds.
  expect(counts.byReplica).toBe(0);
});
