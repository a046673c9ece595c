/*
 * Measures how fast events are pulled, the delay from notification to the reader of a stream, and the cost of open streams.
 * The service runs in its own process. DATABASE_URL names the server.
 *
 *   node --expose-gc test/bench/pull.ts
 */
import { once } from 'node:events';
import { createService } from '#service.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { openHttpServer } from '#http/server/server.ts';
import { openDatabase, type Database } from '#store/pool/database.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { readMasterData } from '#jobs/cache/master-data-cache.ts';
import { insertStreamEvents, insertTestEvents } from '../products/flight-info-alerts/v1/events/account-events.ts';
import { getStreamNumber, insertLogEvents } from '../products/flight-info-alerts/v1/events/account-events.ts';
import { readProcessUsage } from '../support/process-usage.ts';
import { openEventStream, type EventStreamReader } from '../support/event-stream-reader.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf } from './figures.ts';
import { playLoad, prepareStage } from './prepared-stage.ts';

const KEY = 'bench';
const EVENTS = 20_000;
const PATH = '/flight-info-alerts/events';
const now = new Date();

/** The size of a status event with changes. */
const body = { documentType: 'FlightStatus', state: 'OutGate', changes: [], note: 'x'.repeat(2000) };

const serve = async (url: string): Promise<void> => {
  // The jobs of a whole server would move the events of this benchmark.
  const sql = openDatabase({ url, applicationName: 'bench' });
  const clock = (): Date => new Date();
  const masterData = await readMasterData(sql, clock);
  const app = createService({
    sql,
    masterData: () => masterData,
    cursorSecret: Buffer.alloc(32),
    mapSecret: Buffer.alloc(32),
    clock,
    log: createAccessLog({ write: () => undefined }),
  });
  const server = openHttpServer({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  process.on('message', () => {
    globalThis.gc?.();
    process.send?.('clean');
  });
  process.send?.(port);
};

type ServiceAccount = { readonly port: number; readonly accountId: string };
const headersOf = (accountId: string) => ({ 'subscription-key': KEY, accountid: accountId });

/** Reads all events page by page with `readers` concurrent readers. */
const pull = async ({ port, accountId }: ServiceAccount, { limit, readers }: { limit: number; readers: number }) => {
  const began = performance.now();
  const read = async (): Promise<void> => {
    for (let after = 0; after < EVENTS; after += limit) {
      const response = await fetch(`http://127.0.0.1:${port}${PATH}?After=${after}&Limit=${limit}`, {
        headers: headersOf(accountId),
      });
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  const seconds = (performance.now() - began) / 1000;
  return (EVENTS * readers) / seconds;
};

const newAccount = async ({ port }: Pick<ServiceAccount, 'port'>): Promise<string> => {
  const profile = { firstName: 'a', lastName: 'b', email: 'a@b.test', country: 'GB', companyName: 'c' };
  const response = await fetch(`http://127.0.0.1:${port}/flight-info-alerts/profile`, {
    method: 'POST',
    headers: { 'subscription-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify(profile),
  });
  const { accountId }: { accountId: string } = await response.json();
  return accountId;
};

/** Opens ten streams per account, publishes events one by one, and measures the delay from commit to each reader. */
const streamTimes = async (db: Database, port: number, streams: number): Promise<readonly number[]> => {
  const publishedAt = new Map<string, number>();
  const times: number[] = [];
  const accounts: string[] = [];
  const sources: EventStreamReader[] = [];
  for (let n = 0; n < streams; n += 1) {
    if (n % 10 === 0) accounts.push(await newAccount({ port }));
    const accountId = accounts.at(-1) ?? '';
    const onEvent = ({ data }: { data: string }): void => {
      const { messageId }: { messageId: string } = JSON.parse(data);
      times.push(Math.max(0, performance.now() - (publishedAt.get(messageId) ?? NaN)));
    };
    sources.push(await openEventStream({ port, path: PATH, headers: headersOf(accountId), onEvent }));
  }
  const numbers = await Promise.all(accounts.map((accountId) => getStreamNumber(db, accountId)));
  for (let n = 1; n <= 40; n += 1) {
    const [event] = await insertLogEvents(db, { events: [{ body }], now });
    if (!event) throw new Error('no event was published');
    await db.begin(async (sql) => {
      for (const stream of numbers) await insertStreamEvents(sql, stream, { events: [event] });
      publishedAt.set(event.id, performance.now());
    });
    await Promise.all(sources.map(({ until }) => until(n)));
  }
  for (const { close } of sources) close();
  return times;
};

const run = async (): Promise<void> => {
  const { db, url, strike } = await prepareStage('flightdata_bench_pull');
  await insertKeyIfMissing(db, { name: 'bench', products: ['flight-info-alerts'], key: KEY });
  const { firstMessage, process: child, stop } = await playLoad('./pull.ts', url);
  const port = Number(firstMessage);
  const readUsage = async () => {
    const collected = once(child, 'message');
    child.send('collect garbage');
    await collected;
    return readProcessUsage(child.pid ?? 0);
  };
  const open: EventStreamReader[] = [];
  const before = await readUsage();
  for (let n = 0; n < 20; n += 1) {
    const account = await newAccount({ port });
    for (let k = 0; k < 10; k += 1) open.push(await openEventStream({ port, path: PATH, headers: headersOf(account) }));
  }
  const silent = (await readUsage()).megabytes - before.megabytes;
  printFigure('pull', [figure('a stream that is silent, of 200', (silent / 200) * 1024, 'kB')]);
  for (const { close } of open) close();
  const accountId = await newAccount({ port });
  for (const changes of [true, false]) {
    const news = Array.from({ length: EVENTS / 2 }, () => ({ body }));
    await insertTestEvents(db, accountId, { events: news, now, parts: { changes, seats: true } });
  }
  for (const [limit, readers] of [
    [500, 1],
    [500, 4],
    [100, 4],
  ] as const) {
    const { processorSeconds } = await readUsage();
    const rate = await pull({ port, accountId }, { limit, readers });
    const spent = (await readUsage()).processorSeconds - processorSeconds;
    const each = Math.round((EVENTS * readers) / spent);
    const name = `pages of ${limit}, ${readers} readers`;
    printFigure('pull', [
      figure(`${name}: events read`, rate, 'events/s'),
      figure(`${name}: events for a second of the processor of the service`, each, 'events'),
    ]);
  }
  await streamTimes(db, port, 10);
  for (const streams of [1, 20, 200]) {
    const { processorSeconds } = await readUsage();
    const times = await streamTimes(db, port, streams);
    const { processorSeconds: after } = await readUsage();
    printFigure('pull', [
      ...figuresOfTimes(`${streams} streams: from commit to reader`, quantilesOf(times)),
      figure(
        `${streams} streams: processor an event and reader`,
        ((after - processorSeconds) / times.length) * 1000,
        'ms',
      ),
    ]);
  }
  await stop();
  await strike();
};

const [servedUrl] = process.argv.slice(2);
await (servedUrl === undefined ? run() : serve(servedUrl));
