import type { ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import type { DeliveryResult } from '#delivery/webhook/delivery-result.ts';
import type { PushTarget } from '#store/deliveries/endpoint-claims.ts';
import { listDueRetries, type DueRetry } from '#store/deliveries/due-events.ts';
import { insertRangeRetries } from '#store/deliveries/redeliveries.ts';
import { startEventDelivery } from '#jobs/deliveries/deliver-events.ts';
import { EndpointSender, type EndpointSenderOptions } from '#jobs/deliveries/endpoint-sender.ts';
import { addAccountEvents, clearDeliveries, insertAccount, insertEndpoint, type Account } from './delivery-fixture.ts';
import { createLoopbackDeliverer, openWebhookReceiver } from './delivery-fixture.ts';
import { db, fail, stops, useDatabase } from '../job-database.ts';

const now = new Date('2027-01-01T00:00:00Z');
let account: Account;
useDatabase({ reset: clearDeliveries });
beforeEach(async () => {
  account = await insertAccount(db);
});

const start = async (settings: object = {}): Promise<void> => {
  const deliverer = createLoopbackDeliverer();
  stops.push(await startEventDelivery(db, { deliverer, clock: () => now, onError: fail, pollMs: 50, ...settings }));
};
const untilCount = async (query: () => Promise<{ readonly length: number }>, count: number): Promise<void> => {
  await expect.poll(async () => (await query()).length, { interval: 5 }).toBe(count);
};
const redeliver = (endpointId: string, from: number, to = from): Promise<number> =>
  db.begin((sql) => insertRangeRetries(sql, { endpointId, stream: account.stream, now }, { from, to }));
const logged = (): Promise<readonly object[]> => db`select attempt, status from push_attempt order by id`;

/** A receiver that responds on request, and an endpoint with an event after this many attempts. */
const openPending = async (attempts: number) => {
  const responses: ServerResponse[] = [];
  const recorder = await openWebhookReceiver((_request, response) => void responses.push(response));
  stops.push(recorder.close);
  const endpoint = await insertEndpoint(db, { account, url: recorder.url });
  await addAccountEvents(db, [account], { flights: [1] });
  await db`update push_progress set number = 1`;
  await db`insert into push_retry values (${endpoint}, 1, ${attempts}, ${now})`;
  await start();
  const respond = async (index: number, status: number): Promise<void> => {
    await recorder.waitUntil(({ length }) => length > index);
    responses[index]?.writeHead(status).end();
  };
  return { recorder, endpoint, respond };
};
/** Retries that are not due yet. */
const WAITING = `select from push_retry where due_at > '${now.toISOString()}'`;
test.each([
  ['an attempt sends the event again', 0, [200, 204], 1, 'select from push_retry', 0],
  ['the failing last attempt prevents the dead letter and restarts the attempts', 16, [404, 404], 17, WAITING, 1],
])('a redelivery requested during %s', async (_, attempts, statuses, first, query, count) => {
  const { recorder, endpoint, respond } = await openPending(attempts);
  await recorder.waitUntil(({ length }) => length === 1);
  expect(await redeliver(endpoint, 1)).toBe(1);
  for (const [index, status] of statuses.entries()) await respond(index, status);
  await untilCount(() => db.unsafe(query), count);
  expect(await logged()).toEqual(statuses.map((status, index) => ({ attempt: index === 0 ? first : 1, status })));
  expect(await db`select attempts from push_retry`).toEqual(Array.from({ length: count }, () => ({ attempts: 1 })));
  expect(await db`select from push_dead_letter`).toEqual([]);
});

test('a redelivery repeats events that were attempted out of order; others are sent in order', async () => {
  const endpoint = await insertEndpoint(db, { account, url: 'http://127.0.0.1/' });
  await addAccountEvents(db, [account], { flights: [1, 2, 3, 4] });
  await db`update push_progress set number = 1, finished = '{3}'`;
  expect(await redeliver(endpoint, 1, 4)).toBe(2);
  expect(await db`select number::int from push_retry order by 1`).toEqual([{ number: 1 }, { number: 3 }]);
});

test('a due retry of a pruned event becomes a dead letter immediately, however long the endpoint is served', async () => {
  const endpoint = await insertEndpoint(db, { account, url: 'http://127.0.0.1/' });
  await db`insert into push_retry values (${endpoint}, 1, 3, ${now})`;
  await start({ turnMs: 600_000, lingerMs: 600_000 });
  await untilCount(() => db`select from push_dead_letter`, 1);
  expect(await db`select number::int, attempts, reason from push_dead_letter`).toEqual([
    { number: 1, attempts: 3, reason: 'expired' },
  ]);
});

const senderOf = (id: string, deliver: EndpointSenderOptions['deliver']) => {
  const settled = Promise.withResolvers<void>();
  const settings = { deliver, onError: settled.reject, onSettled: () => settled.resolve() };
  const health = { failures: 0, failingSince: undefined, backoffs: 0, backoffUntil: undefined };
  const claimed = { id, stream: account.stream, number: 1, finished: [], health, pending: [] };
  const sender = new EndpointSender(claimed, { ...settings, clock: () => now, maxConcurrency: 8 });
  sender.setLease(Infinity);
  return { sender, settled: settled.promise };
};
const dueTo = async (id: string, number = 1): Promise<readonly DueRetry[]> => {
  await addAccountEvents(db, [account], { flights: [1] });
  await db`insert into push_retry values (${id}, ${number}, 0, ${now})`;
  const endpoints = [{ id, stream: account.stream }];
  return (await listDueRetries(db, { endpoints, now, limit: 10 })).get(id) ?? [];
};
const result = { durationMs: 1, responseBytes: 0, responseText: '' };

test('a 410 of a former URL does not disable the endpoint', async () => {
  const id = await insertEndpoint(db, { account, url: 'http://127.0.0.1/' });
  const due = await dueTo(id);
  const outcome = Promise.withResolvers<DeliveryResult>();
  const { sender, settled } = senderOf(id, () => outcome.promise);
  const target: PushTarget = { id, url: 'http://127.0.0.1/before', header: undefined, ordering: 'none', keys: [] };
  sender.setTarget(target);
  sender.addRetries(due, { limit: 10, readFrom: performance.now() });
  sender.setTarget({ ...target, url: 'http://127.0.0.1/after' });
  outcome.resolve({ ...result, kind: 'gone', status: 410 });
  await settled;
  expect(sender.collectResults()).toMatchObject({
    endpoints: [{ disabledFor: undefined, isReleased: false }],
    attempts: [{ outcome: 'gone' }],
    deadLetters: [{ reason: 'gone' }],
  });
});

test('does not resend retries that were read before their result was written', async () => {
  const endpoint = await insertEndpoint(db, { account, url: 'http://127.0.0.1/' });
  const due = await dueTo(endpoint);
  let sent = 0;
  const deliver = async (): Promise<DeliveryResult> => {
    sent += 1;
    return { ...result, kind: 'delivered', status: 200 };
  };
  const { sender, settled } = senderOf(endpoint, deliver);
  sender.setTarget({ id: endpoint, url: 'http://127.0.0.1/', header: undefined, ordering: 'none', keys: [] });
  sender.addRetries(due, { limit: 10, readFrom: performance.now() });
  await settled;
  const readFrom = performance.now();
  sender.collectResults();
  sender.confirmWritten();
  sender.addRetries(due, { limit: 10, readFrom });
  expect([sent, sender.needsRetries()]).toEqual([1, true]);
  sender.addRetries(due, { limit: 10, readFrom: performance.now() + 1 });
  expect(sent).toBe(2);
});

test('does not resend a retry that was read before the write of its first attempt was confirmed', async () => {
  const endpoint = await insertEndpoint(db, { account, url: 'http://127.0.0.1/' });
  await addAccountEvents(db, [account], { flights: [1] });
  const [retry] = await dueTo(endpoint, 2);
  if (!retry?.event) throw new Error('no event');
  const outcomes = [Promise.withResolvers<DeliveryResult>(), Promise.withResolvers<DeliveryResult>()];
  let sent = 0;
  const { sender, settled } = senderOf(
    endpoint,
    () => outcomes[sent++]?.promise ?? Promise.reject(new Error('sent again')),
  );
  sender.setTarget({ id: endpoint, url: 'http://127.0.0.1/', header: undefined, ordering: 'none', keys: [] });
  sender.addEvents(
    { kind: 'events', events: [retry.event] },
    { id: endpoint, stream: account.stream, after: 1, limit: 10 },
  );
  outcomes[0]?.resolve({ ...result, kind: 'retry', status: 500, retryAfterSeconds: undefined });
  await settled;
  sender.collectResults();
  sender.addRetries([{ ...retry, attempts: 1 }], { limit: 10, readFrom: performance.now() });
  sender.confirmWritten();
  sender.addRetries([{ ...retry, attempts: 1 }], { limit: 10, readFrom: performance.now() + 1 });
  expect(sent).toBe(2);
});

test('with the order of flights, neither retries nor events follow a retry that failed', async () => {
  const endpoint = await insertEndpoint(db, { account, url: 'http://127.0.0.1/', ordering: 'flight' });
  const [first] = await dueTo(endpoint, 1);
  const second = (await dueTo(endpoint, 2)).find(({ number }) => number === 2);
  const third = (await dueTo(endpoint, 3)).find(({ number }) => number === 3);
  if (!first || !second || !third?.event) throw new Error('no events');
  const outcome = Promise.withResolvers<DeliveryResult>();
  let sent = 0;
  const deliver = (): Promise<DeliveryResult> => {
    sent += 1;
    return outcome.promise;
  };
  const { sender, settled } = senderOf(endpoint, deliver);
  sender.setTarget({ id: endpoint, url: 'http://127.0.0.1/', header: undefined, ordering: 'flight', keys: [] });
  sender.addRetries([first, second], { limit: 10, readFrom: performance.now() });
  sender.addEvents(
    { kind: 'events', events: [third.event] },
    { id: endpoint, stream: account.stream, after: 2, limit: 10 },
  );
  outcome.resolve({ ...result, kind: 'retry', status: 500, retryAfterSeconds: undefined });
  await settled;
  const delayed = sender.collectResults()?.retries.map(({ number, attempts }) => [number, attempts]);
  expect([sent, delayed]).toEqual([
    1,
    [
      [1, 1],
      [2, 0],
      [3, 0],
    ],
  ]);
});
