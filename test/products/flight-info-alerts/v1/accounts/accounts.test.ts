import { describe, expect, test } from 'vitest';
import type { ServiceOptions } from '#service.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { toJsonObject } from '#lib/openapi-document.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { Contract } from '#test/contract/contract.ts';
import { inactiveHub } from '#test/support/hub/inactive-hub.ts';
import { createTestApp } from '#test/support/test-app.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { profile, serveAlerts } from '../alerts-service.ts';
import { createEndpoint, readError, readResponse } from '../endpoints/create-endpoints.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveAlerts);

const whole = { ...profile, country: 'GB', secondaryEmail: null, content: null };
const create = (body: unknown): Promise<Response> => world.sendJson('POST', '/profile', { body });
const get = async (accountId: unknown): Promise<object> =>
  (await readResponse(world.sendJson('GET', `/profile/${String(accountId)}`)))[1];

test('a profile is created with a Location; the body has only its UUID', async () => {
  const response = await create(profile);
  const body: { accountId: string } = await response.json();
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect([response.status, body]).toEqual([201, { accountId: expect.stringMatching(uuid) }]);
  const location = `http://service.test/flight-info-alerts/profile/${body.accountId}?version=v1`;
  expect(response.headers.get('location')).toBe(location);
  expect(await get(body.accountId)).toEqual(whole);
});

test('a profile keeps other members in a change, and null removes optional ones', async () => {
  const accountId = await world.createAccount();
  const change = async (body: object): Promise<object> =>
    (await readResponse(world.sendJson('PATCH', `/profile/${accountId}`, { body })))[1];
  const secondaryEmail = 'ops@example.test';
  const first = { ...whole, secondaryEmail, content: 'seats', country: 'FR' };
  expect(await change({ secondaryEmail, content: 'SEATS', country: 'fr' })).toEqual(first);
  const second = { ...first, firstName: 'Bea', secondaryEmail: null };
  expect(await change({ secondaryEmail: null, firstName: 'Bea' })).toEqual(second);
  const names = { lastName: 'Lake', email: 'bea@example.test', companyName: 'Other Airways' };
  expect(await change(names)).toEqual({ ...second, ...names });
  expect([await change({}), await get(accountId)]).toEqual([
    { ...second, ...names },
    { ...second, ...names },
  ]);
});

test('the service is available while alerts can be read', async () => {
  expect(await readResponse(world.sendJson('GET', '/status'))).toEqual([200, 'available']);
});

test('an account is deleted with its data; for its subscription and every other it does not exist then', async () => {
  const [accountId, other] = [await world.createAccount(), await world.createAccount()];
  const alertId = await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'XX' });
  const { endpointId } = await createEndpoint(world, accountId);
  const remove = (key?: string): Promise<Response> =>
    world.sendJson('DELETE', `/profile/${accountId}`, { ...(key !== undefined && { key }) });
  expect(await readError(remove(world.foreignKey))).toEqual([404, 'not-found', undefined]);
  expect(await readResponse(remove())).toEqual([200, whole]);
  expect(await readError(remove())).toEqual([404, 'not-found', undefined]);
  for (const path of [`/profile/${accountId}`, `/alerts/${alertId}`, `/endpoints/${endpointId}`])
    expect(await readError(world.sendJson('GET', path))).toEqual([404, 'not-found', undefined]);
  expect(await get(other)).toEqual(whole);
});

