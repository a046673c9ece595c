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
/** One that has ended and that nobody has asked for yet, as happens to the children of who was killed, does not run. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test(
  'workers answer on one port, and one that is killed is replaced while the others answer',
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
    const asked = await load.stop();
    const faults = asked.filter(({ status }) => status !== 200);
    console.log(`a worker of two killed: ${asked.length} requests, ${faults.length} cut with its connections`);
    // At most the request in hand on each connection.
    expect(faults.length).toBeLessThanOrEqual(5);
    expect(listChildProcesses(server.pid)).toContain(survivor);
    expect((await server.stop()).code).toBe(0);
    // Each line is one answer, whole, whichever process wrote it.
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line));
    expect(lines.length).toBeGreaterThanOrEqual(asked.length - faults.length);
  },
);

test('workers end with the process that started them, however that ends', { timeout: 120_000 }, async () => {
  const server = await startServerProcess(['--workers', '2'], env);
  const workers = listChildProcesses(server.pid);
  await server.kill();
  await expect.poll(() => workers.filter(isRunning), { timeout: 20_000 }).toEqual([]);
});

test(
  'a worker that is being started when its server is asked to end keeps nobody waiting',
  { timeout: 120_000 },
  async () => {
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
    // It would have been killed after 20 seconds.
    expect(seconds).toBeLessThan(18);
  },
);

test('who asks a second time has it end at once, workers and all', { timeout: 120_000 }, async () => {
  const server = await startServerProcess(['--workers', '2'], { ...env, DRAIN_SECONDS: '600' });
  const workers = listChildProcesses(server.pid);
  const closed = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  // It goes on for as long as it was told, and says on each answer that it is the last.
  await expect
    .poll(async () => (await fetch(`${server.base}/flights/health`)).headers.get('connection'), { timeout: 10_000 })
    .toBe('close');
  server.child.kill('SIGINT');
  expect(await closed).toEqual([1, null]);
  await expect.poll(() => workers.filter(isRunning), { timeout: 20_000 }).toEqual([]);
});

test('what keeps a worker from listening is said, and none is left', { timeout: 120_000 }, async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const taken = String(typeof address === 'object' && address?.port);
  const { code, err } = await runCommand(['serve', '--workers', '2', '--port', taken], env);
  other.close();
  expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`EADDRINUSE.* 127\\.0\\.0\\.1:${taken}`))]);
  const wrong = await runCommand(['serve', '--workers', 'some'], env);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("'some' is neither a number from 1 to 256")]);
});
