import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDays, toUtcDate, formatDate } from '../../../src/domain/time/dates.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import {
  buildConnectionsExample,
  buildUnscheduledExample,
  masterDataExample,
  schedulesExample,
  buildFlightInfoExamples,
} from '../../../src/jobs/demo/world/example-queries.ts';
import { DEMO_KEY } from '../../../src/jobs/demo/seed-demo.ts';
import { createEnvironment } from '../../cli/run-command.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { computeQuantile } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { computeHourlyGrowth, sampleProcesses } from './process-samples.ts';
import { listChildProcesses, startServerProcess } from '../support/server-process.ts';
import { startSteadyLoad, type TimedRequest } from '../support/steady-load.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0.25);
const WORKERS = process.env['SOAK_WORKERS'] ?? '1';
const CALLERS = 8;
/** The pause of each caller after a response; about a hundred requests per second in total. */
const PAUSE_MS = 60;
const MESSAGES_PER_SECOND = 20;

/** Shorter runs do not assert memory and times: caches are still filling, and one garbage collection outweighs any leak. */
const MIN_JUDGED_MINUTES = 10;
const MAX_GROWTH_MB_PER_HOUR = 60;
/** How many more files may be open in the second half; in a short run connections are still being opened. */
const MAX_EXTRA_FILES = MINUTES >= MIN_JUDGED_MINUTES ? 5 : 50;

let fresh: FreshDatabase;
beforeEach(async () => {
  fresh = await freshDatabase();
});
afterEach(() => fresh.drop());

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

type Flight = { readonly carrier: string; readonly flightNumber: number; readonly originDate: string };

