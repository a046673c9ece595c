import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventsOptions, FlightDataClientOptions } from '../../src/client/index.ts';
import { openCuttingProxy } from '../faults/readers/cutting-proxy.ts';
import { insertTestEvents } from '../products/flight-info-alerts/v1/events/account-events.ts';
import { serveAlerts, type AlertsService } from '../products/flight-info-alerts/v1/alerts-service.ts';
import { getRejection, startTestService, createFixedTiming, type TestService } from './test-service.ts';

const now = new Date('2026-06-01T11:59:00Z');
const { timing } = createFixedTiming('2026-06-01T12:00:00Z');

let world: AlertsService;
let service: TestService;
let accountId = '';
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  world = await serveAlerts({ eventLimits: { maxWaitMs: 30_000, maxOpen: 50 } });
  service = await startTestService(world.app);
});
beforeEach(async () => {
  accountId = await world.createAccount();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(async () => {
  await service.close();
  await world.drop();
});

const give = (...names: readonly string[]): Promise<readonly string[]> =>
  insertTestEvents(world.db, accountId, { events: names.map((name) => ({ body: { state: name } })), now });

type Taking = Partial<EventsOptions> & Pick<Partial<FlightDataClientOptions>, 'baseUrl' | 'fetch' | 'timing'>;

/** Takes so many events, each with its position. */
const take = async (
  count: number,
  { baseUrl = service.baseUrl, fetch, timing: clock = timing, ...options }: Taking = {},
): Promise<readonly unknown[]> => {
  const client = service.client({ baseUrl, timing: clock, ...(fetch && { fetch }) });
  const taken: (readonly [number, unknown])[] = [];
  for await (const event of client.events({ accountId, ...options })) {
    taken.push([event.position, 'state' in event && event.state]);
    if (taken.length === count) break;
  }
  return taken;
};

const modes = ['stream', 'poll'] as const;

describe.each(modes)('by %s', (mode) => {
  test('events come from the oldest one on, and as they are made', async () => {
    await give('a', 'b');
    const taking = take(4, { mode });
    await give('c');
    await give('d');
    expect(await taking).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
    ]);
  });

  test('a consumer goes on behind the position that it kept', async () => {
    await give('a', 'b', 'c');
    expect(await take(1, { mode, after: 2 })).toEqual([[3, 'c']]);
    expect(await take(1, { mode, after: 0 })).toEqual([[1, 'a']]);
  });

  test('one that begins at the end gets what is new, also when the connection breaks before anything came', async () => {
    await give('a', 'b');
    const asked: string[] = [];
    // The first answer says where the end is, and no more; then there is an event.
    const cutOnce: FlightDataClientOptions['fetch'] = async (url, init) => {
      asked.push(url.replace(/^.*version=v1/, ''));
      if (asked.length > 1) return fetch(url, init);
      const cut = new AbortController();
      const { body, headers } = await fetch(url.replace('Wait=30', 'Wait=0'), {
        ...init,
        signal: cut.signal,
      });
      const first = await body?.getReader().read();
      cut.abort();
      await give('c');
      return new Response(first?.value, { headers });
    };
    expect(await take(1, { mode, after: 'end', fetch: cutOnce })).toEqual([[3, 'c']]);
    const pages = ['&Limit=500&Wait=30&After=end', '&Limit=500&Wait=30&After=2'];
    expect(asked).toEqual(mode === 'poll' ? pages : ['&After=end', '']);
  });

  test('however often the connection is cut, each event comes once and in its order', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `event ${index + 1}`);
    await give(...names);
    let drawn = 0;
    // A page comes compressed, in some 2 kB. Cuts lie where chance would put them, the same ones in each run; a page of some events must fit between two of them in the end.
    const draw = (most: number): number => {
      drawn += 1;
      return drawn > 40 ? 10_000_000 : (drawn * 7919) % most;
    };
    const proxy = await openCuttingProxy(service.port, { draw, most: mode === 'poll' ? 1500 : 6000 });
    closing.push(proxy.close);
    const taken = await take(120, { mode, baseUrl: `http://127.0.0.1:${proxy.port}` });
    expect(taken).toEqual(names.map((name, index) => [index + 1, name]));
    expect(proxy.countCuts()).toBeGreaterThan(5);
  });

  test('a signal ends it at once, without an error, while it waits', async () => {
    await give('a');
    const over = new AbortController();
    const taken: number[] = [];
    for await (const { position } of service.client().events({ accountId, mode, signal: over.signal })) {
      taken.push(position);
      setImmediate(() => over.abort());
    }
    expect(taken).toEqual([1]);
  });

  test('a signal that is aborted at an event makes it the last one, whatever has arrived behind it', async () => {
    await give('a', 'b', 'c');
    const over = new AbortController();
    const taken: number[] = [];
    for await (const { position } of service.client().events({ accountId, mode, signal: over.signal })) {
      taken.push(position);
      if (position === 2) over.abort();
    }
    expect(taken).toEqual([1, 2]);
  });

  test('a position that is no longer kept, or not yet there, is a problem for the caller', async () => {
    await give('a', 'b', 'c');
    expect(await getRejection(take(1, { mode, after: 9 }))).toMatchObject({ status: 400, kind: 'cursor-invalid' });
    await world.db`delete from account_event where stream = (select stream from alert_account where id = ${accountId}) and number < 3`;
    expect(await getRejection(take(1, { mode, after: 0 }))).toMatchObject({ status: 410, kind: 'cursor-expired' });
    expect(await take(1, { mode })).toEqual([[3, 'c']]);
  });

  test('an account that is not there is a problem, and so is a wrong key', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await getRejection(take(1, { mode, accountId: nobody }))).toMatchObject({ status: 404 });
    const client = service.client({ subscriptionKey: 'another' });
    expect(await getRejection(client.events({ accountId, mode }).next())).toMatchObject({ status: 401 });
  });

  test('a signal ends it also while a refusal comes in and does not come to its end', async () => {
    const over = new AbortController();
    const begun = new TextEncoder().encode('{');
    const front = await startTestService(
      () => new Response(new ReadableStream({ start: (body) => body.enqueue(begun) }), { status: 503 }),
    );
    closing.push(front.close);
    const fetching: FlightDataClientOptions['fetch'] = async (url, init) => {
      const head = await fetch(url, init);
      setImmediate(() => over.abort());
      return head;
    };
    const events = front.client({ fetch: fetching }).events({ accountId, mode, signal: over.signal });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test('a service that is not well for a while is asked again, as late as it says', async () => {
    await give('a');
    const left = [503, 429, 500];
    const clock = createFixedTiming('2026-06-01T12:00:00Z');
    const front = await startTestService((request) => {
      const status = left.shift();
      const headers: Record<string, string> = status === 429 ? { 'retry-after': '11' } : {};
      return status === undefined ? world.app(request) : new Response('{}', { status, headers });
    });
    closing.push(front.close);
    const breaks: unknown[] = [];
    const onBreak = (error: unknown): unknown => breaks.push(error);
    const events = front.client({ timing: clock.timing }).events({ accountId, mode, onBreak });
    expect((await events.next()).value).toMatchObject({ position: 1 });
    await events.return();
    expect(clock.waits).toEqual([250, 11_000, 1000]);
    expect(breaks).toEqual(
      [503, 429, 500].map((status) => expect.objectContaining({ name: 'FlightDataProblem', status })),
    );
  });
});

