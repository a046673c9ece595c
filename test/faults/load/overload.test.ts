import { afterAll, beforeAll, expect, test } from 'vitest';
import { HealthProber } from '#http/handler/health.ts';
import { openLimitedDatabase } from '#store/pool/database.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '#test/support/tiny-world.ts';
import { createTestApp } from '#test/support/test-app.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveTinyWorld();
});
afterAll(() => world.drop());

test('45: requests behind a busy database are rejected as overloaded, and health stays healthy', async () => {
  const pool = { url: world.url, applicationName: 'flightdata-test', max: 1, queryTimeoutMs: 10_000 };
  const [queries, probes] = [
    openLimitedDatabase({ ...pool, queue: { targetMs: 50, intervalMs: 100 } }),
    openLimitedDatabase(pool),
  ];
  const app = await createTestApp(queries, { accessSql: world.db, health: new HealthProber(probes) });
  const headers = { 'subscription-key': TEST_KEY };
  const send = (path: string): Promise<Response> => app.request(`http://localhost${path}`, { headers });
  const path = '/flight-instances?version=v2&DepartureDateTime=2026-06-01';
  await world.db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(45)`;
    // As many as the pool sends at once; they fail when they have waited for the lock for half a second.
    const blocked = Array.from({ length: 4 }, () => queries`select pg_advisory_lock(45)`.catch(() => undefined));
    const rejected = await Promise.all([send(path), send(path), send('/flights/health')]);
    expect(rejected.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(await rejected[0].json()).toMatchObject({ type: '/docs/errors#overloaded' });
    expect(rejected[0].headers.get('retry-after')).toMatch(/^[1-3]$/);
    await Promise.all(blocked);
  });
  expect((await send(path)).status).toBe(200);
  await Promise.all([queries.end(), probes.end()]);
});
