import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/store/pool/database.ts';
import { startEventDelivery, type EventDeliveryOptions } from '../../../src/jobs/deliveries/deliver-events.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import {
  addAccountEvents,
  countInversions,
  createLoopbackDeliverer,
  insertAccount,
  insertEndpoint,
  openWebhookReceiver,
  countRepeats,
  notifyEndpointChange,
  type Account,
  type WebhookReceiver,
} from './delivery-fixture.ts';

let fresh: FreshDatabase;
let db: Database;
let account: Account;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.sql;
  account = await insertAccount(db);
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  await fresh.drop();
});

const deliverer = createLoopbackDeliverer();
const fail = (error: unknown): void => {
  console.error(error);
  throw error;
};
const start = async (settings: Partial<EventDeliveryOptions> = {}): Promise<() => Promise<void>> => {
  const stop = await startEventDelivery(db, {
    deliverer,
    clock: () => new Date(),
    onError: fail,
    pollMs: 50,
    ...settings,
  });
  stops.push(stop);
  return stop;
};
const record = async (...args: Parameters<typeof openWebhookReceiver>): Promise<WebhookReceiver> => {
  const recorder = await openWebhookReceiver(...args);
  stops.push(recorder.close);
  return recorder;
};

/** Polls until the value equals the expected one. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await delay(5);
};
const progressOf = async (endpoint: string): Promise<object | undefined> => {
  const [row] = await db`
    select number::int, finished::float8[] as finished, failures, rests, worker is null as free, rests_until is not null as rests_on
    from push_progress where endpoint_id = ${endpoint}`;
  return row;
};
const stateOf = async (endpoint: string): Promise<string | null | undefined> => {
  const [row] = await db<{ why: string | null }[]>`
    select disabled_for as why from push_endpoint where id = ${endpoint}`;
  return row?.why;
};
const free = { finished: [], failures: 0, rests: 0, free: true, rests_on: false };

test('posts events from before the start and new ones once, signed, in order', async () => {
  const recorder = await record();
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1, 2, 3] });
  const stop = await start();
  await recorder.waitUntil(({ length }) => length === 3);
  await addAccountEvents(db, [account], { flights: [3, 1] });
  await recorder.waitUntil(({ length }) => length === 5);
  await stop();
  expect(recorder.received.map(({ path, flight, version }) => [path, flight, version])).toEqual([
    ['/a', 1, 1],
    ['/a', 2, 1],
    ['/a', 3, 1],
    ['/a', 3, 2],
    ['/a', 1, 2],
  ]);
  expect(recorder.received.map(({ body }): unknown => JSON.parse(body)?.position)).toEqual([1, 2, 3, 4, 5]);
  expect(recorder.received[0]?.headers).toMatchObject({ 'webhook-signature': expect.stringMatching(/^v1,/) });
  expect(await progressOf(endpoint)).toEqual({ number: 5, ...free });
  const log = await db`
    select number::int, attempt, outcome, reason, status, answer, next_at from push_attempt order by number`;
  expect(log).toHaveLength(5);
  expect(log[0]).toEqual({
    number: 1,
    attempt: 1,
    outcome: 'delivered',
    reason: null,
    status: 200,
    answer: '',
    next_at: null,
  });
});

test('sends events of one flight in sequence, those of other flights concurrently', async () => {
  let underWay = 0;
  const most = new Map<string, number>();
  const now = new Map<number, number>();
  const recorder = await record(({ flight }, response) => {
    underWay += 1;
    now.set(flight, (now.get(flight) ?? 0) + 1);
    most.set('all', Math.max(most.get('all') ?? 0, underWay));
    most.set('flight', Math.max(most.get('flight') ?? 0, now.get(flight) ?? 0));
    setTimeout(() => {
      underWay -= 1;
      now.set(flight, (now.get(flight) ?? 0) - 1);
      response.end();
    }, 5);
  });
  await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  const flights = Array.from({ length: 20 }, (_, flight) => flight);
  for (let n = 0; n < 5; n += 1) await addAccountEvents(db, [account], { flights });
  await start({ maxConcurrency: 6 });
  await recorder.waitUntil(({ length }) => length === 100);
  expect([countInversions(recorder.received), countRepeats(recorder.received)]).toEqual([
    0,
    { repeats: 0, different: 0 },
  ]);
  expect(Object.fromEntries(most)).toEqual({ all: 6, flight: 1 });
});

test('retries a failed event with the same ID and bytes when it is due, and sends others meanwhile', async () => {
  let now = new Date('2027-01-01T00:00:00Z');
  let isDown = true;
  const recorder = await record(({ flight }, response) => {
    response.statusCode = isDown && flight === 2 ? 500 : 204;
    response.end('a word');
  });
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1, 2, 3] });
  await start({ clock: () => now });
  await recorder.waitUntil(({ length }) => length === 3);
  await until(async () => (await db`select from push_retry`).length === 1);
  const [retry] = await db<{ number: number; attempts: number; due: number }[]>`
    select number::int, attempts, extract(epoch from due_at - ${now})::float8 as due from push_retry`;
  expect(retry).toMatchObject({ number: 2, attempts: 1 });
  expect(retry?.due).toBeGreaterThanOrEqual(5);
  expect(retry?.due).toBeLessThanOrEqual(5.5);
  isDown = false;
  now = new Date(now.getTime() + 5500);
  await recorder.waitUntil(({ length }) => length === 4);
  expect(recorder.received[3]).toMatchObject({
    flight: 2,
    id: recorder.received[1]?.id,
    body: recorder.received[1]?.body,
  });
  await until(async () => (await db`select from push_retry`).length === 0);
  expect(await db`select attempt, outcome, status, answer from push_attempt where number = 2 order by id`).toEqual([
    { attempt: 1, outcome: 'retry', status: 500, answer: 'a word' },
    { attempt: 2, outcome: 'delivered', status: 204, answer: '' },
  ]);
  expect(await progressOf(endpoint)).toMatchObject({ number: 3, failures: 0 });
});

test('an event whose last attempt fails becomes a dead letter', async () => {
  const recorder = await record((_request, response) => void response.writeHead(404).end());
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1] });
  await db`update push_progress set number = 1`;
  await db`insert into push_retry values (${endpoint}, 1, 16, now())`;
  await start();
  await until(async () => (await db`select from push_dead_letter`).length === 1);
  expect(await db`select number::int, last_number::int, event_id, attempts, reason from push_dead_letter`).toEqual([
    { number: 1, last_number: 1, event_id: recorder.received[0]?.id, attempts: 17, reason: 'exhausted' },
  ]);
  expect(await db`select from push_retry`).toEqual([]);
});

test('after consecutive failures an endpoint backs off, longer each time, and one attempt shows its recovery', async () => {
  let now = new Date('2027-01-01T00:00:00Z');
  let status = 500;
  const recorder = await record((_request, response) => void response.writeHead(status).end());
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: Array.from({ length: 40 }, (_, flight) => flight) });
  await start({ clock: () => now, maxConcurrency: 1 });
  const backOff = async (failures: number): Promise<number> => {
    await until(
      async () => (await db`select from push_progress where rests = ${failures} and worker is null`).length === 1,
    );
    const [row] = await db<{ ms: number }[]>`
      select extract(epoch from rests_until - ${now})::float8 * 1000 as ms from push_progress`;
    return row?.ms ?? NaN;
  };
  const waits: (readonly [attempts: number, restMs: number])[] = [];
  for (let failures = 1; failures <= 5; failures += 1) {
    const restMs = await backOff(failures);
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
  await until(async () => (await db`select from push_progress where number = 40 and failures = 0`).length === 1);
  expect(await progressOf(endpoint)).toMatchObject({ rests: 0, rests_on: false });
});

test('a paused endpoint receives nothing, and resumes at its position', async () => {
  const recorder = await record();
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1, 2] });
  await start({ pollMs: 60_000 });
  await recorder.waitUntil(({ length }) => length === 2);
  await db`update push_endpoint set active = false`;
  await notifyEndpointChange(db);
  await until(async () => (await db`select from push_progress where worker is null`).length === 1);
  await addAccountEvents(db, [account], { flights: [1, 3] });
  expect([recorder.received.length, await progressOf(endpoint)]).toEqual([2, { number: 2, ...free }]);
  await db`update push_endpoint set active = true`;
  await notifyEndpointChange(db);
  await recorder.waitUntil(({ length }) => length === 4);
  expect(recorder.received.slice(2).map(({ flight, version }) => [flight, version])).toEqual([
    [1, 2],
    [3, 1],
  ]);
});

test('sends events of other flights while one event hangs, and sends nothing twice after a stop', async () => {
  const pending: (() => void)[] = [];
  const recorder = await record(({ flight }, response) => {
    if (flight === 1) pending.push(() => void response.end());
    else response.end();
  });
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1, 2, 3, 4] });
  await addAccountEvents(db, [account], { flights: [1, 2] });
  const stop = await start();
  await recorder.waitUntil(({ length }) => length === 5);
  await until(async () => (await db`select from push_progress where finished = '{2,3,4,6}'`).length === 1);
  const stopped = stop();
  pending[0]?.();
  await stopped;
  expect(await progressOf(endpoint)).toEqual({ number: 4, ...free, finished: [6] });
  await start();
  await recorder.waitUntil(({ length }) => length === 6);
  expect(recorder.received.map(({ flight, version }) => [flight, version])[5]).toEqual([1, 2]);
  pending[1]?.();
  await until(async () => (await db`select from push_progress where number = 6 and finished = '{}'`).length === 1);
  expect(countRepeats(recorder.received)).toEqual({ repeats: 0, different: 0 });
});

test('events that are no longer retained become one dead letter, whatever their number', async () => {
  const recorder = await record();
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1, 2, 3, 4, 5, 6, 7, 8] });
  await db`delete from account_event where number <= 6`;
  await db`update push_progress set number = 1, finished = '{4}'`;
  await db`insert into push_retry values (${endpoint}, 1, 3, now())`;
  await start();
  await recorder.waitUntil(({ length }) => length === 2);
  await until(async () => (await db`select from push_progress where number = 8`).length === 1);
  expect(recorder.received.map(({ flight }) => flight)).toEqual([7, 8]);
  expect(
    await db`select number::int, last_number::int, event_id, attempts, reason from push_dead_letter order by 1`,
  ).toEqual([
    { number: 1, last_number: 1, event_id: null, attempts: 3, reason: 'expired' },
    { number: 2, last_number: 3, event_id: null, attempts: 0, reason: 'expired' },
    { number: 5, last_number: 6, event_id: null, attempts: 0, reason: 'expired' },
  ]);
  expect(await db`select from push_retry`).toEqual([]);
});

test('an endpoint that another worker has taken over is left to that worker', async () => {
  const other = '00000000-0000-4000-8000-0000000000ff';
  const pending: (() => void)[] = [];
  const recorder = await record((_request, response) => void pending.push(() => void response.end()));
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1, 2] });
  const stop = await start({ leaseMs: 400 });
  await recorder.waitUntil(({ length }) => length === 2);
  await db`update push_progress set worker = ${other}, claimed_until = now() + interval '1 hour' where endpoint_id = ${endpoint}`;
  for (const finish of pending) finish();
  await stop();
  const [row] = await db`select number::int, worker from push_progress`;
  expect([row, await db`select from push_attempt`]).toEqual([{ number: 0, worker: other }, []]);
});

test('a stop waits for attempts under way, however long they take', async () => {
  const pending: (() => void)[] = [];
  const recorder = await record((_request, response) => void pending.push(() => void response.end()));
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1] });
  const stop = await start({ leaseMs: 300 });
  await recorder.waitUntil(({ length }) => length === 1);
  const [claimed] = await db<{ until: Date }[]>`select claimed_until as until from push_progress`;
  const stopped = stop();
  await start({ leaseMs: 300, pollMs: 20 });
  await until(
    async () =>
      (
        await db`select from push_progress where claimed_until > ${claimed?.until ?? ''}::timestamptz + interval '700 ms'`
      ).length === 1,
  );
  pending[0]?.();
  await stopped;
  expect([recorder.received.length, await progressOf(endpoint)]).toEqual([1, { number: 1, ...free }]);
});

test('an endpoint without a key is reported and skipped, and no event is lost', async () => {
  const recorder = await record();
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await db`delete from push_key`;
  await addAccountEvents(db, [account], { flights: [1] });
  const reported = Promise.withResolvers<unknown>();
  await start({ onError: reported.resolve });
  expect(await reported.promise).toMatchObject({ message: 'an event is signed with one key at least' });
  await until(async () => (await db`select from push_progress where worker is null`).length === 1);
  expect(await progressOf(endpoint)).toMatchObject({ number: 0, rests_on: true });
});

test('410 disables an endpoint, its event becomes a dead letter, and the others wait', async () => {
  const recorder = await record((_request, response) => void response.writeHead(410).end());
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1, 2, 3] });
  await start({ maxConcurrency: 1 });
  await until(async () => (await stateOf(endpoint)) === 'gone');
  await until(async () => (await db`select from push_progress where worker is null`).length === 1);
  expect([recorder.received.length, await progressOf(endpoint)]).toEqual([1, { number: 1, ...free }]);
  expect(await db`select number::int, event_id, attempts, reason from push_dead_letter`).toEqual([
    { number: 1, event_id: recorder.received[0]?.id, attempts: 1, reason: 'gone' },
  ]);
});

test('disables an endpoint after five days of failures, and enabling it resets the failures', async () => {
  const now = new Date('2027-01-10T00:00:00Z');
  const recorder = await record((_request, response) => void response.writeHead(500).end());
  const endpoint = await insertEndpoint(db, { account, url: `${recorder.url}/a` });
  await addAccountEvents(db, [account], { flights: [1, 2] });
  await db`
    update push_progress set failures = 40, rests = 9, failing_since = ${new Date('2027-01-05T00:00:00Z')},
      rests_until = ${new Date('2027-01-09T23:00:00Z')}`;
  await start({ clock: () => now });
  await until(async () => (await stateOf(endpoint)) === 'failing');
  expect([recorder.received.length, await progressOf(endpoint)]).toMatchObject([
    1,
    { failures: 0, rests: 0, number: 1 },
  ]);
});

test('more endpoints than the concurrency limit are served in turn', async () => {
  const recorder = await record();
  for (let n = 0; n < 20; n += 1) await insertEndpoint(db, { account, url: `${recorder.url}/${n}` });
  await addAccountEvents(db, [account], { flights: Array.from({ length: 30 }, (_, flight) => flight) });
  await start({ maxEndpoints: 3 });
  await recorder.waitUntil(({ length }) => length === 600);
  expect([countInversions(recorder.received), countRepeats(recorder.received)]).toEqual([
    0,
    { repeats: 0, different: 0 },
  ]);
});