test.each([
  ['accounts', '/profile', profile],
  ['alerts', '/alerts', { alertType: 'Carrier', iataCarrierCode: 'XX' }],
  ['endpoints', '/endpoints', { url: 'https://192.0.32.8/' }],
])(
  'a subscription has a limit of %s, with concurrent requests too; others have their own',
  async (name, path, body) => {
    const app = await createTestApp(world.db, { objectLimits: { accounts: 4, alerts: 4, endpoints: 4, [name]: 3 } });
    const { key } = await createKey(world.db, { name: `limited ${name}`, products: ['flight-info-alerts'] });
    const headers = { 'subscription-key': key, 'content-type': 'application/json' };
    const send = (to: string, text: object): Promise<Response> =>
      app.request(`http://service.test/flight-info-alerts${to}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(text),
      });
    const isAccount = name === 'accounts';
    const accounts = isAccount
      ? []
      : await Promise.all([1, 2, 3, 4].map(async () => toJsonObject(await (await send('/profile', profile)).json())));
    const responses = await Promise.all([0, 1, 2, 3].map((n) => send(path, { ...accounts[n], ...body })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409]);
    const rejected = await responses.find(({ status }) => status === 409)?.json();
    expect(rejected).toMatchObject({
      type: '/docs/errors#limit-reached',
      detail: `The limit of ${name} of a subscription is 3. Delete one first.`,
    });
    expect((await create(profile)).status).toBe(201);
  },
);

describe('an access key', () => {
  const contract = new Contract('flight-info-alerts/v1');
  const pathOf = (accountId: string): string => `/accounts/${accountId}/accessKey`;
  const request = (accountId: string): Promise<Response> => world.sendJson('GET', pathOf(accountId));
  /** Requests a key from a service with another hub, over the same store. */
  const requestAt = async (
    hub: ServiceOptions['hub'],
    accountId: string,
    log = createAccessLog({ write: () => {} }),
  ) => {
    const app = await createTestApp(world.db, { hub, log });
    const url = `http://service.test/flight-info-alerts${pathOf(accountId)}`;
    const response = await app.request(url, { headers: { 'subscription-key': TEST_KEY } });
    const path = '/flight-info-alerts/accounts/{accountId}/accessKey';
    expect(await contract.problems('get', path, response.clone())).toEqual([]);
    return response;
  };

  test('grants an account its own access with new credentials each time, which are not stored', async () => {
    const accountId = await world.createAccount();
    const [first, second] = [await request(accountId), await request(accountId.toUpperCase())];
    const [one, two] = [await first.json(), await second.json()];
    const { credentials, consumer } = one;
    expect(one).toEqual({
      url: 'nats://hub.test:4222',
      stream: 'FLIGHT_EVENTS',
      apiPrefix: 'hub',
      subjects: `events.${accountId}.>`,
      consumer: expect.stringMatching(new RegExp(`^${accountId}-default-[0-9a-f]{32}$`)),
      inboxPrefix: expect.stringMatching(/^_INBOX_[0-9a-f]{32}$/),
      credentials: expect.any(String),
      expiresAt: '2026-06-08T12:00:00',
    });
    expect(two).toEqual({ ...one, credentials: expect.not.stringMatching(credentials) });
    expect(first.headers.get('cache-control')).toBe('no-store');
    const another: object = await (await request(await world.createAccount())).json();
    expect(another).toMatchObject({ consumer: expect.not.stringMatching(consumer) });
  });

  test('is not granted without a hub', async () => {
    const problem = await readResponse(requestAt(undefined, await world.createAccount()));
    expect(problem).toMatchObject([
      404,
      {
        type: '/docs/errors#no-hub',
        detail: 'No hub is configured. Read events with GET /flight-info-alerts/events, or use webhooks.',
      },
    ]);
    const unknown = requestAt(undefined, '00000000-0000-4000-8000-000000000000');
    expect(await readError(unknown)).toEqual([404, 'not-found', undefined]);
  });

  test('is a temporary error while the hub is unreachable, with its cause in the log', async () => {
    const lines: string[] = [];
    const log = createAccessLog({ write: (line: string) => void lines.push(line) });
    const hub = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const response = await requestAt(hub, await world.createAccount(), log);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    const { detail }: { detail: string } = await response.json();
    expect(detail).toBe('The hub is temporarily unavailable. Retry in 5 seconds.');
    expect(lines.join('')).toContain('ECONNREFUSED');
  });

  test('is not in the log', async () => {
    const accountId = await world.createAccount();
    await request(accountId);
    const { consumer } = await inactiveHub({ accountId, group: 'default', days: 1 });
    const logged = world.logged().join('');
    expect(logged).toContain(accountId);
    for (const secret of ['SEED', 'eyJ', consumer.slice(-32)]) expect(logged).not.toContain(secret);
  });
});
