import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { root } from '#contract/run-tool.ts';
import { openHttpServer } from '#http/server/server.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { insertTestEvents, getStreamNumber } from './account-events.ts';
import { serveAlerts } from '../alerts-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const now = new Date('2026-06-01T11:59:00.250Z');
const alertId = '00000000-0000-4000-8000-00000000000a';

const world = sharedService(() => serveAlerts({ eventLimits: { maxWaitMs: 30_000 } }));

const list = (accountId: string, query = '', headers = {}): Promise<Response> =>
  world.sendJson('GET', `/events${query}`, { headers: { accountid: accountId, ...headers } });

const getBody = async (...request: Parameters<typeof list>): Promise<unknown> => (await list(...request)).json();
const newEvents = (count: number): { readonly body: object }[] =>
  Array.from({ length: count }, (_, index) => ({ body: { documentType: 'FlightStatus', note: `"n${index}"` } }));

test('an account has its events in the order of its positions, with the original bytes', async () => {
  const account = await world.createAccount();
  const [first, second, third] = await insertTestEvents(world.db, account, { events: newEvents(3), now });
  const rendered = (id: string | undefined, index: number): string =>
    `{"messageId":"${id}","messageTimestamp":"${now.getTime()}","position":${index + 1},"alertId":"${alertId}","documentType":"FlightStatus","note":"\\"n${index}\\""}`;
  const response = await list(account, '?Limit=2');
  expect([response.status, response.headers.get('cache-control'), response.headers.get('vary')]).toEqual([
    200,
    'no-store',
    'Subscription-Key, accountId, Accept, Accept-Encoding',
  ]);
  expect(await response.text()).toBe(
    `{"data":[${[first, second].map(rendered).join(',')}],"position":2,"oldest":1,"latest":3,"retentionDays":7}`,
  );
  const rest = '"position":3,"oldest":1,"latest":3,"retentionDays":7}';
  expect(await (await list(account, '?After=2')).text()).toBe(`{"data":[${rendered(third, 2)}],${rest}`);
  for (const after of ['3', 'end'])
    expect(await (await list(account, `?After=${after}`)).text()).toBe(`{"data":[],${rest}`);
});

test('events contain the parts that the alerts of their account request', async () => {
  const account = await world.createAccount();
  const seatingCapacity = { actual: { totalSeats: 180 } };
  const seats = { propertyName: 'SeatingCapacity.Actual.TotalSeats', previousValue: 170 };
  const changes = [{ propertyName: 'State' }, seats];
  const body = { documentType: 'FlightStatus', seatingCapacity, changes };
  for (const changes of [true, false])
    for (const seats of [true, false])
      await insertTestEvents(world.db, account, { events: [{ body }], now, parts: { changes, seats } });
  const { data }: { data: object[] } = await (await list(account)).json();
  const reported = data.map((one) => Object.fromEntries(Object.entries(one).slice(4)));
  expect(reported).toEqual([
    body,
    { documentType: 'FlightStatus', changes: changes.slice(0, 1) },
    { documentType: 'FlightStatus', seatingCapacity },
    { documentType: 'FlightStatus' },
  ]);
});

test('an account without events has an empty page, from the beginning and from the end', async () => {
  const account = await world.createAccount();
  const empty = { data: [], position: 0, oldest: 1, latest: 0, retentionDays: 7 };
  for (const query of ['', '?After=0', '?After=end']) expect(await getBody(account, query)).toEqual(empty);
});

test('rejects a position beyond the end by parameter name, in a page and in a stream', async () => {
  const account = await world.createAccount();
  await insertTestEvents(world.db, account, { events: newEvents(2), now });
  const message = 'is 3, beyond the end of the stream: its last event has position 2';
  expect(await getBody(account, '?After=3')).toMatchObject({
    status: 400,
    type: '/docs/errors#cursor-invalid',
    detail: `After ${message}.`,
    errors: { After: [message] },
  });
  const stream = { accept: 'text/event-stream', 'last-event-id': '3' };
  expect(await getBody(account, '?After=1', stream)).toMatchObject({
    status: 400,
    errors: { 'Last-Event-ID': [message] },
  });
});

