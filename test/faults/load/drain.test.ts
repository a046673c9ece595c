import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { computeQuantile } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startSteadyLoad, type TimedRequest } from '../support/steady-load.ts';

/** How often a server is stopped under load; each round takes about three seconds. */
const DRAINS = Number(process.env['DRAINS'] ?? 1);

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  await saveTinyMasterData(fresh.sql);
  await insertKeyIfMissing(fresh.sql, {
    name: 'tests',
    products: ['flight-info', 'schedules', 'master-data'],
    key: TEST_KEY,
  });
  await publishText(fresh.sql, buildFile(buildLeg()), { horizonDays: 3 });
});
afterAll(() => fresh.drop());

const paths = [
  '/flight-instances?DepartureDateTime=2026-06-01',
  '/flights?CarrierCode=XX',
  '/locations?CountryCode=GB',
  '/flights/health',
];

const loadOptions = { paths, headers: { 'Subscription-Key': TEST_KEY } };

/** Stops a server under load; returns all requests, the exit code and the seconds until it exited. */
const stopUnderLoad = async (workers: number) => {
  const server = await startServerProcess(['--workers', String(workers)], {
    DATABASE_URL: fresh.url,
    FLIGHTDATA_TODAY: '2026-06-01',
    HORIZON_DAYS: '3',
  });
  let responses = 0;
  const busy = Promise.withResolvers<void>();
  const onResponse = (): void => {
    responses += 1;
    if (responses === 300) busy.resolve();
  };
  // No new connections: one in the accept backlog when the port closes is reset by the kernel.
  const load = startSteadyLoad({
    base: server.base,
    ...loadOptions,
    keepAliveConnections: 12,
    singleUseConnections: 0,
    stopAtClose: true,
    onResponse,
  });
  await busy.promise;
  const { code, seconds } = await server.stop();
  const requests = await load.finished;
  await load.stop();
  return { code, seconds, requests };
};

const isConnectionRefused = ({ error }: TimedRequest): boolean => error === 'ECONNREFUSED';

test.each([1, 2])(
  'a server with %i workers completes every accepted request when it is stopped under load',
  { timeout: 60_000 + DRAINS * 30_000 },
  async (workers) => {
    const requests: TimedRequest[] = [];
    const seconds: number[] = [];
    const codes = new Set<number | null>();
    for (let drains = 0; drains < DRAINS; drains += 1) {
      const stopped = await stopUnderLoad(workers);
      requests.push(...stopped.requests);
      seconds.push(stopped.seconds);
      codes.add(stopped.code);
    }
    const accepted = requests.filter((one) => !isConnectionRefused(one));
    const failed = accepted.filter(({ status }) => status !== 200);
    const figures = {
      drains: DRAINS,
      requests: accepted.length,
      failed: failed.length,
      closedConnections: accepted.filter(({ closesConnection }) => closesConnection).length,
      secondsToStop: { p50: computeQuantile(seconds, 0.5), max: computeQuantile(seconds, 1) },
    };
    reportFault({
      fault: 41,
      part: `${workers} ${workers === 1 ? 'worker' : 'workers'}`,
      figure: figures,
      bound: 'failed 0, Connection: close on every connection, code 0',
    });
    expect([failed.slice(0, 5), [...codes]]).toEqual([[], [0]]);
    // Every client received `Connection: close`; no connection was reset.
    expect(figures.closedConnections).toBe(12 * DRAINS);
  },
);

test(
  'keeps serving for DRAIN_SECONDS after SIGTERM and accepts new connections meanwhile',
  { timeout: 120_000 },
  async () => {
    const server = await startServerProcess([], {
      DATABASE_URL: fresh.url,
      FLIGHTDATA_TODAY: '2026-06-01',
      HORIZON_DAYS: '3',
      DRAIN_SECONDS: '2',
    });
    const startedAt = performance.now();
    const stopped = server.stop();
    const enough = Promise.withResolvers<void>();
    let closing = 0;
    const onResponse = ({ closesConnection }: TimedRequest): void => {
      closing += Number(closesConnection);
      if (closing === 10) enough.resolve();
    };
    const load = startSteadyLoad({
      base: server.base,
      ...loadOptions,
      keepAliveConnections: 2,
      singleUseConnections: 2,
      onResponse,
    });
    await enough.promise;
    const requests = await load.stop();
    const { code, seconds } = await stopped;
    const durationMs = performance.now() - startedAt;
    const failed = requests.filter(({ status }) => status !== 200);
    reportFault({
      fault: 41,
      part: 'drain time of 2 s',
      figure: { requests: requests.length, failed: failed.length, 'after SIGTERM': closing, seconds },
      bound: 'failed 0, stopped after 2 s and not before, code 0',
    });
    expect([code, failed]).toEqual([0, []]);
    expect(durationMs).toBeGreaterThanOrEqual(2000);
  },
);
