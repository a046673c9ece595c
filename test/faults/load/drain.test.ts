import { expect, test } from 'vitest';
import { sharedDatabase } from '#test/support/database.ts';
import { formatTimes } from '#test/support/quantile.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { reportFault } from '../support/report-fault.ts';
import { seedWorld, worldPaths } from '../support/seed-world.ts';
import { startServerProcess } from '../support/server-process.ts';
import { closesConnection, startSteadyLoad, type LoadResult } from '../support/steady-load.ts';

/** How often a server is stopped under load; each round takes about three seconds. */
const DRAINS = Number(process.env['DRAINS'] ?? 1);

const { sql, url } = await sharedDatabase();
await seedWorld(sql);

const startServer = (args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
  startServerProcess(args, { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-01', HORIZON_DAYS: '3', ...more });
const loadOptions = { paths: worldPaths, headers: { 'Subscription-Key': TEST_KEY } };

test.each(DRAINS === 1 ? [2] : [1, 2])(
  'a server with %i workers completes every accepted request when it is stopped under load',
  { timeout: 60_000 + DRAINS * 30_000 },
  async (workers) => {
    const [requests, stopMs, codes]: [LoadResult[], number[], (number | null)[]] = [[], [], []];
    for (let drains = 0; drains < DRAINS; drains += 1) {
      const server = await startServer(['--workers', String(workers)]);
      // No new connections: one in the accept backlog when the port closes is reset by the kernel.
      const load = startSteadyLoad({ base: server.base, ...loadOptions, keepAliveConnections: 12, stopAtClose: true });
      await load.waitForMore(300);
      const stopped = await server.stop();
      await load.finished;
      requests.push(...(await load.stop()));
      stopMs.push(stopped.seconds * 1000);
      codes.push(stopped.code);
    }
    const accepted = requests.filter(({ body }) => body !== 'ECONNREFUSED');
    const failed = accepted.filter(({ status }) => status !== 200);
    const closed = accepted.filter(closesConnection).length;
    const counts = { drains: DRAINS, requests: accepted.length, failed: failed.length, closedConnections: closed };
    reportFault(41, { ...counts, 'stopped after': formatTimes(stopMs) }, `${workers} workers`);
    // Every client received `Connection: close`; no connection was reset.
    expect({ failed: failed.slice(0, 5), codes: new Set(codes), closed }).toEqual({
      failed: [],
      codes: new Set([0]),
      closed: 12 * DRAINS,
    });
  },
);

test('keeps serving for DRAIN_SECONDS after SIGTERM and accepts new connections meanwhile', async () => {
  const server = await startServer([], { DRAIN_SECONDS: '2' });
  const stopped = server.stop();
  const load = startSteadyLoad({
    base: server.base,
    ...loadOptions,
    keepAliveConnections: 2,
    singleUseConnections: 2,
  });
  await load.waitForMore(10, closesConnection);
  const requests = await load.stop();
  const { code, seconds } = await stopped;
  const failed = requests.filter(({ status }) => status !== 200);
  reportFault(41, { requests: requests.length, failed: failed.length, seconds }, 'drain time of 2 s');
  expect([code, failed]).toEqual([0, []]);
  expect(seconds).toBeGreaterThanOrEqual(2);
});