test('names the oldest position if events were pruned; starts there without a position', async () => {
  const account = await world.createAccount();
  const ids = await insertTestEvents(world.db, account, { events: newEvents(4), now });
  const stream = await getStreamNumber(world.db, account);
  await world.db`delete from account_event where stream = ${stream} and number <= 2`;
  expect(await getBody(account, '?After=1')).toMatchObject({
    status: 410,
    type: '/docs/errors#cursor-expired',
    detail: 'The events after position 1 are no longer retained. The oldest retained position is 3: continue after 2.',
  });
  expect((await list(account, '?After=1', { accept: 'text/event-stream' })).status).toBe(410);
  const data = ids.slice(2).map((messageId) => ({ messageId }));
  expect(await getBody(account)).toMatchObject({ data, position: 4, oldest: 3, latest: 4 });
  await world.db`delete from account_event where stream = ${stream}`;
  const empty = { data: [], position: 4, oldest: 5, latest: 4, retentionDays: 7 };
  expect(await getBody(account)).toEqual(empty);
  expect((await list(account, '?After=3')).status).toBe(410);
});

test('a waiting request returns as soon as there is an event, long before its timeout', async () => {
  const account = await world.createAccount();
  const began = performance.now();
  const waiting = getBody(account, '?After=0&Wait=30');
  await insertTestEvents(world.db, account, { events: newEvents(1), now });
  expect(await waiting).toMatchObject({ data: [{ position: 1 }], position: 1, latest: 1 });
  expect(performance.now() - began).toBeLessThan(25_000);
});

test('a waiting request returns an empty page after its timeout, whatever other accounts receive', async () => {
  const [own, other] = [await world.createAccount(), await world.createAccount()];
  const began = performance.now();
  const waiting = getBody(own, '?Wait=1');
  await insertTestEvents(world.db, other, { events: newEvents(1), now });
  expect(await waiting).toMatchObject({ data: [], position: 0 });
  expect(performance.now() - began).toBeGreaterThan(990);
});

test('a waiting request of an account that is deleted returns 404 at once', async () => {
  const account = await world.createAccount();
  const waiting = list(account, '?Wait=30');
  // It waits once the watcher knows it.
  await expect.poll(async () => (await list(account, '?After=end', { accept: 'text/event-stream' })).status).toBe(200);
  await world.sendJson('DELETE', `/profile/${account}`);
  expect((await waiting).status).toBe(404);
});

test('limits the open streams and waiting requests of an account', async () => {
  const account = await world.createAccount();
  const stream = { accept: 'text/event-stream' };
  const open: Response[] = [];
  for (let n = 0; n < 10; n += 1) open.push(await list(account, '', stream));
  for (const rejected of [await list(account, '', stream), await list(account, '?Wait=1')])
    expect([rejected.headers.get('retry-after'), await rejected.json()]).toMatchObject([
      '5',
      {
        status: 429,
        type: '/docs/errors#too-many-streams',
        detail: 'The account has 10 open streams and waiting requests, which is the limit.',
      },
    ]);
  expect((await list(account)).status).toBe(200);
  for (const { body } of open) await body?.cancel();
  expect((await list(account, '', stream)).status).toBe(200);
});

test('limits the streams and waiting requests of a subscription and of a process over all accounts', async () => {
  const limited = await serveAlerts({ eventLimits: { maxOpenOfSubscription: 2, maxOpenOfProcess: 3 } });
  const open = async (key: string, query = ''): Promise<Response> => {
    const headers = {
      accountid: await limited.createAccount(key),
      ...(query === '' && { accept: 'text/event-stream' }),
    };
    return limited.sendJson('GET', `/events${query}`, { headers, key });
  };
  const rejected = (detail: string) => ({ status: 429, type: '/docs/errors#too-many-streams', detail });
  const full = rejected('The subscription has 2 open streams and waiting requests, which is the limit.');
  const shared = rejected(
    'The server process is limited to 3 open streams and waiting requests, and the subscription has its share of them.',
  );
  const opened = [await open(TEST_KEY), await open(TEST_KEY)];
  expect(await (await open(TEST_KEY)).json()).toMatchObject(full);
  expect(await (await open(TEST_KEY, '?Wait=30')).json()).toMatchObject(full);
  opened.push(await open(limited.foreignKey));
  expect(await (await open(limited.foreignKey)).json()).toMatchObject(shared);
  for (const { status, body } of opened) expect([status, await body?.cancel()]).toEqual([200, undefined]);
  expect((await open(TEST_KEY)).status).toBe(200);
  await limited.drop();
});

