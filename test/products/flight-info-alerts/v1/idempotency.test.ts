import { beforeEach, expect, test } from 'vitest';
import { profile, serveAlerts } from './alerts-service.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { sharedService } from '#test/support/shared-service.ts';

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

test('a repeated creation of an erased account returns 404, and nothing about its requests is stored', async () => {
  const send = (path: string, body: object, key: string): Promise<Response> =>
    world.sendJson('POST', path, { body, headers: once(key) });
  const endpoint = { accountId, url: 'https://hooks.zx.example/events' };
  const { accountId: other } = await (await send('/profile', profile, 'other')).json();
  const { endpointId } = await (await send('/endpoints', endpoint, 'endpoint')).json();
  const rotation = `/endpoints/${endpointId}/secret/rotate`;
  const { data: deletedAlert } = await (await create({ ...sydney, departureAirport: 'LHR' }, 'deleted alert')).json();
  await world.sendJson('DELETE', `/alerts/${deletedAlert}`);
  const sendAll = (): Promise<readonly number[]> =>
    Promise.all(
      [
        create(sydney, 'alert'),
        send('/endpoints', endpoint, 'endpoint'),
        send(rotation, { overlapHours: 1 }, 'rotation'),
      ].map(async (response) => (await response).status),
    );
  expect(await sendAll()).toEqual([201, 201, 200]);
  expect((await world.sendJson('DELETE', `/profile/${accountId}`)).status).toBe(200);
  expect(await world.db`select key, account_id as account from idempotency_key`).toEqual([
    { key: 'other', account: other },
  ]);
  expect(await sendAll()).toEqual([404, 404, 404]);
  expect(await world.db`select key from idempotency_key`).toEqual([{ key: 'other' }]);
});

test('accounts are created once for each subscription', async () => {
  const make = async (key = TEST_KEY): Promise<unknown> =>
    (await world.sendJson('POST', '/profile', { body: profile, headers: once('shared'), key })).json();
  const [own, again, foreign] = [await make(), await make(), await make(world.foreignKey)];
  expect(again).toEqual(own);
  expect(foreign).toMatchObject({ accountId: expect.not.stringMatching(Object(own).accountId) });
});
