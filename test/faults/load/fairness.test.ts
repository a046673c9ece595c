import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpServer, type HttpServer } from '#http/server/server.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { openDatabase, type Database } from '#store/pool/database.ts';
import { untilBlocked } from '#test/support/database.ts';
import { profile } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { createTestApp } from '#test/support/test-app.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '#test/support/tiny-world.ts';

const FLOOD = 30;

let world: TinyService;
let server: HttpServer;
let base = '';
let victimKey = '';
/** As many connections as a server has for requests. */
let pool: Database;
/** A connection of its own for what blocks the requests. */
let blocker: Database;
beforeAll(async () => {
  world = await serveTinyWorld();
  blocker = openDatabase({ url: world.url, applicationName: 'flightdata-test', max: 1 });
  pool = openDatabase({ url: world.url, applicationName: 'flightdata-test', max: 10 });
  const objectLimits = { accounts: 1000, alerts: 1000, endpoints: 1000 };
  const app = await createTestApp(pool, { objectLimits });
  server = openHttpServer({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  base = `http://127.0.0.1:${(await server.listening).port}`;
  ({ key: victimKey } = await createKey(world.db, { name: 'victim', products: ['flight-info-alerts', 'schedules'] }));
});
afterAll(async () => {
  await server.close(0);
  await Promise.all([blocker.end(), pool.end()]);
  await world.drop();
});

/** Sends all requests of one key at once; `finished` counts the responses so far. */
const startFlood = (requests: readonly (readonly [path: string, init?: RequestInit])[]) => {
  let finished = 0;
  const statuses = Promise.all(
    requests.map(async ([path, init]) => {
      const headers = { 'subscription-key': TEST_KEY, 'content-type': 'application/json' };
      const response = await fetch(`${base}${path}`, { headers, ...init });
      await response.arrayBuffer();
      finished += 1;
      return response.status;
    }),
  );
  return { statuses, finished: () => finished };
};

const countBlocked = async (): Promise<number> => {
  const [row] = await world.db<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
};

/** Sends requests of another key one after the other: creations and lists, which use the database. */
const sendVictim = async (): Promise<readonly number[]> => {
  const headers = { 'subscription-key': victimKey, 'content-type': 'application/json' };
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const created = await fetch(`${base}/flight-info-alerts/profile`, {
      method: 'POST',
      headers,
      body: JSON.stringify(profile),
    });
    const { accountId }: { readonly accountId: string } = await created.json();
    const read = await fetch(`${base}/flight-info-alerts/profile/${accountId}`, { headers });
    await read.arrayBuffer();
    statuses.push(created.status, read.status);
  }
  return statuses;
};

const servedVictim = Array.from({ length: 5 }, () => [201, 200]).flat();

test('serves another key while the large pages of one key hold all connections that it may use', async () => {
  const pages = Array.from({ length: FLOOD }, (_, index) => {
    const day = String((index % 28) + 1).padStart(2, '0');
    return [`/flight-instances?DepartureDateTime=2026-06-${day}&Content=StatusHistory&Limit=${1000 - index}`] as const;
  });
  const flood = await blocker.begin(async (sql) => {
    await sql`lock table flight_instance in access exclusive mode`;
    const started = startFlood(pages);
    await expect.poll(countBlocked, { timeout: 60_000 }).toBe(6);
    expect(await sendVictim()).toEqual(servedVictim);
    expect([started.finished(), await countBlocked()]).toEqual([0, 6]);
    return started;
  });
  expect(await flood.statuses).toEqual(pages.map(() => 200));
});

test('serves another key while the creations of one key wait for one lock, with one connection', async () => {
  const creation = ['/flight-info-alerts/profile', { method: 'POST', body: JSON.stringify(profile) }] as const;
  const flood = await blocker.begin(async (sql) => {
    await sql`select from subscription where name = 'tests' for update`;
    const started = startFlood(Array.from({ length: FLOOD }, () => creation));
    await untilBlocked(world.db);
    expect(await sendVictim()).toEqual(servedVictim);
    expect([started.finished(), await countBlocked()]).toEqual([0, 1]);
    return started;
  });
  expect(await flood.statuses).toEqual(Array.from({ length: FLOOD }, () => 201));
});
