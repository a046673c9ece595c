import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { startWorkerPool, type WorkerPoolOptions } from '#cli/serve/worker-pool.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { listChildProcesses, startServerProcess } from '#test/faults/support/server-process.ts';
import { startSteadyLoad } from '#test/faults/support/steady-load.ts';
import { buildFile, buildLeg } from '#test/feeds/ssim/build-file.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { readMetrics, type ReadMetric } from '#test/support/read-metrics.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '#test/support/tiny-world.ts';
import { openCollector } from '#test/support/trace-collector.ts';
import { runCommand } from '../run-command.ts';

const fresh = await sharedDatabase();
const collector = await openCollector();
await saveTinyMasterData(fresh.sql);
await insertKeyIfMissing(fresh.sql, { name: 'tests', products: ['flight-info'], key: TEST_KEY });
await publishText(fresh.sql, buildFile(buildLeg()), { horizonDays: 1 });
afterAll(collector.close);

const env = { DATABASE_URL: fresh.url, FLIGHTDATA_TODAY: '2026-06-01', HORIZON_DAYS: '1' };
const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
const headers = { 'Subscription-Key': TEST_KEY };
const query = '/flight-instances?DepartureDateTime=2026-06-01';

/** Returns whether a process runs. A zombie, which no parent has waited for, does not run. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const startServer = async (variables: Readonly<Record<string, string>> = {}) => {
  const server = await startServerProcess(['--workers', '2'], { ...env, ...variables });
  onTestFinished(server.kill);
  const listWorkers = (): readonly number[] => listChildProcesses(server.pid);
  expect(listWorkers()).toHaveLength(2);
  return { ...server, listWorkers };
};

const checkMetrics = (text: string): void => {
  const requests: ReadonlyMap<string, ReadMetric> = readMetrics(text);
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
};

/**
 * Compares the served metrics with the reference page. Those of a hub, of errors and of absent data are not served here. Two may be:
 * the first connection set is built in the background, and a process may not have collected garbage yet.
 */
const checkMetricsPage = (text: string): void => {
  const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name, type]) => `${name} ${type}`);
  const served = [...readMetrics(text)].map(([name, { type }]) => `${name} ${type}`);
  const optional = ['flightdata_connections_built_timestamp_seconds gauge', 'nodejs_gc_duration_seconds histogram'];
  expect(served.filter((one) => !documented.includes(one))).toEqual([]);
  expect(documented.filter((one) => !served.includes(one) && !optional.includes(one))).toEqual([
    'flightdata_failures_total counter',
    'flightdata_schedules_days_ahead gauge',
    'flightdata_status_observed_timestamp_seconds gauge',
    'flightdata_live_source_age_seconds gauge',
    'flightdata_live_source_stale gauge',
    'flightdata_live_source_last_success_timestamp_seconds gauge',
    'flightdata_live_rows_total counter',
    'flightdata_hub_lag_events gauge',
  ]);
  expect(documented).toEqual(expect.arrayContaining(optional));
};

test('a server with two workers sums the metrics of both, traces requests, drains, and exits at once on a second signal', async () => {
  const server = await startServer({ ...tracing, METRICS_PORT: '0', DRAIN_SECONDS: '600' });
  const { base, child } = server;
  const [, metricsBase = ''] = /metrics on (http:\S+)\/metrics/.exec(server.output()) ?? [];
  const readiness = async (): Promise<string> => {
    const response = await fetch(`${metricsBase}/readyz`);
    return `${response.status} ${await response.text()}`;
  };
  expect(await readiness()).toBe('200 ready\n');
  for (let index = 0; index < 20; index += 1)
    expect((await fetch(base + query, { headers: { ...headers, Connection: 'close' } })).status).toBe(200);
  expect((await fetch(`${base}/metrics`)).status).toBe(404);
  const metrics = await (await fetch(`${metricsBase}/metrics`)).text();
  checkMetrics(metrics);
  checkMetricsPage(metrics);

  await expect.poll(() => collector.spans.filter(({ kind }) => kind === 2)).toHaveLength(21);
  const first = collector.spans.find(({ name }) => name === 'GET /flight-instances');
  expect(collector.spans.filter(({ parentSpanId }) => parentSpanId === first?.spanId)).not.toEqual([]);
  expect(JSON.stringify(collector.spans)).not.toContain(TEST_KEY);
  expect(collector.faults).toEqual([]);

  const workers = server.listWorkers();
  const closed = once(child, 'exit');
  child.kill('SIGTERM');
  await expect.poll(readiness).toBe('503 shutting down\n');
  // The server drains for the configured time and closes each connection with its response.
  await expect.poll(async () => (await fetch(`${base}/flights/health`)).headers.get('connection')).toBe('close');
  child.kill('SIGINT');
  expect(await closed).toEqual([1, null]);
  await expect.poll(() => workers.filter(isRunning)).toEqual([]);
});

