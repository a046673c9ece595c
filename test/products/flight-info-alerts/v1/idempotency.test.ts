import { beforeEach, expect, test } from 'vitest';
import { profile, serveAlerts } from './alerts-service.ts';
import { sharedService } from '../../../support/shared-service.ts';

const world = sharedService(serveAlerts);
let accountId = '';
beforeEach(async () => {
  world.setToday('2026-06-01');
  await world.db`truncate idempotency_key`;
  accountId = await world.createAccount();
});

const once = (key: string) => ({ 'idempotency-key': key });
const create = (alert: object, key: string): Promise<Response> =>
  world.sendJson('POST', '/alerts', { body: { accountId, ...alert }, headers: once(key) });
const reported = async (pending: Promise<Response>): Promise<readonly unknown[]> => {
  const response = await pending;
  return [response.status, response.headers.get('location'), await response.json()];
};
const count = async (): Promise<number> => {
  const list: unknown[] = await (await world.sendJson('GET', '/alerts', { headers: { accountid: accountId } })).json();
  return list.length;
};
const sydney = { alertType: 'Port', departureAirport: 'SYD' };

test('the same request with the same key has the same response, and creates nothing twice', async () => {
  const first = await reported(create(sydney, 'a'));
  expect(first[0]).toBe(201);
  expect(await reported(create(sydney, 'a'))).toEqual(first);
  // The order of members does not matter, nor does an unknown member.
  const other = { departureAirport: 'SYD', colour: 'red', alertType: 'Port' };
  expect(await reported(create(other, 'a'))).toEqual(first);
  expect(await count()).toBe(1);
});

test('many concurrent requests create one', async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => reported(create(sydney, 'at-once'))));
  expect(new Set(responses.map((reply) => JSON.stringify(reply))).size).toBe(1);
  expect(responses[0]?.[0]).toBe(201);
  expect(await count()).toBe(1);
});

test('rejects the key of another request, also of another operation', async () => {
  await create(sydney, 'a');
  const responses = [
    await create({ alertType: 'Port', departureAirport: 'SIN' }, 'a'),
    await world.sendJson('POST', '/profile', { body: profile, headers: once('a') }),
  ];
  for (const response of responses)
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({ type: '/docs/errors#idempotency-key-reused' }),
    ]);
  expect(await count()).toBe(1);
});

test('accounts are created once too', async () => {
  const make = async (): Promise<unknown> =>
    (await world.sendJson('POST', '/profile', { body: profile, headers: once('account') })).json();
  expect(await make()).toEqual(await make());
});

test('a rejection is not stored: the corrected request can reuse the key', async () => {
  expect((await create({ alertType: 'Port' }, 'a')).status).toBe(400);
  const global = await world.createAlert(accountId, { alertType: 'Global' });
  expect((await create(sydney, 'a')).status).toBe(400);
  await world.sendJson('DELETE', `/alerts/${global}`);
  expect((await create(sydney, 'a')).status).toBe(201);
});

test('keys of different subscriptions are independent', async () => {
  const make = (key: string) => world.sendJson('POST', '/profile', { body: profile, headers: once('shared'), key });
  const [own, foreign] = [await make('test-key-of-every-product'), await make(world.foreignKey)];
  expect([own.status, foreign.status]).toEqual([201, 201]);
  expect(await own.json()).not.toEqual(await foreign.json());
});

test('a key can be reused after a day', async () => {
  const first = await reported(create(sydney, 'a'));
  world.setToday('2026-06-02');
  const second = await reported(create({ alertType: 'Port', departureAirport: 'SIN' }, 'a'));
  expect(second[0]).toBe(201);
  expect(second).not.toEqual(first);
});
