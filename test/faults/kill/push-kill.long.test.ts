import { randomInt } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { sharedDatabase } from '#test/support/database.ts';
import { addAccountEvents, countInversions, insertAccount } from '#test/jobs/deliveries/delivery-fixture.ts';
import { insertEndpoint, openWebhookReceiver, countRepeats } from '#test/jobs/deliveries/delivery-fixture.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import { createWorkers } from '../support/workers.ts';

/** 100 in the full length. */
const KILLS = Number(process.env['PUSH_KILLS'] ?? 3);
const ENDPOINTS = 20;
const FLIGHTS = 30;
const LEASE_MS = 300;

const { sql, url } = await sharedDatabase();
// Responses take some milliseconds, so that a kill interrupts attempts.
const receiver = await openWebhookReceiver((_request, response) => void setTimeout(() => void response.end(), 3));
const accounts = [await insertAccount(sql), await insertAccount(sql)];
for (let index = 0; index < ENDPOINTS; index += 1)
  for (const account of accounts.slice(index % 2, (index % 2) + 1))
    await insertEndpoint(sql, { account, url: `${receiver.url}/${index}` });
const children = createWorkers('push');
afterAll(async () => {
  await children.killAll();
  await receiver.close();
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
      await addAccountEvents(sql, accounts, { flights });
      sent += FLIGHTS * ENDPOINTS;
    };
    let worker = await children.start(url, settings);
    let midway = 0;
    for (let kills = 0; kills < KILLS; kills += 1) {
      const before = receiver.received.length;
      await addEvents();
      // At any of the first requests, so that most kills interrupt attempts.
      const requests = draw(FLIGHTS * ENDPOINTS - 1);
      await receiver.waitUntil(({ length }) => length > before + requests);
      midway += receiver.countDistinct() < sent ? 1 : 0;
      await children.kill(worker);
      worker = await children.start(url, settings);
    }
    await receiver.waitUntil(() => receiver.countDistinct() === sent);
    const figures = { kills: KILLS, midway, ...computeFigures(sent) };
    reportFault(3, { ...figures, received: receiver.received.length }, 'worker');
    expect(figures).toMatchObject({ lost: 0, different: 0, inversions: 0 });
    expect(midway).toBeGreaterThan(0);
  },
  60_000 + KILLS * 30_000,
);