test('a subscription that opens streams without end leaves some of those of the process to others', async () => {
  const limited = await serveAlerts({ eventLimits: { maxOpen: 0, maxOpenOfSubscription: 0, maxOpenOfProcess: 20 } });
  const openAll = async (key: string): Promise<readonly Response[]> => {
    const headers = { accountid: await limited.createAccount(key), accept: 'text/event-stream' };
    return Promise.all(Array.from({ length: 30 }, () => limited.sendJson('GET', '/events', { headers, key })));
  };
  const opened = [await openAll(TEST_KEY), await openAll(limited.foreignKey)];
  const counts = opened.map((responses) => responses.filter(({ status }) => status === 200).length);
  for (const { body } of opened.flat()) await body?.cancel();
  await limited.drop();
  expect(counts).toEqual([15, 4]);
});

test('pages of events count as concurrent requests, waiting requests do not', async () => {
  const limits = { perMinute: 0, perMonth: 0, atOnce: 2 };
  const limited = await serveAlerts({ eventLimits: { maxWaitMs: 30_000 }, limits });
  const account = await limited.createAccount();
  const request = (query = ''): Promise<Response> =>
    limited.sendJson('GET', `/events${query}`, { headers: { accountid: account } });
  const pages = await Promise.all(Array.from({ length: 8 }, () => request()));
  expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);

  const waiting: Promise<Response>[] = [];
  for (let one = 0; one < 4; one += 1) {
    waiting.push(request('?Wait=30'));
    // The next request is sent when this one waits.
    await expect.poll(async () => (await request()).status).toBe(200);
  }
  await insertTestEvents(limited.db, account, { events: newEvents(1), now });
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await limited.drop();
});

test('the reader in the guide prints events as they arrive', async () => {
  const page = readFileSync(join(root, 'docs/how-to/read-events.md'), 'utf8');
  const [, code = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
  const server = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  const account = await world.createAccount();
  const body = { documentType: 'FlightStatus', state: 'OutGate', flightNumber: '101' };
  const insertEvents = (): Promise<unknown> => insertTestEvents(world.db, account, { events: [{ body }], now });
  const env = { ...process.env, BASE: `http://127.0.0.1:${port}`, KEY: TEST_KEY, ACCOUNT: account };
  // Starting at the end, it would not print events inserted before its request.
  const reader = spawn(process.execPath, ['--input-type=module', '-e', code.replace("'end'", "'0'")], { env });
  const lines: string[] = [];
  await insertEvents();
  for await (const line of createInterface({ input: reader.stdout })) {
    lines.push(line);
    if (lines.length === 3) break;
    await insertEvents();
  }
  reader.kill();
  await server.close(0);
  expect(lines).toEqual([1, 2, 3].map((position) => `${position} FlightStatus OutGate 101`));
});

test('the program with EventSource in the guide resumes after a break and after an error status', async () => {
  const page = readFileSync(join(root, 'docs/how-to/read-events.md'), 'utf8');
  const [, code = ''] = /```js\n(\/\/ node stream.mjs[^]*?)```/.exec(page) ?? [];
  const account = await world.createAccount();
  const body = { documentType: 'FlightStatus', state: 'OutGate' };
  const connections: (string | null)[] = [];
  // The first response ends after the position, the second request is rejected, and events are created meanwhile.
  const server = openHttpServer({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      connections.push(request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('After'));
      if (connections.length === 2) return new Response('', { status: 502 });
      const response = await world.app.fetch(request);
      if (connections.length > 1) return response;
      const reader = response.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      await reader?.cancel();
      await insertTestEvents(world.db, account, { events: [{ body }, { body }], now });
      const text = new TextDecoder().decode(value).replace('retry: 3000', 'retry: 1');
      return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  const { port } = await server.listening;
  const env = { ...process.env, BASE: `http://127.0.0.1:${port}`, KEY: TEST_KEY, ACCOUNT: account };
  const reader = spawn(process.execPath, ['--input-type=module', '-e', code.replace('5000', '1')], { env, cwd: root });
  const lines: string[] = [];
  for await (const line of createInterface({ input: reader.stdout })) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  reader.kill();
  await server.close(0);
  expect([connections, lines]).toEqual([
    ['end', '0', '0'],
    ['1 FlightStatus OutGate', '2 FlightStatus OutGate'],
  ]);
});