describe('streams that do not come through', () => {
  /** Answers streams in its own way and passes the rest on. */
  const keeping = async (answer: () => Response, asked: string[]): Promise<TestService> => {
    const front = await startTestService((request) => {
      const accept = request.headers.get('accept') ?? '';
      asked.push(accept === 'text/event-stream' ? 'stream' : 'poll');
      return accept === 'text/event-stream' ? answer() : world.app(request);
    });
    closing.push(front.close);
    return front;
  };
  const silent = (): Response =>
    new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });

  test.each([
    ['one that is refused', () => Response.json({ type: '/docs/errors#not-acceptable' }, { status: 406 })],
    ['one that comes as something else', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['one in which nothing comes at all', silent],
  ])('%s is given up, and events are asked for instead', async (_, answer) => {
    await give('a');
    const asked: string[] = [];
    const front = await keeping(answer, asked);
    expect(await take(1, { baseUrl: front.baseUrl, silentMs: 50 })).toEqual([[1, 'a']]);
    expect(asked).toEqual(['stream', 'poll']);
  });

  /** A service of nothing but a stream, which answers each connection by its number, from 1 on, and keeps it open; and what each was to go on from. */
  const speaking = async (
    tell: (connection: number) => string,
  ): Promise<{ readonly baseUrl: string; readonly seen: readonly (string | undefined)[] }> => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers['last-event-id']?.toString());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(tell(seen.length));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as AddressInfo;
    closing.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    return { baseUrl: `http://127.0.0.1:${port}`, seen };
  };

  const said = (position: number): string =>
    `id: ${position}\nevent: FlightStatus\ndata: {"position":${position},"state":"s${position}"}\n\n`;

  /** Of each connection the first piece is there in time, and the second is not. */
  const fallingSilent = (): typeof timing => {
    let reads = 0;
    return {
      ...timing,
      wait: (ms, signal) => {
        if (ms === 50) reads += 1;
        return timing.wait(ms === 50 && reads % 2 === 1 ? 60_000 : ms, signal);
      },
    };
  };

  test('one that falls silent after it has spoken is cut and opened again behind the last event', async () => {
    const { baseUrl, seen } = await speaking(said);
    const taken = await take(3, { baseUrl, silentMs: 50, timing: fallingSilent() });
    expect([taken, seen]).toEqual([
      [
        [1, 's1'],
        [2, 's2'],
        [3, 's3'],
      ],
      [undefined, '1', '2'],
    ]);
  });

  test('what a connection repeats is not given again', async () => {
    const { baseUrl } = await speaking((connection) => said(1) + said(connection) + said(connection + 1));
    const taken = await take(3, { baseUrl, silentMs: 50, timing: fallingSilent() });
    expect(taken).toEqual([
      [1, 's1'],
      [2, 's2'],
      [3, 's3'],
    ]);
  });
});

test('a consumer that stops closes its connection', async () => {
  await give('a');
  const ended = Promise.withResolvers<void>();
  const front = await startTestService((request) => {
    request.signal.addEventListener('abort', () => ended.resolve());
    return world.app(request);
  });
  closing.push(front.close);
  await take(1, { baseUrl: front.baseUrl });
  await ended.promise;
  expect(await take(1)).toEqual([[1, 'a']]);
});
