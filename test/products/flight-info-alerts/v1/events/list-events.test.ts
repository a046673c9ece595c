import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_KEY } from '../../../../support/tiny-world.ts';
import { insertTestEvents, getStreamNumber } from './account-events.ts';
import { serveAlerts, type AlertsService } from '../alerts-service.ts';

const now = new Date('2026-06-01T11:59:00.250Z');
const alertId = '00000000-0000-4000-8000-00000000000a';

let world: AlertsService;
beforeAll(async () => {
  world = await serveAlerts({ eventLimits: { maxWaitMs: 5000 } });
});
afterAll(() => world.drop());

const list = (accountId: string, query = '', headers = {}): Promise<Response> =>
  world.sendJson('GET', `/events${query}`, { headers: { accountid: accountId, ...headers } });

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
  expect(await (await list(account, '?After=2')).text()).toBe(
    `{"data":[${rendered(third, 2)}],"position":3,"oldest":1,"latest":3,"retentionDays":7}`,
  );
  expect(await (await list(account, '?After=3')).text()).toBe(
    '{"data":[],"position":3,"oldest":1,"latest":3,"retentionDays":7}',
  );
  expect(await (await list(account, '?After=end')).json()).toEqual({
    data: [],
    position: 3,
    oldest: 1,
    latest: 3,
    retentionDays: 7,
  });
});

test('events contain the parts that the alerts of their account request', async () => {
  const account = await world.createAccount();
  const seatingCapacity = { actual: { totalSeats: 180 } };
  const changes = [
    { propertyName: 'State' },
    { propertyName: 'SeatingCapacity.Actual.TotalSeats', previousValue: 170 },
  ];
  const body = { documentType: 'FlightStatus', seatingCapacity, changes };
  for (const parts of [
    { changes: true, seats: true },
    { changes: true, seats: false },
    { changes: false, seats: true },
    { changes: false, seats: false },
  ])
    await insertTestEvents(world.db, account, { events: [{ body }], now, parts });
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
  for (const query of ['', '?After=0', '?After=end']) expect(await (await list(account, query)).json()).toEqual(empty);
});

test('rejects a position beyond the end by parameter name, in a page and in a stream', async () => {
  const account = await world.createAccount();
  await insertTestEvents(world.db, account, { events: newEvents(2), now });
  const message = 'is 3, beyond the end of the stream: its last event has position 2';
  expect(await (await list(account, '?After=3')).json()).toMatchObject({
    status: 400,
    type: '/docs/errors#cursor-invalid',
    detail: `After ${message}.`,
    errors: { After: [message] },
  });
  const stream = { accept: 'text/event-stream', 'last-event-id': '3' };
  expect(await (await list(account, '?After=1', stream)).json()).toMatchObject({
    status: 400,
    errors: { 'Last-Event-ID': [message] },
  });
});

test('names the oldest position if events were pruned; starts there without a position', async () => {
  const account = await world.createAccount();
  const ids = await insertTestEvents(world.db, account, { events: newEvents(4), now });
  const stream = await getStreamNumber(world.db, account);
  await world.db`delete from account_event where stream = ${stream} and number <= 2`;
  expect(await (await list(account, '?After=1')).json()).toMatchObject({
    status: 410,
    type: '/docs/errors#cursor-expired',
    detail: 'The events after position 1 are no longer kept. The oldest position that can be read is 3: go on after 2.',
  });
  expect((await list(account, '?After=1', { accept: 'text/event-stream' })).status).toBe(410);
  const page = await (await list(account)).json();
  expect(page).toMatchObject({
    data: [{ messageId: ids[2] }, { messageId: ids[3] }],
    position: 4,
    oldest: 3,
    latest: 4,
  });
  await world.db`delete from account_event where stream = ${stream}`;
  expect(await (await list(account)).json()).toEqual({
    data: [],
    position: 4,
    oldest: 5,
    latest: 4,
    retentionDays: 7,
  });
  expect((await list(account, '?After=3')).status).toBe(410);
});

test('a waiting request returns as soon as there is an event, and an empty page after its timeout', async () => {
  const account = await world.createAccount();
  const began = performance.now();
  const waiting = list(account, '?After=0&Wait=5');
  await insertTestEvents(world.db, account, { events: newEvents(1), now });
  expect(await (await waiting).json()).toMatchObject({ data: [{ position: 1 }], position: 1, latest: 1 });
  expect(performance.now() - began).toBeLessThan(4000);
  expect(await (await list(account, '?After=1&Wait=1')).json()).toMatchObject({ data: [], position: 1 });
  expect(performance.now() - began).toBeGreaterThan(1000);
});

test('events of other accounts do not end a waiting request', async () => {
  const [own, other] = [await world.createAccount(), await world.createAccount()];
  const waiting = list(own, '?Wait=1');
  await insertTestEvents(world.db, other, { events: newEvents(1), now });
  expect(await (await waiting).json()).toMatchObject({ data: [], position: 0 });
});

test('another subscription cannot detect that an account exists', async () => {
  const account = await world.createAccount();
  const response = await world.sendJson('GET', '/events', { headers: { accountid: account }, key: world.foreignKey });
  expect(await response.json()).toMatchObject({ status: 404, detail: `There is no account ${account}.` });
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
        detail: 'The account has 10 streams and waiting requests open, which is as many as it can have.',
      },
    ]);
  expect((await list(account)).status).toBe(200);
  for (const { body } of open) await body?.cancel();
  expect((await list(account, '', stream)).status).toBe(200);
});

test('a waiting request ends when the client disconnects', async () => {
  const account = await world.createAccount();
  const removed = new AbortController();
  const headers = { 'subscription-key': TEST_KEY, accountid: account };
  const began = performance.now();
  const waiting = world.send('/flight-info-alerts/events?Wait=5', { headers, signal: removed.signal });
  removed.abort();
  await waiting;
  expect(performance.now() - began).toBeLessThan(4000);
});

test('a HEAD request starts no stream', async () => {
  const account = await world.createAccount();
  const headers = { 'subscription-key': TEST_KEY, accountid: account, accept: 'text/event-stream' };
  for (let n = 0; n < 12; n += 1) {
    const response = await world.send('/flight-info-alerts/events', { method: 'HEAD', headers });
    expect([response.status, response.body]).toEqual([200, null]);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  }
});
