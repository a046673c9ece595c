import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { readMetrics, type ReadMetric } from '../../support/read-metrics.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import { openCollector } from '../../support/trace-collector.ts';
import { runCommand, waitForOutput, startCommand } from '../run-command.ts';

let fresh: FreshDatabase;
let collector: Awaited<ReturnType<typeof openCollector>>;
beforeAll(async () => {
  fresh = await freshDatabase();
  collector = await openCollector();
  await saveTinyMasterData(fresh.sql);
  await insertKeyIfMissing(fresh.sql, { name: 'tests', products: ['flight-info'], key: TEST_KEY });
  await publishText(fresh.sql, buildFile(buildLeg()), { horizonDays: 1 });
});
afterAll(async () => {
  await collector.close();
  await fresh.drop();
});

test(
  'a server with two workers sums the metrics of both on a port of its own, traces requests and reports not ready while it drains',
  { timeout: 120_000 },
  async () => {
    const server = startCommand(['serve', '--workers', '2'], {
      DATABASE_URL: fresh.url,
      PORT: '0',
      METRICS_PORT: '0',
      FLIGHTDATA_TODAY: '2026-06-01',
      HORIZON_DAYS: '1',
      DRAIN_SECONDS: '3',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    const [listening, metrics] = [
      waitForOutput(server, /listening on (http:\S+)/),
      waitForOutput(server, /metrics on (http:\S+)\/metrics/),
    ];
    const [[, base = ''], [, metricsBase = '']] = [await listening, await metrics];
    const ready = async (): Promise<string> => {
      const response = await fetch(`${metricsBase}/readyz`);
      return `${response.status} ${await response.text()}`;
    };
    expect(await ready()).toBe('200 ready\n');
    for (let index = 0; index < 20; index += 1)
      expect(
        (
          await fetch(`${base}/flight-instances?DepartureDateTime=2026-06-01`, {
            headers: { 'Subscription-Key': TEST_KEY, Connection: 'close' },
          })
        ).status,
      ).toBe(200);
    expect((await fetch(`${base}/metrics`)).status).toBe(404);

    let text = '';
    const read = async (): Promise<ReadonlyMap<string, ReadMetric>> => {
      text = await (await fetch(`${metricsBase}/metrics`)).text();
      return readMetrics(text);
    };
    const requests = await read();
    expect(Object.fromEntries(requests.get('flightdata_http_requests_total')?.samples ?? [])).toEqual({
      'flightdata_http_requests_total{product="flight-info",version="v2",method="GET",route="/flight-instances",status="200"}': 20,
      'flightdata_http_requests_total{product="none",version="none",method="other",route="other",status="404"}': 1,
    });
    const one = (name: string): number | undefined => requests.get(name)?.samples.get(name);
    const [hits = NaN, misses = NaN] = ['hits', 'misses'].map((result) => one(`flightdata_page_cache_${result}_total`));
    expect(hits + misses).toBe(20);
    // Each of the two workers caches a page that is requested repeatedly.
    expect(hits).toBeGreaterThan(0);
    expect(one('flightdata_page_cache_pages')).toBeGreaterThan(0);
    expect(one('flightdata_page_cache_bytes')).toBeGreaterThan(1000);
    expect([one('flightdata_workers'), one('flightdata_store_up'), one('flightdata_keys_valid')]).toEqual([2, 1, 1]);
    expect(text).not.toContain(TEST_KEY);

    await expect.poll(() => collector.spans.filter(({ kind }) => kind === 2).length, { timeout: 10_000 }).toBe(21);
    const [first] = collector.spans.filter(({ name }) => name === 'GET /flight-instances');
    expect(collector.spans.filter(({ parentSpanId }) => parentSpanId === first?.spanId)).not.toEqual([]);
    expect(JSON.stringify(collector.spans)).not.toContain(TEST_KEY);
    expect(collector.faults).toEqual([]);

    const closed = once(server, 'close');
    server.kill('SIGTERM');
    await expect.poll(ready).toBe('503 ending\n');
    expect(await closed).toEqual([0, null]);
  },
);

test('a command is a trace of its own', { timeout: 60_000 }, async () => {
  const env = { DATABASE_URL: fresh.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  expect((await runCommand(['keys', 'list'], env)).code).toBe(0);
  const [command] = collector.spans.filter(({ kind }) => kind === 1);
  expect(command).toMatchObject({ name: expect.stringMatching(/^flightdata keys/), status: {} });
  expect(collector.spans.filter(({ parentSpanId }) => parentSpanId === command?.spanId)).not.toEqual([]);
});
