import { beforeEach, expect, test } from 'vitest';
import { startEventDelivery } from '#jobs/deliveries/deliver-events.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { addAccountEvents, clearDeliveries, insertAccount, insertEndpoint, type Account } from './delivery-fixture.ts';
import { createLoopbackDeliverer, openWebhookReceiver, type ReceivedRequest } from './delivery-fixture.ts';
import { db, fail, stops, useDatabase } from '../job-database.ts';

let account: Account;
useDatabase({ reset: clearDeliveries });
beforeEach(async () => {
  account = await insertAccount(db);
});

const [FLIGHTS, VERSIONS] = [40, 12];
/** The clock runs this many times faster, so that retries are due after milliseconds. */
const SPEED = 500;

const startDelivery = async () => {
  const began = performance.now();
  const clock = () => new Date(Date.UTC(2027, 0, 1) + (performance.now() - began) * SPEED);
  const settings = { deliverer: createLoopbackDeliverer(), clock, onError: fail, pollMs: 10 };
  const stop = await startEventDelivery(db, settings);
  stops.push(stop);
  return stop;
};

const listFlights = () => Array.from({ length: FLIGHTS }, (_, flight) => flight);

/** Adds events of all flights, and delivers them to a receiver that rejects every tenth request. Returns what it accepted, in order. */
const deliverAll = async (ordering: 'none' | 'flight', restarts = 0): Promise<readonly ReceivedRequest[]> => {
  const random = createRandom(26);
  const accepted: ReceivedRequest[] = [];
  const recorder = await openWebhookReceiver((request, response) => {
    const isRejected = random.chance(10);
    if (!isRejected) accepted.push(request);
    response.writeHead(isRejected ? 500 : 204).end();
  });
  stops.push(recorder.close);
  await insertEndpoint(db, { account, url: `${recorder.url}/a`, ordering });
  for (let version = 0; version < VERSIONS; version += 1)
    await addAccountEvents(db, [account], { flights: listFlights() });
  const total = FLIGHTS * VERSIONS;
  for (let n = 1; n <= restarts; n += 1) {
    const stop = await startDelivery();
    await recorder.waitUntil(() => accepted.length >= (n * total) / (restarts + 1));
    await stop();
  }
  await startDelivery();
  await recorder.waitUntil(() => accepted.length >= total);
  return accepted;
};

/** Counts accepted events that arrived after a newer one of their flight. */
const countLate = (accepted: readonly ReceivedRequest[]): number => {
  const newest = new Map<number, number>();
  let late = 0;
  for (const { flight, version } of accepted) {
    if (version < (newest.get(flight) ?? 0)) late += 1;
    else newest.set(flight, version);
  }
  return late;
};

const countEvents = (accepted: readonly ReceivedRequest[]): number => new Set(accepted.map(({ id }) => id)).size;

test('without an order, retried events arrive after later ones of their flight', { timeout: 60_000 }, async () => {
  const accepted = await deliverAll('none');
  expect([accepted.length, countEvents(accepted), countLate(accepted) > 0]).toEqual([480, 480, true]);
});

test.each([0, 3])(
  'with the order of flights, each event arrives once and after all earlier ones of its flight, with %i restarts',
  { timeout: 60_000 },
  async (restarts) => {
    const accepted = await deliverAll('flight', restarts);
    expect([accepted.length, countEvents(accepted), countLate(accepted)]).toEqual([480, 480, 0]);
  },
);

test('with the order of flights, other flights do not wait, and later events follow when the first one is given up', async () => {
  let now = new Date('2027-01-01T00:00:00Z');
  const accepted: string[] = [];
  const recorder = await openWebhookReceiver(({ flight, version }, response) => {
    const status = flight === 1 && version === 1 ? 500 : 204;
    if (status === 204) accepted.push(`${flight} v${version}`);
    response.writeHead(status).end();
  });
  stops.push(recorder.close);
  await insertEndpoint(db, { account, url: `${recorder.url}/a`, ordering: 'flight' });
  for (let n = 0; n < 3; n += 1) await addAccountEvents(db, [account], { flights: [1, 2] });
  const settings = { deliverer: createLoopbackDeliverer(), clock: () => now, onError: fail, pollMs: 20 };
  stops.push(await startEventDelivery(db, settings));
  await recorder.waitUntil(() => accepted.length === 3);
  const readProgress = async () => [
    ...(await db`select number::int, cardinality(finished) as beyond, (select count(*)::int from push_retry) as retries from push_progress`),
  ];
  await expect.poll(readProgress, { interval: 5 }).toEqual([{ number: 6, beyond: 0, retries: 3 }]);
  expect(accepted).toEqual(['2 v1', '2 v2', '2 v3']);
  await db`update push_retry set attempts = 16 where number = 1`;
  now = new Date(now.getTime() + 3_600_000);
  await recorder.waitUntil(({ length }) => length === 5);
  now = new Date(now.getTime() + 3_600_000);
  await recorder.waitUntil(() => accepted.length === 5);
  await expect.poll(readProgress, { interval: 5 }).toEqual([{ number: 6, beyond: 0, retries: 0 }]);
  expect([accepted.slice(3), [...(await db`select number::int, reason from push_dead_letter`)]]).toEqual([
    ['1 v2', '1 v3'],
    [{ number: 1, reason: 'exhausted' }],
  ]);
});
