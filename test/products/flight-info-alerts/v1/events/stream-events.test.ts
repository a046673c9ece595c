import { EventSource, type EventSourceFetchInit } from 'eventsource';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TestApp } from '#test/support/recorded-exchanges.ts';
import { openHttpServer } from '#http/server/server.ts';
import { AccountEventWatcher } from '#jobs/events/account-event-watcher.ts';
import { createKey, listKeys, revokeKey } from '#store/access/subscription-keys.ts';
import { openEventStream, type EventStreamReader } from '#test/support/event-stream-reader.ts';
import { createTestApp, JUNE_NOON } from '#test/support/test-app.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { insertTestEvents, getStreamNumber } from './account-events.ts';
import { serveAlerts } from '../alerts-service.ts';

const now = new Date('2026-06-01T11:59:00.250Z');
const PATH = '/flight-info-alerts/events';
const limits = { maxWaitMs: 30_000, heartbeatMs: 60_000 };

const world = await serveAlerts({ eventLimits: limits });
let account = '';
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  account = await world.createAccount();
});
afterEach(async () => {
  for (const close of closing.splice(1).toReversed()) await close();
});
afterAll(async () => {
  await closing[0]?.();
  await world.drop();
});

/** Serves an application until the test ends, the first one until all tests have ended; returns its port. */
const listen = async (fetch: TestApp['fetch']): Promise<number> => {
  const server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1' });
  closing.push(() => server.close(0));
  return (await server.listening).port;
};

const port = await listen(world.app.fetch);

/** Creates a separate service over the same store. */
const createOwn = async (eventLimits: object = {}, clock = JUNE_NOON) => {
  const accountEvents = new AccountEventWatcher(world.db, { onError: () => {} });
  closing.push(() => accountEvents.stop());
  const app = await createTestApp(world.db, { accountEvents, clock, eventLimits: { ...limits, ...eventLimits } });
  return { accountEvents, app };
};
const serve = async (eventLimits: object, clock?: () => Date): Promise<number> =>
  listen((await createOwn(eventLimits, clock)).app.fetch);

const connect = async (
  { query = '', headers = {}, key = TEST_KEY }: { query?: string; headers?: object; key?: string } = {},
  at = port,
): Promise<EventStreamReader> => {
  const source = await openEventStream({
    port: at,
    path: `${PATH}${query}`,
    headers: { 'subscription-key': key, accountid: account, ...headers },
  });
  closing.push(source.close);
  return source;
};

const reopen = async (at: number): Promise<number> => {
  const { status, close } = await connect({ query: '?After=end' }, at);
  close();
  return status;
};

const insertEvents = (count: number, documentType = 'FlightStatus'): Promise<readonly string[]> =>
  insertTestEvents(world.db, account, {
    events: Array.from({ length: count }, (_, index) => ({ body: { documentType, note: `n${index}` } })),
    now,
  });

const idsOf = ({ events }: EventStreamReader): string => events.map(({ id }) => id).join(' ');

test('a stream has the stored events, then new ones, each with the same bytes as in a page', async () => {
  await insertEvents(2);
  const source = await connect();
  expect([source.status, source.response.headers]).toMatchObject([
    200,
    {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'api-version': 'v1',
      'transfer-encoding': 'chunked',
    },
  ]);
  await source.until(2);
  await insertEvents(1, 'ScheduleInstance');
  await source.until(3);
  const page = await (await world.sendJson('GET', '/events', { headers: { accountid: account } })).text();
  expect(page).toContain(`[${source.events.map(({ data }) => data).join(',')}]`);
  expect(source.events.map(({ id, event }) => [id, event])).toEqual([
    ['1', 'FlightStatus'],
    ['2', 'FlightStatus'],
    ['3', 'ScheduleInstance'],
  ]);
});

test('a stream beyond the buffer size is complete and in order', async () => {
  await insertEvents(1234);
  const source = await connect({ query: '?Limit=1&Wait=1' });
  await source.until(1234);
  expect(idsOf(source)).toBe(Array.from({ length: 1234 }, (_, index) => index + 1).join(' '));
});