/** Feeds gates of tomorrow's flights, MESSAGES_PER_SECOND. Returns a function that stops and returns the number of lines. */
const startStatusFeed = async (db: Database, url: string): Promise<() => Promise<number>> => {
  const tomorrow = formatDate(addDays(toUtcDate(new Date()), 1));
  const flights = await db<Flight[]>`
    select c.iata as carrier, flight_number as "flightNumber", departs_at::date::text as "originDate",
      d.iata as "departureAirport", a.iata as "arrivalAirport"
    from flight_instance i join carrier c on c.id = i.carrier join location d on d.id = i.departure join location a on a.id = i.arrival
    where departs_at >= ${tomorrow}::date and departs_at < ${tomorrow}::date + 1 and c.iata <> '' order by key_order limit 2000`;
  const feed = spawn(process.execPath, [main, 'import', 'status', '-'], {
    env: createEnvironment({ DATABASE_URL: url }),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  let sent = 0;
  const timer = setInterval(() => {
    const flight = flights[sent % flights.length];
    const observedAt = new Date().toISOString();
    const departure = { gate: `A${sent % 97}` };
    feed.stdin.write(`${JSON.stringify({ messageId: `soak-${sent}`, observedAt, flight, departure })}\n`);
    sent += 1;
  }, 1000 / MESSAGES_PER_SECOND);
  return async () => {
    clearInterval(timer);
    const closed = once(feed, 'close');
    feed.stdin.end();
    await closed;
    return sent;
  };
};

/** Reads an event stream until aborted; returns the number of events. */
const countStreamedEvents = async (
  base: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> => {
  let events = 0;
  try {
    const response = await fetch(`${base}/flight-info-alerts/events?version=v1&After=0`, {
      headers: { ...headers, accept: 'text/event-stream' },
      signal,
    });
    if (response.body === null) throw new Error('no stream');
    for await (const piece of response.body.pipeThrough(new TextDecoderStream()))
      events += piece.split('\nid:').length - 1;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return events;
};

const listPaths = (today: ReturnType<typeof toUtcDate>): readonly string[] => [
  ...[...buildFlightInfoExamples(today), buildUnscheduledExample(today)].map(
    ({ query }) => `/flight-instances?${query}`,
  ),
  `/flights?${schedulesExample.query}`,
  `/flight-connections?${buildConnectionsExample(today).query}`,
  `/locations?${masterDataExample.query}`,
  '/flight-info-alerts/events?version=v1&After=0&Limit=50',
  '/flights/health',
];

const computeP99 = (requests: readonly TimedRequest[]): number =>
  Math.round(
    computeQuantile(
      requests.map(({ durationMs }) => durationMs),
      0.99,
    ),
  );

test(
  'keeps memory, open files and response times constant under a mixed load for half an hour',
  {
    timeout: MINUTES * 60_000 + 300_000,
  },
  async () => {
    const server = await startServerProcess(['--demo', '--workers', WORKERS], {
      DATABASE_URL: fresh.url,
      HORIZON_DAYS: '10',
    });
    try {
      const accountId = /'accountId: (\S+)'/.exec(server.output())?.[1] ?? '';
      const headers = { 'Subscription-Key': DEMO_KEY, accountId };
      const stopFeed = await startStatusFeed(fresh.sql, fresh.url);
      const abort = new AbortController();
      const following = countStreamedEvents(server.base, headers, abort.signal);
      const paths = listPaths(toUtcDate(new Date()));
      const load = startSteadyLoad({
        base: server.base,
        paths,
        headers,
        keepAliveConnections: CALLERS,
        singleUseConnections: 1,
        pauseMs: PAUSE_MS,
      });
      // Start-up work and filling caches are not growth.
      await delay((MINUTES * 60_000) / 3);
      const stopSampling = sampleProcesses(
        [server.pid, ...listChildProcesses(server.pid)],
        Math.max(250, MINUTES * 500),
      );
      await delay((MINUTES * 60_000 * 2) / 3);
      const samples = stopSampling();
      const requests = await load.stop();
      abort.abort();
      const events = await following;
      const messages = await stopFeed();
      const { code } = await server.stop();

      const third = Math.ceil(requests.length / 3);
      const thirds = [0, 1, 2].map((index) => computeP99(requests.slice(index * third, (index + 1) * third)));
      const half = samples.length >> 1;
      const countMaxFiles = (some: typeof samples): number => Math.max(...some.map(({ files }) => files));
      const wrong = requests.filter(({ status }) => status !== 200);
      const figures = {
        minutes: MINUTES,
        requests: requests.length,
        wrong: wrong.length,
        messages,
        events,
        megabytes: `${Math.round(samples[0]?.megabytes ?? 0)} to ${Math.round(samples.at(-1)?.megabytes ?? 0)}`,
        megabytesPerHour: Math.round(computeHourlyGrowth(samples)),
        files: `${countMaxFiles(samples.slice(0, half))} then ${countMaxFiles(samples.slice(half))}`,
        p99Ms: thirds.join(', '),
      };
      const isJudged = MINUTES >= MIN_JUDGED_MINUTES;
      const judged = isJudged
        ? `, growth below ${MAX_GROWTH_MB_PER_HOUR} MB per hour, p99 of the last third below twice that of the first`
        : `; memory and times are asserted from ${MIN_JUDGED_MINUTES} minutes on`;
      reportFault({
        fault: 37,
        figure: figures,
        bound: `wrong 0, some events, ${MAX_EXTRA_FILES} files more at most${judged}`,
      });
      expect([wrong.slice(0, 3), code]).toEqual([[], 0]);
      expect(countMaxFiles(samples.slice(half))).toBeLessThanOrEqual(
        countMaxFiles(samples.slice(0, half)) + MAX_EXTRA_FILES,
      );
      expect(messages).toBeGreaterThan(0);
      expect(events).toBeGreaterThan(0);
      expect(figures.megabytesPerHour).toBeLessThan(isJudged ? MAX_GROWTH_MB_PER_HOUR : Infinity);
      expect(thirds[2]).toBeLessThan(isJudged ? 2 * Math.max(thirds[0] ?? 0, 10) : Infinity);
    } finally {
      await server.kill();
    }
  },
);