test('a command has its own trace', async () => {
  expect((await runCommand(['keys', 'list'], { ...env, ...tracing })).code).toBe(0);
  const [command] = collector.spans.filter(({ kind }) => kind === 1);
  expect(command).toMatchObject({ name: expect.stringMatching(/^flightdata keys/), status: { code: 0 } });
  expect(collector.spans.filter(({ parentSpanId }) => parentSpanId === command?.spanId)).not.toEqual([]);
});

/** Prints the URL of each loaded module of OpenTelemetry. */
const printLoadedPackages = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load: (url, context, next) => {
      if (url.includes('@opentelemetry')) process.stderr.write(url + '\\n');
      return next(url, context);
    },
  });`)}`;

test('only a process with a collector loads the OpenTelemetry SDK', async () => {
  const listPackages = async (variables: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const { err } = await runCommand(['keys', 'list'], { ...env, ...variables, NODE_OPTIONS: printLoadedPackages });
    return [...new Set([...err.matchAll(/@opentelemetry\/([^/]+)/g)].map(([, name = '']) => name))];
  };
  expect(await listPackages({})).toEqual(['api']);
  expect(await listPackages(tracing)).toEqual(expect.arrayContaining(['api', 'sdk-trace', 'exporter-trace-otlp-http']));
});

test('workers share one port, a killed worker is replaced while the others respond, and all exit with the server', async () => {
  const server = await startServer();
  const [victim = 0, survivor = 0] = server.listWorkers();
  const connections = { keepAliveConnections: 4, singleUseConnections: 1 };
  const load = startSteadyLoad({ base: server.base, paths: [query, '/flights/health'], headers, ...connections });
  process.kill(victim, 'SIGKILL');
  await expect.poll(() => server.listWorkers().filter((pid) => pid !== victim)).toHaveLength(2);
  await expect.poll(server.output).toContain(`worker ${victim} ended with signal SIGKILL; a replacement starts now`);
  const requests = await load.stop();
  const failed = requests.filter(({ status }) => status !== 200);
  // Up to one request in flight on each connection.
  expect(failed.length).toBeLessThanOrEqual(5);
  expect(server.listWorkers()).toContain(survivor);
  expect((await server.stop()).code).toBe(0);
  // Each line is one complete log entry, whichever process wrote it.
  const lines = server.output().match(/^\{.*$/gm) ?? [];
  expect(lines.map((line): unknown => JSON.parse(line)).length).toBeGreaterThanOrEqual(requests.length - failed.length);
});

test('workers exit with the process that started them, however it ends', async () => {
  const server = await startServer();
  const workers = server.listWorkers();
  await server.kill();
  await expect.poll(() => workers.filter(isRunning)).toEqual([]);
});

// Workers of a pool take the environment of this process: without it they would use the checkout's own data directory.
for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
afterAll(() => void vi.unstubAllEnvs());

const poolOptions = (port: number): WorkerPoolOptions => ({
  count: 2,
  firstCommand: { kind: 'serve', url: fresh.url, hostname: '127.0.0.1', port, clockShiftMs: 0 },
  output: { out: () => {}, err: () => {} },
  onLost: () => {},
});

test('a worker that is starting when its server is stopped does not delay the exit', async () => {
  const others = listChildProcesses(process.pid);
  const listWorkers = () => listChildProcesses(process.pid).filter((pid) => !others.includes(pid));
  const pool = await startWorkerPool(poolOptions(0));
  // The timer that kills workers after 20 s never fires.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const before = listWorkers();
  process.kill(before[0] ?? 0, 'SIGKILL');
  const listStarting = () => listWorkers().filter((pid) => !before.includes(pid));
  await vi.waitFor(() => expect(listStarting()).toHaveLength(1), { timeout: 60_000 });
  await pool.drain(0);
  expect(listWorkers()).toEqual([]);
});

test('reports why a worker cannot listen and leaves no worker running', async () => {
  const others = listChildProcesses(process.pid);
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  await expect(startWorkerPool(poolOptions(port))).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: expect.stringMatching(new RegExp(`EADDRINUSE.* 127\\.0\\.0\\.1:${port}`)),
  });
  blocker.close();
  await expect.poll(() => listChildProcesses(process.pid).filter((pid) => !others.includes(pid))).toEqual([]);
});