test('Last-Event-ID takes precedence over After, and `end` skips stored events', async () => {
  await insertEvents(3);
  const resumed = await connect({ query: '?After=0', headers: { 'last-event-id': '2' } });
  const [after, fromEnd] = [await connect({ query: '?After=1' }), await connect({ query: '?After=end' })];
  await insertEvents(1);
  await Promise.all([resumed.until(2), after.until(3), fromEnd.until(1)]);
  expect([resumed, after, fromEnd].map(idsOf)).toEqual(['3 4', '2 3 4', '4']);
});

test('a stream sends its start position, so that it can resume before its first event', async () => {
  await insertEvents(3);
  const removed = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}${PATH}?After=end`, {
    headers: { 'subscription-key': TEST_KEY, accountid: account, accept: 'text/event-stream' },
    signal: removed.signal,
  });
  const { value } = (await response.body?.getReader().read()) ?? {};
  removed.abort();
  expect(new TextDecoder().decode(value)).toBe('retry: 3000\nid: 3\nevent: position\ndata: {"position":3}\n\n');
});

test('EventSource loses no event when the connection breaks before the first event after `end`', async () => {
  await insertEvents(3);
  const lastIds: (string | null)[] = [];
  // Ends the first response after the position. Then an event is created.
  const breakOnce = async (url: string | URL, init: EventSourceFetchInit): Promise<Response> => {
    const headers = new Headers({ ...init.headers, 'subscription-key': TEST_KEY, accountid: account });
    lastIds.push(headers.get('last-event-id'));
    const response = await fetch(url, { ...init, headers });
    if (lastIds.length > 1) return response;
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    await insertEvents(2);
    return new Response(new TextDecoder().decode(value).replace('retry: 3000', 'retry: 1'), response);
  };
  const source = new EventSource(`http://127.0.0.1:${port}${PATH}?version=v1&After=end`, { fetch: breakOnce });
  closing.push(() => source.close());
  const received: unknown[] = [];
  const isComplete = Promise.withResolvers<void>();
  const record = ({ type, lastEventId, data }: MessageEvent<string>): void => {
    received.push([type, lastEventId, JSON.parse(data).position]);
    if (lastEventId === '5') isComplete.resolve();
  };
  for (const name of ['position', 'FlightStatus']) source.addEventListener(name, record);
  await isComplete.promise;
  expect([lastIds, received]).toEqual([
    [null, '3'],
    [
      ['position', '3', 3],
      ['position', '3', 3],
      ['FlightStatus', '4', 4],
      ['FlightStatus', '5', 5],
    ],
  ]);
});

test('a stream without events sends heartbeats', async () => {
  const other = await serve({ heartbeatMs: 5 });
  const source = await connect({}, other);
  await expect.poll(() => source.comments(), { timeout: 60_000 }).toBeGreaterThan(3);
  expect(source.events).toEqual([]);
});

test('a stream and a waiting request end soon after their key is revoked, before a heartbeat and the timeout', async () => {
  let today = JUNE_NOON();
  const { app, accountEvents } = await createOwn({ recheckMs: 20 }, () => today);
  const waits = vi.spyOn(accountEvents, 'waitForEvents');
  const other = await listen(app.fetch);
  const { key } = await createKey(world.db, { name: 'leaver', products: ['flight-info-alerts'] });
  account = await world.createAccount(key);
  const source = await connect({ key }, other);
  const began = performance.now();
  const waiting = fetch(`http://127.0.0.1:${other}${PATH}?Wait=30`, {
    headers: { 'subscription-key': key, accountid: account },
  });
  await expect.poll(() => waits.mock.calls.length).toBe(2);
  const revoked = (await listKeys(world.db)).find(({ name }) => name === 'leaver');
  await revokeKey(world.db, revoked?.id ?? 0);
  // A key is cached for some seconds, by the clock of the service.
  today = new Date('2026-06-02T12:00:00Z');
  await source.ended;
  expect((await waiting).status).toBe(401);
  expect(performance.now() - began).toBeLessThan(25_000);
  expect([source.comments(), (await connect({ key }, other)).status]).toEqual([0, 401]);
});

