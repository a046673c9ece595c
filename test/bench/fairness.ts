/**
 * Measures how one key delays another: the response times of small uncached pages while another key sends 150 requests at once, for pages of
 * 1000 flights with history, or for alerts whose subscription is locked. Wall times of a machine that all processes share.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'node:http';
import { addDays, formatDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf, type Figure } from './figures.ts';
import type { Flood } from './flood.ts';
import { playLoad } from './prepared-stage.ts';
import { startService } from './service.ts';
import { startStatusTrickle } from './status-trickle.ts';
import { openWorld } from './world.ts';

const CONNECTIONS = 150;
const SECONDS = Number(process.env['BENCH_FAIRNESS_SECONDS'] ?? 10);
const WARM_UP_SECONDS = 3;
/** The 99 % quantile of the other key may grow by this factor. */
const TARGET = 5;

const world = await openWorld({ flightsPerDay: 3000, days: 4 });
const trickle = await startStatusTrickle(world, 5000);
await delay(4000);
await trickle.stop();
const service = await startService(world.url, { CACHE_MB: '0', LIMIT_AT_ONCE: '200', LIMIT_ALERTS: '1000000' });
/** Waits until the server has distributed the events of the statuses, which would disturb the measurement. */
const untilDistributed = async (): Promise<void> => {
  for (;;) {
    const [row] = await world.db<{ waiting: boolean }[]>`
      select exists (select from event_outbox) or (select last_pos from event_log_end) > (select last_pos from event_distribution) as waiting`;
    if (row?.waiting === false) return;
    await delay(200);
  }
};
await untilDistributed();
const { key: victimKey } = await createKey(world.db, { name: 'victim', products: ['flight-info'] });
const { key: floodKey } = await createKey(world.db, { name: 'flood', products: ['flight-info', 'flight-info-alerts'] });

const day = (index: number): string => formatDate(addDays(world.today, index));
const pages = Array.from({ length: 3 }, (_, index) => ({
  method: 'GET' as const,
  path: `/flight-instances?DepartureDateTime=${day(index)}&Content=Status,StatusHistory&Limit=1000`,
}));
const carriers = await world.db<{ iata: string }[]>`
  select distinct c.iata from flight_instance i join carrier c on c.id = i.carrier where c.iata <> '' order by 1 limit 50`;
const victimPaths = carriers.map(
  ({ iata }, index) =>
    `/flight-instances?DepartureDateTime=${day(index % 3)}&CarrierCode=${iata}&Content=Status&Limit=10`,
);

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const getStatus = async (path: string): Promise<number> => {
  const sent = request(`${service.base}${path}`, { headers: { 'subscription-key': victimKey }, agent }).end();
  const [response] = await once(sent, 'response');
  await once(response.resume(), 'end');
  return response.statusCode;
};

/** Sends one request after the other for some seconds; returns the times, milliseconds, and the number of responses that are not 200. */
const measure = async (seconds: number) => {
  const times: number[] = [];
  let failures = 0;
  const end = performance.now() + seconds * 1000;
  for (let index = 0; performance.now() < end; index += 1) {
    const startedAt = performance.now();
    const status = await getStatus(victimPaths[index % victimPaths.length] ?? '');
    times.push(performance.now() - startedAt);
    if (status !== 200) failures += 1;
  }
  return { ...quantilesOf(times), failures };
};

const measureBeside = async (flood: Flood) => {
  const player = await playLoad('./flood.ts', JSON.stringify(flood));
  await delay(1000);
  const measured = await measure(SECONDS);
  player.process.send('count');
  const [counts] = await once(player.process, 'message');
  await player.stop();
  process.stderr.write(`the flood: ${JSON.stringify(counts)}\n`);
  return measured;
};

const createAccount = async (): Promise<string> => {
  const response = await fetch(`${service.base}/flight-info-alerts/profile`, {
    method: 'POST',
    headers: { 'subscription-key': floodKey, 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'A', lastName: 'B', email: 'a@example.test', country: 'GB', companyName: 'C' }),
  });
  const { accountId }: { readonly accountId: string } = await response.json();
  return accountId;
};

const figuresOf = (
  name: string,
  { p50, p99, failures }: Awaited<ReturnType<typeof measure>>,
  calm: { readonly p99: number },
): readonly Figure[] => [
  ...figuresOfTimes(name, { p50, p99 }),
  figure(`${name}: 99 % to that without a flood`, p99 / calm.p99, 'ratio', { atMost: TARGET }),
  figure(`${name}: responses other than 200`, failures, 'responses', { atMost: 0 }),
];

try {
  for (const { path } of pages) await fetch(`${service.base}${path}`, { headers: { 'subscription-key': floodKey } });
  await measure(WARM_UP_SECONDS);
  const calm = await measure(SECONDS);
  printFigure('fairness', figuresOfTimes('without a flood', calm));
  const from = { base: service.base, key: floodKey, connections: CONNECTIONS };
  printFigure('fairness', figuresOf('beside large pages', await measureBeside({ ...from, requests: pages }), calm));
  const body = JSON.stringify({ accountId: await createAccount(), alertType: 'Carrier', iataCarrierCode: 'XX' });
  const creation = { method: 'POST' as const, path: '/flight-info-alerts/alerts', body };
  await world.db.begin(async (sql) => {
    await sql`select from subscription for update`;
    const measured = await measureBeside({ ...from, requests: [creation] });
    printFigure('fairness', figuresOf('beside creations behind a lock', measured, calm));
  });
} finally {
  agent.destroy();
  await service.stop();
  await world.leave();
}
