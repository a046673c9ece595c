import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { EventsOptions, FlightDataClientOptions } from '#client/index.ts';
import { openCuttingProxy } from '../support/cutting-proxy.ts';
import { insertTestEvents } from '../products/flight-info-alerts/v1/events/account-events.ts';
import { serveAlerts } from '../products/flight-info-alerts/v1/alerts-service.ts';
import { createFixedTiming, getRejection, startSharedService, startTestService } from './test-service.ts';

const now = new Date('2026-06-01T11:59:00Z');
const { timing } = createFixedTiming('2026-06-01T12:00:00Z');

const world = await serveAlerts({ eventLimits: { maxWaitMs: 30_000, maxOpen: 50 } });
afterAll(world.drop);
const service = await startSharedService(world.app.fetch);
let accountId = '';
beforeEach(async () => {
  accountId = await world.createAccount();
});

const insertEvents = (...names: readonly string[]): Promise<readonly string[]> =>
  insertTestEvents(world.db, accountId, { events: names.map((name) => ({ body: { state: name } })), now });

const numbered = (...names: readonly string[]) => names.map((name, index) => [index + 1, name]);

type TakeOptions = Partial<EventsOptions> & Pick<Partial<FlightDataClientOptions>, 'baseUrl' | 'fetch' | 'timing'>;

const take = async (
  count: number,
  { baseUrl = service.baseUrl, fetch, timing: clock = timing, ...options }: TakeOptions = {},
): Promise<readonly unknown[]> => {
  const client = service.client({ baseUrl, timing: clock, ...(fetch && { fetch }) });
  const events: (readonly [number, unknown])[] = [];
  for await (const event of client.events({ accountId, ...options })) {
    events.push([event.position, 'state' in event && event.state]);
    if (events.length === count) break;
  }
  return events;
};

const modes = ['stream', 'poll'] as const;

describe.each(modes)('by %s', (mode) => {
  test('events are delivered from the oldest one on, including later ones', async () => {
    await insertEvents('a', 'b');
    const receiving = take(4, { mode });
    await insertEvents('c');
    await insertEvents('d');
    expect(await receiving).toEqual(numbered('a', 'b', 'c', 'd'));
  });

  test('a consumer continues after its stored position', async () => {
    await insertEvents('a', 'b', 'c');
    expect(await take(1, { mode, after: 2 })).toEqual([[3, 'c']]);
    expect(await take(1, { mode, after: 0 })).toEqual([[1, 'a']]);
  });

  test('a consumer that starts at the end receives new events, also when the connection breaks before the first event', async () => {
    await insertEvents('a', 'b');
    const queries: string[] = [];
    // The first response only has the position of the end; then an event is created.
    const cutOnce: FlightDataClientOptions['fetch'] = async (url, init) => {
      queries.push(url.replace(/^.*version=v1/, ''));
      if (queries.length > 1) return fetch(url, init);
      const cut = new AbortController();
      const { body, headers } = await fetch(url.replace('Wait=30', 'Wait=0'), { ...init, signal: cut.signal });
      const first = await body?.getReader().read();
      cut.abort();
      await insertEvents('c');
      return new Response(first?.value, { headers });
    };
    expect(await take(1, { mode, after: 'end', fetch: cutOnce })).toEqual([[3, 'c']]);
    const pages = ['&Limit=500&Wait=30&After=end', '&Limit=500&Wait=30&After=2'];
    expect(queries).toEqual(mode === 'poll' ? pages : ['&After=end', '']);
  });

  test('delivers each event once and in order, however often the connection is cut', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `event ${index + 1}`);
    await insertEvents(...names);
    let draws = 0;
    // A page is about 2 kB compressed. The cuts are pseudo-random and the same in each run; a page of some events must
    // fit between two cuts in the end.
    const draw = (most: number): number => {
      draws += 1;
      return draws > 40 ? 10_000_000 : (draws * 7919) % most;
    };
    const proxy = await openCuttingProxy(service.port, { draw, maxBytes: mode === 'poll' ? 1500 : 6000 });
    onTestFinished(proxy.close);
    const events = await take(120, { mode, baseUrl: `http://127.0.0.1:${proxy.port}` });
    expect(events).toEqual(numbered(...names));
    expect(proxy.countCuts()).toBeGreaterThan(5);
  });

  test.each([
    ['ends waiting immediately, without an error', ['a'], 1, setImmediate],
    ['at an event makes it the last one, whatever has arrived', ['a', 'b', 'c'], 2, (abort: () => void) => abort()],
  ])('an aborted signal %s', async (_, names, last, schedule) => {
    await insertEvents(...names);
    const controller = new AbortController();
    const positions: number[] = [];
    for await (const { position } of service.client().events({ accountId, mode, signal: controller.signal })) {
      positions.push(position);
      if (position === last) schedule(() => controller.abort());
    }
    expect(positions).toEqual(Array.from({ length: last }, (__, index) => index + 1));
  });

  test('throws a problem for a position that has been pruned or does not exist yet', async () => {
    await insertEvents('a', 'b', 'c');
    expect(await getRejection(take(1, { mode, after: 9 }))).toMatchObject({ status: 400, kind: 'cursor-invalid' });
    await world.db`delete from account_event where stream = (select stream from alert_account where id = ${accountId}) and number < 3`;
    expect(await getRejection(take(1, { mode, after: 0 }))).toMatchObject({ status: 410, kind: 'cursor-expired' });
    expect(await take(1, { mode })).toEqual([[3, 'c']]);
  });

  test('an aborted signal ends the iteration while the body of an error response is incomplete', async () => {
    const controller = new AbortController();
    const firstByte = new TextEncoder().encode('{');
    const createBody = () => new ReadableStream({ start: (body) => body.enqueue(firstByte) });
    const front = await startTestService(() => new Response(createBody(), { status: 503 }));
    const fetchAndAbort: FlightDataClientOptions['fetch'] = async (url, init) => {
      const head = await fetch(url, init);
      setImmediate(() => controller.abort());
      return head;
    };
    const events = front.client({ fetch: fetchAndAbort }).events({ accountId, mode, signal: controller.signal });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test('retries a temporarily failing service after the delay that it requests', async () => {
    await insertEvents('a');
    const failures = [503, 429, 500];
    const clock = createFixedTiming('2026-06-01T12:00:00Z');
    const front = await startTestService((request) => {
      const status = failures.shift();
      const headers: Record<string, string> = status === 429 ? { 'retry-after': '11' } : {};
      return status === undefined ? world.app.fetch(request) : new Response('{}', { status, headers });
    });
    const breaks: unknown[] = [];
    const record = (error: unknown): unknown => breaks.push(error);
    const events = front.client({ timing: clock.timing }).events({ accountId, mode, onReconnect: record });
    expect((await events.next()).value).toMatchObject({ position: 1 });
    await events.return();
    expect(clock.waits).toEqual([250, 11_000, 1000]);
    expect(breaks).toMatchObject([503, 429, 500].map((status) => ({ name: 'FlightDataProblem', status })));
  });
});