test('the streams of a deleted account end on every server at once, and release their slots', async () => {
  const deleted = account;
  const servers = [await serve({ maxOpenOfSubscription: 1 }), await serve({ maxOpenOfSubscription: 1 })];
  const sources = await Promise.all(servers.map((server) => connect({}, server)));
  expect(sources.map(({ status }) => status)).toEqual([200, 200]);
  // Nothing else wakes them: a heartbeat is due after a minute.
  expect((await world.sendJson('DELETE', `/profile/${deleted}`)).status).toBe(200);
  await Promise.all(sources.map(({ ended }) => ended));
  account = await world.createAccount();
  expect(await Promise.all(servers.map((server) => reopen(server)))).toEqual([200, 200]);
  account = deleted;
  expect((await connect({}, servers[0])).status).toBe(404);
});

test('a stream that is not read is buffered, then closed, and its slot released', async () => {
  // Hono takes two chunks more than the client reads, so the heartbeats after the events show that it reads nothing.
  const other = await serve({ stallMs: 2000, maxOpen: 1, heartbeatMs: 50 });
  // More than the socket buffers hold.
  const note = 'x'.repeat(80_000);
  const newEvents = Array.from({ length: 420 }, () => ({ body: { documentType: 'FlightStatus', note } }));
  await insertTestEvents(world.db, account, { events: newEvents, now });
  const source = await connect({}, other);
  source.response.pause();
  expect(await reopen(other)).toBe(429);
  await expect.poll(() => reopen(other), { timeout: 30_000 }).toBe(200);
  source.response.resume();
  await source.ended;
  expect(source.events.length).toBeLessThan(420);
});

test('a waiting request of a disconnected client releases its slot', async () => {
  const { app, accountEvents } = await createOwn({ maxOpen: 1 });
  const waits = vi.spyOn(accountEvents, 'waitForEvents');
  const other = await listen(app.fetch);
  const missing = new AbortController();
  const waiting = fetch(`http://127.0.0.1:${other}${PATH}?Wait=30`, {
    headers: { 'subscription-key': TEST_KEY, accountid: account },
    signal: missing.signal,
  });
  // The waiting request holds the only slot; a stream that opened earlier would take it.
  await expect.poll(() => waits.mock.calls.length).toBe(1);
  expect(await reopen(other)).toBe(429);
  missing.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await expect.poll(() => reopen(other), { timeout: 60_000 }).toBe(200);
});

test('a stream that falls behind retained events ends, and the next request returns the reason', async () => {
  await insertEvents(1);
  const source = await connect();
  await source.until(1);
  const stream = await getStreamNumber(world.db, account);
  await world.db`update account_stream set last_number = 5 where stream = ${stream}`;
  await insertEvents(1);
  await source.ended;
  expect((await connect({ headers: { 'last-event-id': '1' } })).status).toBe(410);
});

test('a stream ends when the database is lost, and the next request returns the error', async () => {
  const source = await connect();
  const stream = await getStreamNumber(world.db, account);
  await world.db`alter table account_event rename to elsewhere`;
  await world.db`insert into account_stream (stream, last_number) values (${stream}, 1)`;
  await world.db`select pg_notify('account_events', '')`;
  await source.ended;
  const { status } = await connect();
  await world.db`alter table elsewhere rename to account_event`;
  expect(status).toBe(500);
});

test('a stopping service ends streams and waiting requests at once, and closes without a wait', async () => {
  const { accountEvents, app } = await createOwn();
  let arrived = 0;
  const all = Promise.withResolvers<void>();
  const fetch: TestApp['fetch'] = (request) => {
    arrived += 1;
    if (arrived === 3) all.resolve();
    return app.fetch(request);
  };
  const server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1' });
  const { port: own } = await server.listening;
  const sources = await Promise.all([connect({}, own), connect({}, own)]);
  const headers = { 'subscription-key': TEST_KEY, accountid: account };
  const waiting = globalThis.fetch(`http://127.0.0.1:${own}${PATH}?Wait=30`, { headers });
  await all.promise;
  const began = performance.now();
  const closed = server.close(20_000);
  await accountEvents.stop();
  await Promise.all(sources.map(({ ended }) => ended));
  expect(await (await waiting).json()).toMatchObject({ data: [] });
  await closed;
  // Less than the time that the service allows its requests to finish.
  expect(performance.now() - began).toBeLessThan(19_000);
});
