import { beforeEach, expect, test } from 'vitest';
import { profile, serveAlerts } from './alerts-service.ts';
import { TEST_KEY } from '../../../support/tiny-world.ts';
import { sharedService } from '../../../support/shared-service.ts';

const world = sharedService(serveAlerts);
let accountId = '';
beforeEach(async () => {
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

test('a rejection is not stored: the corrected request can reuse the key', async () => {
  expect((await create({ alertType: 'Port' }, 'a')).status).toBe(400);
  const global = await world.createAlert(accountId, { alertType: 'Global' });
  expect((await create(sydney, 'a')).status).toBe(400);
  await world.sendJson('DELETE', `/alerts/${global}`);
  expect((await create(sydney, 'a')).status).toBe(201);
});

test('rejects the key of another operation', async () => {
  await create(sydney, 'a');
  const response = await world.sendJson('POST', '/profile', { body: profile, headers: once('a') });
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { type: '/docs/errors#idempotency-key-reused' },
  ]);
});

test('accounts are created once for each subscription', async () => {
  const make = async (key = TEST_KEY): Promise<unknown> =>
    (await world.sendJson('POST', '/profile', { body: profile, headers: once('shared'), key })).json();
  const [own, again, foreign] = [await make(), await make(), await make(world.foreignKey)];
  expect(again).toEqual(own);
  expect(foreign).toMatchObject({ accountId: expect.not.stringMatching(Object(own).accountId) });
});