const streaming = { headers: { 'content-type': 'text/event-stream' } };

test.each([
  ['a rejected stream', () => Response.json({ type: '/docs/errors#not-acceptable' }, { status: 406 })],
  ['a response of another media type', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['a silent stream', () => new Response(new ReadableStream(), streaming)],
])('falls back from %s to polling', async (_, respond) => {
  await insertEvents('a');
  const modesUsed: string[] = [];
  const front = await startTestService((request) => {
    const isStream = request.headers.get('accept') === 'text/event-stream';
    modesUsed.push(isStream ? 'stream' : 'poll');
    return isStream ? respond() : world.app.fetch(request);
  });
  expect(await take(1, { baseUrl: front.baseUrl, silentMs: 50 })).toEqual([[1, 'a']]);
  expect(modesUsed).toEqual(['stream', 'poll']);
});

/**
 * Starts a service with a stream only. It sends the text of each connection, numbered from 1, and keeps it open.
 * `positions` has the position from which each connection resumes.
 */
const startStreamServer = async (textFor: (connection: number) => string) => {
  const positions: (string | null)[] = [];
  const { baseUrl } = await startTestService(({ headers }) => {
    positions.push(headers.get('last-event-id'));
    const text = new TextEncoder().encode(textFor(positions.length));
    return new Response(new ReadableStream({ start: (body) => body.enqueue(text) }), streaming);
  });
  return { baseUrl, positions };
};

const formatEvent = (position: number): string =>
  `id: ${position}\nevent: FlightStatus\ndata: {"position":${position},"state":"s${position}"}\n\n`;

/** Delivers the first chunk of each connection in time, and the second one not. */
const createSilenceTiming = (): typeof timing => {
  let reads = 0;
  return {
    ...timing,
    wait: (ms, signal) => {
      if (ms === 50) reads += 1;
      return timing.wait(ms === 50 && reads % 2 === 1 ? 60_000 : ms, signal);
    },
  };
};

test('reconnects a stream that falls silent and resumes after the last event', async () => {
  const { baseUrl, positions } = await startStreamServer(formatEvent);
  const events = await take(3, { baseUrl, silentMs: 50, timing: createSilenceTiming() });
  expect([events, positions]).toEqual([numbered('s1', 's2', 's3'), [null, '1', '2']]);
});

test('skips events that a connection repeats', async () => {
  const { baseUrl } = await startStreamServer(
    (connection) => formatEvent(1) + formatEvent(connection) + formatEvent(connection + 1),
  );
  const events = await take(3, { baseUrl, silentMs: 50, timing: createSilenceTiming() });
  expect(events).toEqual(numbered('s1', 's2', 's3'));
});

test('a consumer that stops closes its connection', async () => {
  await insertEvents('a');
  const ended = Promise.withResolvers<void>();
  const front = await startTestService((request) => {
    request.signal.addEventListener('abort', () => ended.resolve());
    return world.app.fetch(request);
  });
  await take(1, { baseUrl: front.baseUrl });
  await ended.promise;
  expect(await take(1)).toEqual([[1, 'a']]);
});
