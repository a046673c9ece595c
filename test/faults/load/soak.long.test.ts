import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { toUtcDate } from '#domain/time/dates.ts';
import { DEMO_KEY } from '#store/access/demo-key.ts';
import { buildExamples } from '#demo/world/example-queries.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { buildFlightInfoQueries } from '#test/support/demo-queries.ts';
import { computeQuantile } from '#test/support/quantile.ts';
import { readProcessUsage } from '#test/support/process-usage.ts';
import { reportFault } from '../support/report-fault.ts';
import { listChildProcesses, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startStatusTrickle } from '#test/bench/status-trickle.ts';
import { startSteadyLoad, type LoadResult } from '../support/steady-load.ts';

/** 30 in the full length; the short form ends after SHORT_REQUESTS. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0);
const SHORT_REQUESTS = 500;
const WORKERS = process.env['SOAK_WORKERS'] ?? '1';
/** The pause of each of nine callers after a response; about a hundred requests per second in total. */
const PAUSE_MS = 60;
const MESSAGES_PER_SECOND = 20;

/** Shorter runs do not assert memory and times: caches are still filling, and one garbage collection outweighs any leak. */
const isAsserted = MINUTES >= 10;
const MAX_GROWTH_MB_PER_HOUR = 60;
/** How many more files may be open in the second half; in a short run connections are still being opened. */
const MAX_EXTRA_FILES = isAsserted ? 5 : 50;

const { sql, url } = await sharedDatabase();
let server: ServerProcess | undefined;
afterAll(() => server?.kill());

const followEvents = (base: string, headers: Readonly<Record<string, string>>) => {
  const abort = new AbortController();
  const { signal } = abort;
  let events = 0;
  const read = async (): Promise<void> => {
    const url = `${base}/flight-info-alerts/events?version=v1&After=0`;
    const { body } = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal });
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? [])
      events += piece.split('\nid:').length - 1;
  };
  const reading = read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    count: () => events,
    stop: async (): Promise<void> => {
      abort.abort();
      await reading;
    },
  };
};

type Sample = { readonly seconds: number; readonly megabytes: number; readonly files: number };

/** Samples the sum of processes periodically. Returns a function that stops and returns all samples. */
const sampleProcesses = (pids: readonly number[], everyMs: number): (() => readonly Sample[]) => {
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const sample = (): void => {
    const total = { seconds: (performance.now() - startedAt) / 1000, megabytes: 0, files: 0 };
    for (const { megabytes, files } of pids.map(readProcessUsage)) {
      total.megabytes += megabytes;
      total.files += files;
    }
    samples.push(total);
  };
  sample();
  const timer = setInterval(sample, everyMs);
  return () => {
    clearInterval(timer);
    sample();
    return samples;
  };
};

/** Computes the growth of memory per hour between the means of the first and the last third, MB. */
const computeHourlyGrowth = (samples: readonly Sample[]): number => {
  const third = Math.ceil(samples.length / 3);
  const mean = (part: readonly Sample[], of: 'seconds' | 'megabytes'): number =>
    part.reduce((sum, sample) => sum + sample[of], 0) / part.length;
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const seconds = mean(last, 'seconds') - mean(first, 'seconds');
  return ((mean(last, 'megabytes') - mean(first, 'megabytes')) / seconds) * 3600;
};

const listPaths = (today: ReturnType<typeof toUtcDate>): readonly string[] => [
  ...[...buildFlightInfoQueries(today), buildExamples(today).unscheduled].map(
    ({ query }) => `/flight-instances?${query}`,
  ),
  `/flights?${buildExamples(today).schedules.query}`,
  `/flight-connections?${buildExamples(today).connections.query}`,
  `/locations?${buildExamples(today).locations.query}`,
  '/flight-info-alerts/events?version=v1&After=0&Limit=50',
  '/flights/health',
];

const computeP99 = (requests: readonly LoadResult[]): number => {
  const times = requests.map(({ ms }) => ms);
  return Math.round(computeQuantile(times, 0.99));
};

test(
  '37: keeps memory, open files and response times constant under a mixed load for half an hour',
  { timeout: MINUTES * 60_000 + 300_000 },
  async () => {
    server = await startServerProcess(['--demo', '--workers', WORKERS], {
      DATABASE_URL: url,
      HORIZON_DAYS: '10',
    });
    const { base, pid, output } = server;
    const headers = { 'Subscription-Key': DEMO_KEY, accountId: /'accountId: (\S+)'/.exec(output())?.[1] ?? '' };
    const today = toUtcDate(new Date());
    const feed = await startStatusTrickle({ db: sql, url, today }, MESSAGES_PER_SECOND);
    const stream = followEvents(base, headers);
    const paths = listPaths(today);
    const connections = { keepAliveConnections: 8, singleUseConnections: 1 };
    const load = startSteadyLoad({ base, paths, headers, ...connections, pauseMs: PAUSE_MS });
    // The first third of the time warms up.
    await (MINUTES > 0 ? delay(MINUTES * 20_000) : load.waitForMore(SHORT_REQUESTS / 3));
    const stopSampling = sampleProcesses([pid, ...listChildProcesses(pid)], Math.max(250, MINUTES * 500));
    await (MINUTES > 0 ? delay(MINUTES * 40_000) : load.waitForMore(SHORT_REQUESTS));
    await expect.poll(stream.count).toBeGreaterThan(0);
    const samples = stopSampling();
    const requests = await load.stop();
    await stream.stop();
    const messagesPerSecond = Math.round(await feed.stop());
    const { code } = await server.stop();

    const third = Math.ceil(requests.length / 3);
    const thirds = [0, 1, 2].map((index) => computeP99(requests.slice(index * third, (index + 1) * third)));
    const half = samples.length >> 1;
    const [filesBefore = 0, filesAfter = 0] = [samples.slice(0, half), samples.slice(half)].map((part) =>
      Math.max(...part.map(({ files }) => files)),
    );
    const wrong = requests.filter(({ status }) => status !== 200);
    const megabytesPerHour = Math.round(computeHourlyGrowth(samples));
    const [first, last] = [samples[0]?.megabytes ?? 0, samples.at(-1)?.megabytes ?? 0].map(Math.round);
    reportFault(37, {
      minutes: MINUTES,
      requests: requests.length,
      wrong: wrong.length,
      messagesPerSecond,
      events: stream.count(),
      megabytes: `${first} to ${last}`,
      megabytesPerHour,
      files: `${filesBefore} then ${filesAfter}`,
      p99Ms: thirds.join(', '),
    });
    expect([wrong.slice(0, 3), code, messagesPerSecond > 0]).toEqual([[], 0, true]);
    expect(filesAfter).toBeLessThanOrEqual(filesBefore + MAX_EXTRA_FILES);
    expect(megabytesPerHour).toBeLessThan(isAsserted ? MAX_GROWTH_MB_PER_HOUR : Infinity);
    expect(thirds[2]).toBeLessThan(isAsserted ? 2 * Math.max(thirds[0] ?? 0, 10) : Infinity);
  },
);
