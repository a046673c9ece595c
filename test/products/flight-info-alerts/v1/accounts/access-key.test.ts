import { afterAll, beforeAll, expect, test } from 'vitest';
import { inactiveHub } from '../../../../support/hub/inactive-hub.ts';
import { Contract } from '../../../../contract/contract.ts';
import { serveAlerts, type AlertsService } from '../alerts-service.ts';

const contract = new Contract('flight-info-alerts/v1');
const path = '/flight-info-alerts/accounts/{accountId}/accessKey';

let world: AlertsService;
let hubless: AlertsService;
let cutOff: AlertsService;
beforeAll(async () => {
  [world, hubless, cutOff] = await Promise.all([
    serveAlerts(),
    serveAlerts({ hub: 'none' }),
    serveAlerts({ hub: () => Promise.reject(new Error('connect ECONNREFUSED')) }),
  ]);
});
afterAll(async () => {
  for (const { drop } of [world, hubless, cutOff]) await drop();
});

const request = async (from: AlertsService, accountId: string, key?: string): Promise<Response> =>
  from.sendJson('GET', `/accounts/${accountId}/accessKey`, key === undefined ? {} : { key });

test('an account has its own access with new credentials each time, which are not stored', async () => {
  const accountId = await world.createAccount();
  const [first, second] = [await request(world, accountId), await request(world, accountId.toUpperCase())];
  const [one, two] = [await first.json(), await second.json()];
  const { credentials, consumer, inboxPrefix, ...rest } = one;
  expect(rest).toEqual({
    url: 'nats://hub.test:4222',
    stream: 'FLIGHT_EVENTS',
    apiPrefix: 'hub',
    subjects: `events.${accountId}.>`,
    expiresAt: '2026-06-08T12:00:00',
  });
  expect(consumer).toMatch(new RegExp(`^${accountId}-default-[0-9a-f]{32}$`));
  expect(inboxPrefix).toMatch(/^_INBOX_[0-9a-f]{32}$/);
  expect(two).toEqual({ ...one, credentials: expect.not.stringMatching(credentials) });
  expect(first.headers.get('cache-control')).toBe('no-store');
  const another: object = await (await request(world, await world.createAccount())).json();
  expect(another).toMatchObject({ consumer: expect.not.stringMatching(consumer) });
});

test('returns 404 for an account of another subscription', async () => {
  const accountId = await world.createAccount();
  const response = await request(world, accountId, world.foreignKey);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ type: '/docs/errors#not-found' });
});

test('returns no-hub without a hub, and 404 for an unknown account', async () => {
  const accountId = await hubless.createAccount();
  const response = await request(hubless, accountId);
  expect(response.status).toBe(404);
  expect(await contract.problems('get', path, response.clone())).toEqual([]);
  expect(await response.json()).toMatchObject({
    type: '/docs/errors#no-hub',
    detail:
      'There is no hub here. Read events with GET /flight-info-alerts/events, or have them posted to an endpoint.',
  });
  expect(await (await request(hubless, '00000000-0000-4000-8000-000000000000')).json()).toMatchObject({
    type: '/docs/errors#not-found',
  });
});

test('an unreachable hub is a temporary error, with its cause in the log', async () => {
  const response = await request(cutOff, await cutOff.createAccount());
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await contract.problems('get', path, response.clone())).toEqual([]);
  expect(await response.text()).not.toContain('ECONNREFUSED');
  expect(cutOff.logged().join('')).toContain('ECONNREFUSED');
});

test('the log contains no access credentials', async () => {
  const accountId = await world.createAccount();
  await request(world, accountId);
  const { consumer } = await inactiveHub({ accountId, group: 'default', days: 1 });
  const logged = world.logged().join('');
  expect(logged).toContain(accountId);
  for (const secret of ['SEED', 'eyJ', consumer.slice(-32)]) expect(logged).not.toContain(secret);
});
