import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import {
  addAccountEvents,
  countInversions,
  insertAccount,
  insertEndpoint,
  openWebhookReceiver,
  countRepeats,
  type Account,
  type WebhookReceiver,
} from '../../jobs/deliveries/delivery-fixture.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import { createWorkers } from '../support/workers.ts';

/** 100 in the full length. */
const KILLS = Number(process.env['PUSH_KILLS'] ?? 3);
const ENDPOINTS = 20;
const FLIGHTS = 30;
const LEASE_MS = 300;

let fresh: FreshDatabase;
let receiver: WebhookReceiver;
let accounts: readonly Account[] = [];
const children = createWorkers('push');
beforeEach(async () => {
  fresh = await freshDatabase();
  // Responses take some milliseconds, so that a kill interrupts attempts.
  receiver = await openWebhookReceiver((_request, response) => void setTimeout(() => void response.end(), 3));
  accounts = [await insertAccount(fresh.sql), await insertAccount(fresh.sql)];
  for (let index = 0; index < ENDPOINTS; index += 1)
    for (const account of accounts.slice(index % 2, (index % 2) + 1))
      await insertEndpoint(fresh.sql, { account, url: `${receiver.url}/${index}` });
});
afterEach(async () => {
  await children.killAll();
  await receiver.close();
  await fresh.drop();
});

const computeFigures = (sent: number) => ({
  events: sent,
  lost: sent - receiver.countDistinct(),
  ...countRepeats(receiver.received),
  inversions: countInversions(receiver.received),
});

test(
  '3: loses no event when a worker is killed; repeated deliveries have the same ID and bytes',
  async () => {
    const draw = createDraw(randomInt(2 ** 31));
    const settings = { leaseMs: LEASE_MS, pollMs: 50 };
    let sent = 0;
    const addEvents = async (): Promise<void> => {
      const flights = Array.from({ length: FLIGHTS }, (_, flight) => flight);
      await addAccountEvents(fresh.sql, accounts, { flights });
      sent += FLIGHTS * ENDPOINTS;
    };
    let worker = await children.start(fresh.url, settings);
    let midway = 0;
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = receiver.received.length;
      await addEvents();
      // At any of the first requests, so that most kills interrupt attempts.
      const requests = draw(FLIGHTS * ENDPOINTS - 1);
      await receiver.waitUntil(({ length }) => length > before + requests);
      midway += receiver.countDistinct() < sent ? 1 : 0;
      await children.kill(worker);
      worker = await children.start(fresh.url, settings);
    }
    await receiver.waitUntil(() => receiver.countDistinct() === sent);
    const figures = { kills: KILLS, midway, ...computeFigures(sent) };
    reportFault(3, { ...figures, received: receiver.received.length }, 'worker');
    expect(figures).toMatchObject({ lost: 0, different: 0, inversions: 0 });
    expect(midway).toBeGreaterThan(0);
  },
  60_000 + KILLS * 30_000,
);

test('5: two workers share the endpoints and deliver every event exactly once', async () => {
  // Neither worker can claim all endpoints.
  const settings = { turnMs: 300, pollMs: 50, maxEndpoints: 12 };
  const workers = await Promise.all([children.start(fresh.url, settings), children.start(fresh.url, settings)]);
  const holders = new Map<string, number>();
  let sent = 0;
  for (let round = 0; round < 8 || holders.size < 2; round += 1) {
    await addAccountEvents(fresh.sql, accounts, { flights: Array.from({ length: FLIGHTS }, (_, flight) => flight) });
    sent += FLIGHTS * ENDPOINTS;
    const current = await fresh.sql<{ worker: string; count: number }[]>`
      select worker, count(*)::int as count from push_progress where worker is not null group by 1`;
    for (const { worker, count } of current) holders.set(worker, (holders.get(worker) ?? 0) + count);
    await delay(100);
  }
  await receiver.waitUntil(({ length }) => length >= sent);
  await Promise.all(workers.map(children.stop));
  const [remaining] = await fresh.sql<{ claimed: number; logged: number }[]>`
    select (select count(*)::int from push_progress where worker is not null) as claimed,
      (select count(*)::int from push_attempt) as logged`;
  const figures = { ...computeFigures(sent), ...remaining, shared: [...holders.values()].toSorted((a, b) => a - b) };
  reportFault(5, figures, 'workers');
  expect(figures).toMatchObject({ lost: 0, repeats: 0, inversions: 0, claimed: 0, logged: sent });
  expect(figures.shared).toHaveLength(2);
}, 300_000);
