import { afterAll, beforeAll, expect, test } from 'vitest';
import { profile, serveAlerts, type AlertsService } from '../alerts-service.ts';

let world: AlertsService;
beforeAll(async () => {
  world = await serveAlerts();
});
afterAll(() => world.drop());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an account is created with a Location; the body has only its UUID', async () => {
  const response = await world.sendJson('POST', '/profile', { body: profile });
  expect(response.status).toBe(201);
  const body: { accountId: string } = await response.json();
  expect(body).toEqual({ accountId: expect.stringMatching(uuid) });
  const location = response.headers.get('location');
  expect(location).toBe(`http://service.test/flight-info-alerts/profile/${body.accountId}?version=v1`);
  expect((await world.get(location?.replace('http://service.test', '') ?? '')).status).toBe(200);
});

test('a profile has all seven members, upper-case codes, and null for absent values', async () => {
  const accountId = await world.createAccount();
  expect(await (await world.sendJson('GET', `/profile/${accountId}`)).json()).toEqual({
    ...profile,
    country: 'GB',
    secondaryEmail: null,
    content: null,
  });
});

test('a change keeps other members, and null removes optional ones', async () => {
  const accountId = await world.createAccount();
  const change = async (body: object): Promise<unknown> =>
    (await world.sendJson('PATCH', `/profile/${accountId}`, { body })).json();
  const whole = { ...profile, country: 'GB' };
  expect(await change({ secondaryEmail: 'ops@example.test', content: 'SEATS', country: 'fr' })).toEqual({
    ...whole,
    country: 'FR',
    secondaryEmail: 'ops@example.test',
    content: 'seats',
  });
  expect(await change({ secondaryEmail: null, firstName: 'Bea' })).toEqual({
    ...whole,
    firstName: 'Bea',
    country: 'FR',
    secondaryEmail: null,
    content: 'seats',
  });
  expect(await change({})).toEqual(await (await world.sendJson('GET', `/profile/${accountId}`)).json());
});

test('names are stored as sent', async () => {
  const odd = { ...profile, firstName: 'Łukasz\u0000 \ud83d\ude80', lastName: '<b>"O\'Neil"\\' };
  const newItem: { accountId: string } = await (await world.sendJson('POST', '/profile', { body: odd })).json();
  expect(await (await world.sendJson('GET', `/profile/${newItem.accountId}`)).json()).toMatchObject({
    firstName: odd.firstName,
    lastName: odd.lastName,
  });
});

test.each([
  ['nothing', {}, ['companyName', 'country', 'email', 'firstName', 'lastName']],
  ['a country by its name', { ...profile, country: 'France' }, ['country']],
  ['a blank name', { ...profile, firstName: ' ' }, ['firstName']],
  ['an invalid address', { ...profile, email: 'ada' }, ['email']],
  ['another dataset', { ...profile, content: 'meals' }, ['content']],
  ['a list', [profile], ['']],
])('%s is rejected, and each invalid member is named', async (_, body, names) => {
  const response = await world.sendJson('POST', '/profile', { body });
  const problem: { type: string; errors: object } = await response.json();
  expect([response.status, problem.type, Object.keys(problem.errors).toSorted()]).toEqual([
    400,
    '/docs/errors#invalid-body',
    names,
  ]);
});

test('a body that is not JSON returns the position of the error', async () => {
  const response = await world.sendJson('POST', '/profile', {
    body: '{\n  "firstName": "Ada",\n  lastName: "Field"\n}',
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({
      type: '/docs/errors#invalid-body',
      detail: 'The body is not well-formed JSON; it goes wrong in line 3, column 3.',
    }),
  ]);
});

test('the service status is available to requests with a key', async () => {
  const response = await world.sendJson('GET', '/status');
  expect([response.status, await response.json()]).toEqual([200, 'available']);
  expect((await world.get('/flight-info-alerts/status', {})).status).toBe(401);
});

test('the health check needs no key', async () => {
  const response = await world.get('/flight-info-alerts/health', {});
  expect([response.status, await response.json()]).toEqual([200, { flightInfoAlerts: 'healthy' }]);
});

test('a path lists its methods in Allow', async () => {
  const allowed = async (method: string, path: string): Promise<unknown> => {
    const response = await world.send(`/flight-info-alerts${path}`, { method });
    return [response.status, response.headers.get('allow')];
  };
  expect([
    await allowed('GET', '/profile'),
    await allowed('PUT', '/alerts'),
    await allowed('PATCH', '/alerts/00000000-0000-4000-8000-000000000000'),
  ]).toEqual([
    [405, 'POST'],
    [405, 'GET, HEAD, POST, PATCH'],
    [405, 'GET, HEAD, DELETE'],
  ]);
});
