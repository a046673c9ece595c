/*
 * Measures how fast events are pulled, the delay from notification to the reader of a stream, and the cost of open streams.
 * The service runs in its own process. DATABASE_URL names the server.
 *
 *   node --expose-gc test/bench/pull.ts
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApp } from '../../src/app.ts';
import { createAccessLog } from '../../src/http/observability/access-log.ts';
import { openHttpServer } from '../../src/http/server/server.ts';
import { openDatabase, type Database } from '../../src/store/pool/database.ts';
import { insertKeyIfMissing } from '../../src/store/access/subscription-keys.ts';
import { readMasterData } from '../../src/jobs/cache/master-data-cache.ts';
import {
  insertStreamEvents,
  insertTestEvents,
  getStreamNumber,
  insertLogEvents,
} from '../products/flight-info-alerts/v1/events/account-events.ts';
import { openEventStream, type EventStreamReader } from '../support/event-stream-reader.ts';
import { databaseUrlOf } from '../support/database-url.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf } from './figures.ts';
import { prepareStage, serverUrl } from './prepared-stage.ts';

const KEY = 'bench';
const EVENTS = 20_000;
const PATH = '/flight-info-alerts/events';
const NAME = 'flightdata_bench_pull';
const now = new Date();

/** The size of a status event with changes. */
const body = { documentType: 'FlightStatus', state: 'OutGate', changes: [], note: 'x'.repeat(2000) };

const serve = async (): Promise<void> => {
  // The jobs of a whole server would move the events of this benchmark.
  const sql = openDatabase({ url: databaseUrlOf(serverUrl(), NAME), applicationName: 'bench' });
  const clock = (): Date => new Date();
  const masterData = await readMasterData(sql, clock);
  const app = createApp({
    sql,
    masterData: () => masterData,
    cursorSecret: Buffer.alloc(32),
    mapSecret: Buffer.alloc(32),
    clock,
    log: createAccessLog({ write: () => undefined }),
  });
  const server = openHttpServer({ fetch: app, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  process.on('message', () => {
    globalThis.gc?.();
    const rss = process.memoryUsage.rss();
    const { user, system } = process.cpuUsage();
    process.send?.({ rss, cpu: user + system });
  });
  process.send?.({ port });
};

/** Returns the next message of the service. */
const firstMessage = async <T>(child: ChildProcess): Promise<[T]> => (await once(child, 'message')) as [T];

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
  const { db, strike } = await prepareStage(NAME);
  await insertKeyIfMissing(db, { name: 'bench', products: ['flight-info-alerts'], key: KEY });
  const child = fork(fileURLToPath(import.meta.url), ['--serve'], { execArgv: ['--expose-gc'] });
  const [{ port }]: [{ port: number }] = await firstMessage(child);
  const used = async (): Promise<{ readonly megabytes: number; readonly cpuSeconds: number }> => {
    child.send('used');
    const [{ rss, cpu }]: [{ rss: number; cpu: number }] = await firstMessage(child);
    return { megabytes: rss / 2 ** 20, cpuSeconds: cpu / 1e6 };
  };
  const open: EventStreamReader[] = [];
  const before = await used();
  for (let n = 0; n < 20; n += 1) {
    const account = await newAccount({ port });
    for (let k = 0; k < 10; k += 1) open.push(await openEventStream({ port, path: PATH, headers: headersOf(account) }));
  }
  const silent = (await used()).megabytes - before.megabytes;
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
    const { cpuSeconds } = await used();
    const rate = await pull({ port, accountId }, { limit, readers });
    const spent = (await used()).cpuSeconds - cpuSeconds;
    const each = Math.round((EVENTS * readers) / spent);
    const name = `pages of ${limit}, ${readers} readers`;
    printFigure('pull', [
      figure(`${name}: events read`, rate, 'events/s'),
      figure(`${name}: events for a second of the processor of the service`, each, 'events'),
    ]);
  }
  await streamTimes(db, port, 10);
  for (const streams of [1, 20, 200]) {
    const { cpuSeconds } = await used();
    const times = await streamTimes(db, port, streams);
    const { cpuSeconds: after } = await used();
    printFigure('pull', [
      ...figuresOfTimes(`${streams} streams: from commit to reader`, quantilesOf(times)),
      figure(`${streams} streams: processor an event and reader`, ((after - cpuSeconds) / times.length) * 1000, 'ms'),
    ]);
  }
  child.kill();
  await strike();
};

const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false } } });
await (values.serve ? serve() : run());
