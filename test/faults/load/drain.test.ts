import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { buildFile, buildLeg } from '../../feeds/ssim/build-file.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { computeQuantile } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startSteadyLoad, type TimedRequest } from '../support/steady-load.ts';

/** How often a server is ended under load; each takes some three seconds. */
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

/** Ends a server while it is asked on all sides; answers what all that was asked came to, and how long the end took. */
const stopUnderLoad = async (workers: number) => {
  const server = await startServerProcess(['--workers', String(workers)], {
    DATABASE_URL: fresh.url,
    FLIGHTDATA_TODAY: '2026-06-01',
    HORIZON_DAYS: '3',
  });
  let answered = 0;
  const busy = Promise.withResolvers<void>();
  const onAnswer = (): void => {
    answered += 1;
    if (answered === 300) busy.resolve();
  };
  // New connections are not for the asking here: one that stands in the queue of the system when the port closes is nobody's yet.
  const load = startSteadyLoad({
    base: server.base,
    ...loadOptions,
    keepAliveConnections: 12,
    singleUseConnections: 0,
    stopAtClose: true,
    onResponse: onAnswer,
  });
  await busy.promise;
  const { code, seconds } = await server.stop();
  const asked = await load.over;
  await load.stop();
  return { code, seconds, asked };
};

const isConnectionRefused = ({ error: fault }: TimedRequest): boolean => fault === 'ECONNREFUSED';

test.each([1, 2])(
  'a server of %i workers that is asked to end under load answers every request that it has taken',
  { timeout: 60_000 + DRAINS * 30_000 },
  async (workers) => {
    const asked: TimedRequest[] = [];
    const seconds: number[] = [];
    const codes = new Set<number | null>();
    for (let drains = 0; drains < DRAINS; drains += 1) {
      const ended = await stopUnderLoad(workers);
      asked.push(...ended.asked);
      seconds.push(ended.seconds);
      codes.add(ended.code);
    }
    const taken = asked.filter((one) => !isConnectionRefused(one));
    const failed = taken.filter(({ status }) => status !== 200);
    const figures = {
      drains: DRAINS,
      requests: taken.length,
      failed: failed.length,
      lastOnes: taken.filter(({ closesConnection: isLast }) => isLast).length,
      secondsToEnd: { p50: computeQuantile(seconds, 0.5), most: computeQuantile(seconds, 1) },
    };
    reportFault({
      fault: 41,
      part: `${workers} ${workers === 1 ? 'worker' : 'workers'}`,
      figure: figures,
      bound: 'failed 0, each caller told that its connection ends, code 0',
    });
    expect([failed.slice(0, 5), [...codes]]).toEqual([[], [0]]);
    // Each caller was told that its connection takes nothing more; none was left to find out.
    expect(figures.lastOnes).toBe(12 * DRAINS);
  },
);

test(
  'a server that is asked to end goes on for as long as it was told, and takes new connections meanwhile',
  { timeout: 120_000 },
  async () => {
    const server = await startServerProcess([], {
      DATABASE_URL: fresh.url,
      FLIGHTDATA_TODAY: '2026-06-01',
      HORIZON_DAYS: '3',
      DRAIN_SECONDS: '2',
    });
    const beganAt = performance.now();
    const ended = server.stop();
    const told = Promise.withResolvers<void>();
    let last = 0;
    const onAnswer = ({ closesConnection: isLast }: TimedRequest): void => {
      last += Number(isLast);
      if (last === 10) told.resolve();
    };
    const load = startSteadyLoad({
      base: server.base,
      ...loadOptions,
      keepAliveConnections: 2,
      singleUseConnections: 2,
      onResponse: onAnswer,
    });
    await told.promise;
    const asked = await load.stop();
    const { code, seconds } = await ended;
    const tookMs = performance.now() - beganAt;
    const failed = asked.filter(({ status }) => status !== 200);
    reportFault({
      fault: 41,
      part: 'told to go on for 2 s',
      figure: { requests: asked.length, failed: failed.length, 'after it was asked to end': last, seconds },
      bound: 'failed 0, ended after 2 s and not before, code 0',
    });
    expect([code, failed]).toEqual([0, []]);
    expect(tookMs).toBeGreaterThanOrEqual(2000);
  },
);
