import { beforeEach, expect, test } from 'vitest';
import { startEventDelivery, type EventDeliveryOptions } from '#jobs/deliveries/deliver-events.ts';
import { addAccountEvents, clearDeliveries, insertAccount, insertEndpoint } from './delivery-fixture.ts';
import { countInversions, countRepeats, createLoopbackDeliverer, openWebhookReceiver } from './delivery-fixture.ts';
import type { Account, ReceivedRequest, WebhookReceiver } from './delivery-fixture.ts';
import { db, fail, stops, useDatabase } from '../job-database.ts';

let account: Account;
useDatabase({ reset: clearDeliveries });
beforeEach(async () => {
  account = await insertAccount(db);
});

const deliverer = createLoopbackDeliverer();
const start = async (settings: Partial<EventDeliveryOptions> = {}): Promise<() => Promise<void>> => {
  const clock = () => new Date();
  const stop = await startEventDelivery(db, { deliverer, clock, onError: fail, pollMs: 50, ...settings });
  stops.push(stop);
  return stop;
};
/** Opens a receiver, and an endpoint of the account at its path `/a`. */
const open = async (respond?: Parameters<typeof openWebhookReceiver>[0]) => {
  const recorder = await openWebhookReceiver(respond);
  stops.push(recorder.close);
  return [recorder, await insertEndpoint(db, { account, url: `${recorder.url}/a` })] as const;
};
const give = (...flights: readonly number[]) => addAccountEvents(db, [account], { flights });
const listNumbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const flightOf = ({ flight, version }: ReceivedRequest) => [flight, version];

/** Waits until a query returns exactly one row. */
const untilOne = async (query: () => Promise<{ readonly length: number }>): Promise<void> => {
  await expect.poll(async () => (await query()).length, { interval: 5 }).toBe(1);
};
const progressOf = async (endpoint: string): Promise<object | undefined> => {
  const [row] = await db`
    select number::int, finished::float8[] as finished, failures, rests, worker is null as free, rests_until is not null as rests_on
    from push_progress where endpoint_id = ${endpoint}`;
  return row;
};
const listDeadLetters = async () => [
  ...(await db`select number::int, last_number::int, event_id, attempts, reason from push_dead_letter order by 1`),
];
const free = { finished: [], failures: 0, rests: 0, free: true, rests_on: false };
const noFaults = [0, { repeats: 0, different: 0 }];
const faultsOf = ({ received }: WebhookReceiver) => [countInversions(received), countRepeats(received)];

test('posts events from before the start and new ones once, signed, in order', async () => {
  const [recorder, endpoint] = await open();
  await give(1, 2, 3);
  const stop = await start();
  await recorder.waitUntil(({ length }) => length === 3);
  await give(3, 1);
  await recorder.waitUntil(({ length }) => length === 5);
  await stop();
  expect(recorder.received.map(({ path, flight, version }) => `${path} ${flight} v${version}`)).toEqual([
    '/a 1 v1',
    '/a 2 v1',
    '/a 3 v1',
    '/a 3 v2',
    '/a 1 v2',
  ]);
  expect(recorder.received.map(({ body }): unknown => JSON.parse(body)?.position)).toEqual([1, 2, 3, 4, 5]);
  expect(recorder.received[0]?.headers).toMatchObject({ 'webhook-signature': expect.stringMatching(/^v1,/) });
  expect(await progressOf(endpoint)).toEqual({ number: 5, ...free });
  const log = await db`
    select number::int, attempt, outcome, reason, status, answer, next_at from push_attempt order by number`;
  const delivered = { attempt: 1, outcome: 'delivered', reason: null, status: 200, answer: '', next_at: null };
  expect([...log]).toEqual([1, 2, 3, 4, 5].map((number) => ({ number, ...delivered })));
});

test.each([
  ['revoked', 'revoked_at = now()', 'revoked_at = null'],
  ['expired', "expires_on = '2020-01-01'", 'expires_on = null'],
  ['of other products', "products = '{schedules}'", "products = '{flight-info-alerts}'"],
])('posts nothing when the only key is %s, and everything once it is valid again', async (_, invalid, valid) => {
  const other = await insertAccount(db);
  const [recorder, endpoint] = await open();
  await insertEndpoint(db, { account: other, url: `${recorder.url}/other` });
  const giveBoth = (...flights: readonly number[]) => addAccountEvents(db, [account, other], { flights });
  const pathsOf = () => recorder.received.map(({ path, flight }) => `${path} ${flight}`).toSorted();
  await giveBoth(1);
  await start();
  await recorder.waitUntil(({ length }) => length === 2);
  const setKey = (change: string) =>
    db.unsafe(
      `update subscription_key set ${change} where subscription_id = (select subscription_id from alert_account where id = $1)`,
      [account.id],
    );
  await setKey(invalid);
  // The sender of this process stops at the next poll.
  await untilOne(() => db`select from push_progress where endpoint_id = ${endpoint} and worker is null`);
  await giveBoth(2, 3);
  await recorder.waitUntil(({ length }) => length === 4);
  expect(pathsOf()).toEqual(['/a 1', '/other 1', '/other 2', '/other 3']);
  await setKey(valid);
  await recorder.waitUntil(({ length }) => length === 6);
  expect(pathsOf()).toEqual(['/a 1', '/a 2', '/a 3', '/other 1', '/other 2', '/other 3']);
  expect(faultsOf(recorder)).toEqual(noFaults);
});

