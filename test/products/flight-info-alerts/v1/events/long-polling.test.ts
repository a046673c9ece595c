import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertTestEvents } from './account-events.ts';
import { serveAlerts, type AlertsService } from '../alerts-service.ts';

let world: AlertsService;
let account: string;
beforeAll(async () => {
  world = await serveAlerts({
    eventLimits: { maxWaitMs: 5000 },
    limits: { perMinute: 0, perMonth: 0, atOnce: 2 },
  });
  account = await world.createAccount();
});
afterAll(() => world.drop());

const list = (query = ''): Promise<Response> =>
  world.sendJson('GET', `/events${query}`, { headers: { accountid: account } });

test('pages of events count as concurrent requests, waiting requests do not', async () => {
  const pages = await Promise.all(Array.from({ length: 8 }, () => list()));
  expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);

  const waiting: Promise<Response>[] = [];
  for (let one = 0; one < 4; one += 1) {
    waiting.push(list('?Wait=5'));
    // Once it waits the next can come.
    await expect.poll(async () => (await list()).status).toBe(200);
  }
  await insertTestEvents(world.db, account, {
    events: [{ body: { documentType: 'FlightStatus' } }],
    now: new Date('2026-06-01T11:59:00Z'),
  });
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
