import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { listChildProcesses, startServerProcess } from '../../faults/support/server-process.ts';
import { startSteadyLoad } from '../../faults/support/steady-load.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import { runCommand } from '../run-command.ts';

let fresh: FreshDatabase;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  fresh = await freshDatabase();
  await saveTinyMasterData(fresh.sql);
  await insertKeyIfMissing(fresh.sql, {
    name: 'tests',
    products: ['flight-info', 'flight-info-alerts'],
    key: TEST_KEY,
  });
  await publishText(fresh.sql, buildFile(buildLeg()), { horizonDays: 3 });
  env = { DATABASE_URL: fresh.url, FLIGHTDATA_TODAY: '2026-06-01', HORIZON_DAYS: '3' };
});
afterAll(() => fresh.drop());

const headers = { 'Subscription-Key': TEST_KEY };
const paths = ['/flight-instances?DepartureDateTime=2026-06-01', '/flights/health'];
/** Returns whether a process runs. A zombie, which no parent has waited for, does not run. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test(
  'workers share one port, and a killed worker is replaced while the others respond',
  { timeout: 120_000 },
  async () => {
    const server = await startServerProcess(['--workers', '2'], env);
    const before = listChildProcesses(server.pid);
    expect(before).toHaveLength(2);
    const load = startSteadyLoad({
      base: server.base,
      paths,
      headers,
      keepAliveConnections: 4,
      singleUseConnections: 1,
    });
    const [victim = 0, survivor = 0] = before;
    process.kill(victim, 'SIGKILL');
    await expect
      .poll(() => listChildProcesses(server.pid).filter((pid) => pid !== victim), { timeout: 120_000 })
      .toHaveLength(2);
    await expect
      .poll(server.output, { timeout: 10_000 })
      .toContain(`worker ${victim} ended with signal SIGKILL; another takes its place now`);
    const requests = await load.stop();
    const failed = requests.filter(({ status }) => status !== 200);
    console.log(`a worker of two killed: ${requests.length} requests, ${failed.length} cut with its connections`);
    // Up to one request in flight on each connection.
    expect(failed.length).toBeLessThanOrEqual(5);
    expect(listChildProcesses(server.pid)).toContain(survivor);
    expect((await server.stop()).code).toBe(0);
    // Each line is one complete log entry, whichever process wrote it.
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line));
    expect(lines.length).toBeGreaterThanOrEqual(requests.length - failed.length);
  },
);

test('workers exit with the process that started them, however it ends', { timeout: 120_000 }, async () => {
  const server = await startServerProcess(['--workers', '2'], env);
  const workers = listChildProcesses(server.pid);
  await server.kill();
  await expect.poll(() => workers.filter(isRunning), { timeout: 20_000 }).toEqual([]);
});

test('a worker that is starting when its server is stopped does not delay the exit', { timeout: 120_000 }, async () => {
  const server = await startServerProcess(['--workers', '2'], env);
  const before = listChildProcesses(server.pid);
  process.kill(before[0] ?? 0, 'SIGKILL');
  await expect
    .poll(() => listChildProcesses(server.pid).filter((pid) => !before.includes(pid)), {
      timeout: 60_000,
      interval: 5,
    })
    .toHaveLength(1);
  const { code, seconds } = await server.stop();
  expect(code).toBe(0);
  // A timeout would have killed it after 20 seconds.
  expect(seconds).toBeLessThan(18);
});

test('a second signal ends the server and its workers immediately', { timeout: 120_000 }, async () => {
  const server = await startServerProcess(['--workers', '2'], { ...env, DRAIN_SECONDS: '600' });
  const workers = listChildProcesses(server.pid);
  const closed = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  // The server drains for the configured time and closes each connection with its response.
  await expect
    .poll(async () => (await fetch(`${server.base}/flights/health`)).headers.get('connection'), { timeout: 10_000 })
    .toBe('close');
  server.child.kill('SIGINT');
  expect(await closed).toEqual([1, null]);
  await expect.poll(() => workers.filter(isRunning), { timeout: 20_000 }).toEqual([]);
});

test('reports why a worker cannot listen and leaves no worker running', { timeout: 120_000 }, async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const usedPort = String(typeof address === 'object' && address?.port);
  const { code, err } = await runCommand(['serve', '--workers', '2', '--port', usedPort], env);
  blocker.close();
  expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`EADDRINUSE.* 127\\.0\\.0\\.1:${usedPort}`))]);
  const invalid = await runCommand(['serve', '--workers', 'some'], env);
  expect([invalid.code, invalid.err]).toEqual([2, expect.stringContaining("'some' is neither a number from 1 to 256")]);
});