test('sends events of one flight in sequence, those of other flights concurrently', async () => {
  const underWay: number[] = [];
  let [most, mostOfFlight] = [0, 0];
  const [recorder] = await open(({ flight }, response) => {
    underWay.push(flight);
    most = Math.max(most, underWay.length);
    mostOfFlight = Math.max(mostOfFlight, underWay.filter((one) => one === flight).length);
    setTimeout(() => {
      underWay.splice(underWay.indexOf(flight), 1);
      response.end();
    }, 5);
  });
  for (let n = 0; n < 5; n += 1) await give(...listNumbers(20));
  await start({ maxConcurrency: 6 });
  await recorder.waitUntil(({ length }) => length === 100);
  expect([faultsOf(recorder), most, mostOfFlight]).toEqual([noFaults, 6, 1]);
});

test('retries a failed event with the same ID and bytes when it is due, and sends others meanwhile', async () => {
  let now = new Date('2027-01-01T00:00:00Z');
  let isDown = true;
  const [recorder, endpoint] = await open(({ flight }, response) => {
    response.statusCode = isDown && flight === 2 ? 500 : 204;
    response.end('a word');
  });
  await give(1, 2, 3);
  await start({ clock: () => now });
  await recorder.waitUntil(({ length }) => length === 3);
  await untilOne(() => db`select from push_retry`);
  const [retry] = await db<{ number: number; attempts: number; due: number }[]>`
    select number::int, attempts, extract(epoch from due_at - ${now})::float8 as due from push_retry`;
  expect(retry).toMatchObject({ number: 2, attempts: 1 });
  expect(retry?.due).toBeGreaterThanOrEqual(5);
  expect(retry?.due).toBeLessThanOrEqual(5.5);
  isDown = false;
  now = new Date(now.getTime() + 5500);
  await recorder.waitUntil(({ length }) => length === 4);
  const { id, body } = recorder.received[1] ?? {};
  expect(recorder.received[3]).toMatchObject({ flight: 2, id, body });
  await expect.poll(async () => (await db`select from push_retry`).length).toBe(0);
  expect(await db`select attempt, outcome, status, answer from push_attempt where number = 2 order by id`).toEqual([
    { attempt: 1, outcome: 'retry', status: 500, answer: 'a word' },
    { attempt: 2, outcome: 'delivered', status: 204, answer: '' },
  ]);
  expect(await progressOf(endpoint)).toMatchObject({ number: 3, failures: 0 });
});

test('an event whose last attempt fails becomes a dead letter', async () => {
  const [recorder, endpoint] = await open((_request, response) => void response.writeHead(404).end());
  await give(1);
  await db`update push_progress set number = 1`;
  await db`insert into push_retry values (${endpoint}, 1, 16, now())`;
  await start();
  await untilOne(() => db`select from push_dead_letter`);
  expect(await listDeadLetters()).toEqual([
    { number: 1, last_number: 1, event_id: recorder.received[0]?.id, attempts: 17, reason: 'exhausted' },
  ]);
  expect(await db`select from push_retry`).toEqual([]);
});

test('after consecutive failures an endpoint backs off, longer each time, and one attempt shows its recovery', async () => {
  let now = new Date('2027-01-01T00:00:00Z');
  let status = 500;
  const [recorder, endpoint] = await open((_request, response) => void response.writeHead(status).end());
  await give(...listNumbers(40));
  await start({ clock: () => now, maxConcurrency: 1 });
  const waits: (readonly [attempts: number, restMs: number])[] = [];
  for (let failures = 1; failures <= 5; failures += 1) {
    await untilOne(() => db`select from push_progress where rests = ${failures} and worker is null`);
    const [row] = await db<{ ms: number }[]>`
      select extract(epoch from rests_until - ${now})::float8 * 1000 as ms from push_progress`;
    const restMs = row?.ms ?? NaN;
    waits.push([recorder.received.length, restMs]);
    if (failures === 5) status = 200;
    now = new Date(now.getTime() + restMs);
  }
  expect(waits).toEqual([
    [5, 5000],
    [6, 30_000],
    [7, 120_000],
    [8, 300_000],
    [9, 300_000],
  ]);
  await untilOne(() => db`select from push_progress where number = 40 and failures = 0`);
  expect(await progressOf(endpoint)).toMatchObject({ rests: 0, rests_on: false });
});

