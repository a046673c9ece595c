import { afterAll, describe, expect, test } from 'vitest';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { profile, serveAlerts } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { createEndpoint } from '#test/products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import { createTestApp } from '#test/support/test-app.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { Contract } from '../contract.ts';
import { coverEventResponses, coverPull, insertExampleEvents } from '../coverage/pull-coverage.ts';
import { coverPush } from '../coverage/push-coverage.ts';

const contract = new Contract('flight-info-alerts/v1');
const base = '/flight-info-alerts';

const world = await serveAlerts({ eventLimits: { previewMs: 0 } });
afterAll(world.drop);
const accountId = await world.createAccount();
const alertId = await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'XX' });
const eventId = await insertExampleEvents(world, contract, { accountId, alertId });

/** Sends a request to an operation. Returns a text to compare responses by: without page links, which repeat the request. */
const send = async (
  operation: string,
  { path, body, headers = {} }: { path: string; body?: unknown; headers?: Record<string, string> },
): Promise<string> => {
  const [, method = 'get'] = /^(\w+) /.exec(operation) ?? [];
  const response = await world.send(`${base}${path}`, {
    method: method.toUpperCase(),
    headers: { 'subscription-key': TEST_KEY, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const result: unknown = await response.json();
  const { type, data, paging } = toJsonObject(result);
  if (!response.ok) return `${response.status} ${String(type)}`;
  return JSON.stringify(data ? [data, { ...toJsonObject(paging), next: undefined }] : result);
};

const post = `post ${base}/alerts`;
const patch = `patch ${base}/alerts`;
const updateAlert = (change: object, headers = {}): Promise<string> =>
  send(patch, { path: '/alerts', body: { alertId, ...change }, headers });

const codes = { iataCarrierCode: 'YY', icaoCarrierCode: 'YYB', departureAirport: 'LHR', arrivalAirport: 'JFK' };
const texts = { name: 'n', description: 'd', departureDate: '2026-06-01', arrivalDate: '2026-06-02', content: 'seats' };
const numbers = { flightNumber: 7, fromFlight: 1, toFlight: 9 };
const kinds = { schedules: false, status: false, gaFlights: true, unscheduledFlights: true, codeshare: false };
const thresholds = { estimatedDepartureTimeThreshold: -5, estimatedArrivalTimeThreshold: 5, thresholdOnce: true };
const filters = ['baggage', 'aircraftRegistrationNumber', 'gates', 'terminal', 'seats', 'aircraftType'];
const oneByOne = (properties: JsonObject): readonly JsonObject[] =>
  Object.entries(properties).map(([name, value]) => ({ [name]: value }));

/** Changes of each alert property to a value that is not its default. */
const members: readonly JsonObject[] = [
  ...oneByOne({
    ...codes,
    ...texts,
    ...numbers,
    ...kinds,
    changeIndicator: true,
    ...thresholds,
    cancellations: true,
    alertType: 'Port',
  }),
  { alertType: 'Global' },
  ...filters.map((name) => ({ statusChangeFilters: { [name]: false } })),
  { active: false },
];

const emails = { email: 'bea@example.test', secondaryEmail: 'ops@example.test' };
const others = { firstName: 'Bea', lastName: 'Hill', country: 'FR', companyName: 'Other', content: 'seats' };
const profileMembers = oneByOne({ ...emails, ...others });

const propertiesOf = (name: string): JsonObject => toJsonObject(contract.schema(name)['properties']);

describe('every body property changes the stored object', () => {
  const updateProfile = (body: object): Promise<string> =>
    send(`patch ${base}/profile/{accountId}`, { path: `/profile/${accountId}`, body });
  test.each([
    ...members.map((change) => [change, 'alert', `/alerts/${alertId}`, updateAlert] as const),
    ...profileMembers.map((change) => [change, 'profile', `/profile/${accountId}`, updateProfile] as const),
  ])('%j of the %s', async (change, _, path, update) => {
    const read = () => send(base, { path });
    const before = await read();
    const response = await update(change);
    expect(response).not.toBe(before);
    expect(response).toMatch(/^\{"(alertId|firstName)"/);
    expect(await read()).toBe(response);
  });

  test('a deleted profile is returned as it was', async () => {
    const path = `/profile/${await world.createAccount()}`;
    const body = { ...emails, ...others };
    const whole = await send(`patch ${base}/profile/{accountId}`, { path, body });
    expect(await send(`delete ${base}/profile/{accountId}`, { path })).toBe(whole);
  });

  test('a new alert accepts every property of an update except `active`', async () => {
    const settings = Object.assign({}, ...members.filter((one) => !('active' in one)));
    const created = await world.createAlert(await world.createAccount(), settings);
    const { status: _, ...properties } = await (await world.sendJson('GET', `/alerts/${created}`)).json();
    const { status: _status, ...expected } = settings;
    expect(properties).toMatchObject({
      ...expected,
      alertType: 'Global',
      statusChangeFilters: { aircraftType: false },
    });
  });

  test('every property is tested', () => {
    const named = (all: readonly JsonObject[]): string[] => [...new Set(all.flatMap(Object.keys))].toSorted();
    expect(named(members)).toEqual(
      Object.keys(propertiesOf('AlertChange'))
        .filter((one) => one !== 'alertId')
        .toSorted(),
    );
    expect(named(profileMembers)).toEqual(Object.keys(propertiesOf('ProfileChange')).toSorted());
    const ofNew = Object.keys(propertiesOf('NewAlert')).filter((one) => one !== 'accountId');
    expect(ofNew.toSorted()).toEqual(named(members));
    const toPreview = Object.keys(propertiesOf('AlertToPreview')).filter((one) => one !== 'days');
    expect(toPreview).toEqual(Object.keys(propertiesOf('NewAlert')).filter((one) => one !== 'active'));
    expect(Object.keys(propertiesOf('NewProfile'))).toEqual(Object.keys(propertiesOf('ProfileChange')));
  });
});

test('every request header changes the response', async () => {
  const other = await world.createAccount();
  const listed = (id: string): Promise<string> =>
    send(`${base}/alerts`, { path: '/alerts', headers: { accountid: id } });
  expect(await listed(accountId)).not.toBe(await listed(other));
  const once = { headers: { 'idempotency-key': 'k' } };
  const newAlert = { path: '/alerts', body: { accountId: other, alertType: 'Port', departureAirport: 'SYD' } };
  const first = await send(post, { ...newAlert, ...once });
  expect([await send(post, { ...newAlert, ...once }), await send(post, newAlert)]).toEqual([
    first,
    '400 /docs/errors#already-covered',
  ]);
  const newAccount = { path: '/profile', body: profile };
  const account = await send(`post ${base}/profile`, { ...newAccount, ...once, headers: { 'idempotency-key': 'p' } });
  expect(await send(`post ${base}/profile`, { ...newAccount, headers: { 'idempotency-key': 'p' } })).toBe(account);
  expect(await send(`post ${base}/profile`, newAccount)).not.toBe(account);
  expect(await updateAlert({ name: 'm' }, { 'if-match': '"x"' })).toBe('412 /docs/errors#precondition-failed');
  expect(await updateAlert({ name: 'm' }, { 'if-match': '*' })).toMatch(/^\{"alertId"/);
});

test('every parameter and property of the endpoint operations has an effect', async () => {
  const pairs = await coverPush(world, send);
  expect(pairs.filter(([, without, having]) => without === having)).toEqual([]);
  expect(pairs.length).toBeGreaterThan(20);
});

test('every parameter of events, explanations and previews has an effect', async () => {
  const groups = await coverPull(world, send, { accountId, eventId });
  expect(groups.filter((responses) => new Set(responses).size < responses.length)).toEqual([]);
});

test('responses contain an unhealthy service, rejected alerts, and each reason of an explanation', async () => {
  await world.db`alter table alert rename to alert_elsewhere`;
  expect(await send(`${base}/health`, { path: '/health' })).toMatch(/^503/);
  await world.db`alter table alert_elsewhere rename to alert`;
  for (const body of ['{', {}, { alertType: 'x' }]) expect(await send(post, { path: '/alerts', body })).toMatch(/^400/);
  await coverEventResponses(world, send, { contract, accountId });
});

test.each([
  ['profile', profile],
  ['alerts', { accountId, alertType: 'Port', departureAirport: 'SYD' }],
  ['endpoints', { accountId, url: 'https://hooks.zx.example/events' }],
])('%s beyond the limit of the subscription are rejected', async (path, body) => {
  const app = await createTestApp(world.db, { objectLimits: { accounts: 1, alerts: 1, endpoints: 1 } });
  const headers = { 'subscription-key': TEST_KEY, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  if (path === 'endpoints') await createEndpoint(world, accountId);
  expect((await app.request(`http://service.test${base}/${path}`, request)).status).toBe(409);
});