test('sends events of other flights while one event hangs, and sends nothing twice after a stop', async () => {
  const pending: (() => void)[] = [];
  const [recorder, endpoint] = await open(({ flight }, response) => {
    if (flight === 1) pending.push(() => void response.end());
    else response.end();
  });
  await give(1, 2, 3, 4);
  await give(1, 2);
  const stop = await start();
  await recorder.waitUntil(({ length }) => length === 5);
  await untilOne(() => db`select from push_progress where finished = '{2,3,4,6}'`);
  const stopped = stop();
  pending[0]?.();
  await stopped;
  expect(await progressOf(endpoint)).toEqual({ number: 4, ...free, finished: [6] });
  await start();
  await recorder.waitUntil(({ length }) => length === 6);
  expect(recorder.received.map(flightOf)[5]).toEqual([1, 2]);
  pending[1]?.();
  await untilOne(() => db`select from push_progress where number = 6 and finished = '{}'`);
  expect(countRepeats(recorder.received)).toEqual({ repeats: 0, different: 0 });
});

test('events that are no longer retained become one dead letter, whatever their number', async () => {
  const [recorder, endpoint] = await open();
  await give(1, 2, 3, 4, 5, 6, 7, 8);
  await db`delete from account_event where number <= 6`;
  await db`update push_progress set number = 1, finished = '{4}'`;
  await db`insert into push_retry values (${endpoint}, 1, 3, now())`;
  await start();
  await recorder.waitUntil(({ length }) => length === 2);
  await untilOne(() => db`select from push_progress where number = 8`);
  expect(recorder.received.map(({ flight }) => flight)).toEqual([7, 8]);
  expect(await listDeadLetters()).toEqual([
    { number: 1, last_number: 1, event_id: null, attempts: 3, reason: 'expired' },
    { number: 2, last_number: 3, event_id: null, attempts: 0, reason: 'expired' },
    { number: 5, last_number: 6, event_id: null, attempts: 0, reason: 'expired' },
  ]);
  expect(await db`select from push_retry`).toEqual([]);
});

test('skips an endpoint that another worker has claimed', async () => {
  const worker = '00000000-0000-4000-8000-0000000000ff';
  const pending: (() => void)[] = [];
  const [recorder] = await open((_request, response) => void pending.push(() => void response.end()));
  await give(1, 2);
  const stop = await start({ leaseMs: 400 });
  await recorder.waitUntil(({ length }) => length === 2);
  await db`update push_progress set worker = ${worker}, claimed_until = now() + interval '1 hour'`;
  for (const finish of pending) finish();
  await stop();
  expect(await db`select number::int, worker from push_progress`).toEqual([{ number: 0, worker }]);
  expect(await db`select from push_attempt`).toEqual([]);
});

test('a stop waits for attempts under way, however long they take', async () => {
  const pending: (() => void)[] = [];
  const [recorder, endpoint] = await open((_request, response) => void pending.push(() => void response.end()));
  await give(1);
  const stop = await start({ leaseMs: 300 });
  await recorder.waitUntil(({ length }) => length === 1);
  const [claimed] = await db<{ until: Date }[]>`select claimed_until as until from push_progress`;
  const stopped = stop();
  await start({ leaseMs: 300, pollMs: 20 });
  const renewed = () =>
    db`select from push_progress where claimed_until > ${claimed?.until ?? ''}::timestamptz + interval '700 ms'`;
  await untilOne(renewed);
  pending[0]?.();
  await stopped;
  expect([recorder.received.length, await progressOf(endpoint)]).toEqual([1, { number: 1, ...free }]);
});

test('an endpoint without a key is reported and skipped, and no event is lost', async () => {
  const [, endpoint] = await open();
  await db`delete from push_key`;
  await give(1);
  const reported = Promise.withResolvers<unknown>();
  await start({ onError: reported.resolve });
  expect(await reported.promise).toMatchObject({ message: 'an event must be signed with at least one key' });
  await untilOne(() => db`select from push_progress where worker is null`);
  expect(await progressOf(endpoint)).toMatchObject({ number: 0, rests_on: true });
});

test('disables an endpoint after five days of failures, and enabling it resets the failures', async () => {
  const [recorder, endpoint] = await open((_request, response) => void response.writeHead(500).end());
  await give(1, 2);
  await db`
    update push_progress set failures = 40, rests = 9, failing_since = '2027-01-05T00:00:00Z',
      rests_until = '2027-01-09T23:00:00Z'`;
  await start({ clock: () => new Date('2027-01-10T00:00:00Z') });
  await untilOne(() => db`select from push_endpoint where disabled_for = 'failing'`);
  expect(recorder.received).toHaveLength(1);
  expect(await progressOf(endpoint)).toMatchObject({ failures: 0, rests: 0, number: 1 });
});

test('more endpoints than the concurrency limit are served in turn', async () => {
  const [recorder] = await open();
  for (let n = 1; n < 20; n += 1) await insertEndpoint(db, { account, url: `${recorder.url}/${n}` });
  await give(...listNumbers(30));
  await start({ maxEndpoints: 3 });
  await recorder.waitUntil(({ length }) => length === 600);
  expect(faultsOf(recorder)).toEqual(noFaults);
});
