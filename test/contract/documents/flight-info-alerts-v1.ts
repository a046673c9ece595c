import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, localDate } from '../../../src/domain/time/dates.ts';
import { flightInfoAlertsV1 } from '../../../src/products/flight-info-alerts/v1/index.ts';
import { createKey } from '../../../src/store/access/subscription-keys.ts';
import { createTestDeps } from '../../products/flight-info-alerts/v1/test-deps.ts';
import { insertTestEvents, getStreamNumber } from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { profile, serveAlerts, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { TEST_KEY } from '../../support/tiny-world.ts';
import { readFirstChunk, Contract } from '../contract.ts';
import { findEventExample } from '../services/event-examples.ts';
import { createEndpointCases } from '../responses/endpoint-cases.ts';
import {
  listDeclaredRoutes,
  listServedRoutes,
  testDeclaredResponses,
  type ResponseCase,
} from '../responses/declared-responses.ts';
import { createRateLimitCases, createMissingParameterCases } from '../responses/rejection-cases.ts';

const contract = new Contract('flight-info-alerts/v1');
const unknownId = '00000000-0000-4000-8000-000000000000';

let world: AlertsService;
/** A service without its key table: every request fails with an internal error. */
let broken: AlertsService;
/** A service whose database connection is closed. */
let disconnected: AlertsService;
let account = '';
let alert = '';
/** An event of the account. */
let event = '';
/** An account whose events have been pruned. */
let prunedAccount = '';
let expired = '';
let foreign = '';

beforeAll(async () => {
  [world, broken, disconnected] = await Promise.all([serveAlerts(), serveAlerts(), serveAlerts()]);
  account = await world.createAccount();
  alert = await world.createAlert(account, { alertType: 'Carrier', iataCarrierCode: 'XX' });
  const body = findEventExample(contract, 'FlightStatus');
  const now = new Date('2026-06-01T11:00:00Z');
  [event = ''] = await insertTestEvents(world.db, account, { events: [{ body }], now });
  prunedAccount = await world.createAccount();
  await insertTestEvents(world.db, prunedAccount, { events: [{ body }], now });
  const stream = await getStreamNumber(world.db, prunedAccount);
  await world.db`delete from account_event where stream = ${stream}`;
  const products = ['flight-info-alerts'];
  const yesterday = addDays(localDate('2026-06-01'), -1);
  expired = (await createKey(world.db, { name: 'late', products, expiresOn: yesterday })).key;
  foreign = (await createKey(world.db, { name: 'other', products: ['schedules'] })).key;
  await broken.db`drop table subscription_key cascade`;
  await disconnected.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, broken, disconnected]) await drop();
});

/** Sends a request to an operation in the cases that all operations share. */
type SendOperation = (
  from: AlertsService,
  more?: { key?: string; headers?: Record<string, string>; query?: string },
) => Promise<Response>;

type Operation = { readonly name: string; readonly send: SendOperation };

const operation = (
  name: string,
  getRequest: () => { path: string; body?: unknown; headers?: Record<string, string> },
): Operation => ({
  name,
  send: (from, { key = TEST_KEY, headers = {}, query = '' } = {}) => {
    const [, method = ''] = /^(\w+) /.exec(name) ?? ['', 'get'];
    const { path, body, headers: own } = getRequest();
    return from.send(`/flight-info-alerts${path}${query}`, {
      method: method.toUpperCase(),
      headers: { 'subscription-key': key, 'content-type': 'application/json', ...own, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  },
});

const inAccount = (): Record<string, string> => ({ accountid: account });
const sydney = (): object => ({ accountId: account, alertType: 'Port', departureAirport: 'SYD' });

const create = operation('post /flight-info-alerts/profile', () => ({ path: '/profile', body: profile }));
const getProfile = operation('/flight-info-alerts/profile/{accountId}', () => ({ path: `/profile/${account}` }));
const updateProfile = operation('patch /flight-info-alerts/profile/{accountId}', () => ({
  path: `/profile/${account}`,
  body: { firstName: 'Bea' },
}));
const status = operation('/flight-info-alerts/status', () => ({ path: '/status' }));
const list = operation('/flight-info-alerts/alerts', () => ({ path: '/alerts', headers: inAccount() }));
const createAlert = operation('post /flight-info-alerts/alerts', () => ({ path: '/alerts', body: sydney() }));
const updateAlert = operation('patch /flight-info-alerts/alerts', () => ({
  path: '/alerts',
  body: { alertId: alert, name: 'yours' },
}));
const getAlert = operation('/flight-info-alerts/alerts/{alertId}', () => ({ path: `/alerts/${alert}` }));
const deleteAlert = operation('delete /flight-info-alerts/alerts/{alertId}', () => ({ path: `/alerts/${alert}` }));
const listEvents = operation('/flight-info-alerts/events', () => ({ path: '/events', headers: inAccount() }));
const explain = operation('/flight-info-alerts/events/{eventId}/explain', () => ({
  path: `/events/${event}/explain`,
  headers: inAccount(),
}));
const preview = operation('post /flight-info-alerts/alerts/preview', () => ({
  path: '/alerts/preview',
  body: { ...sydney(), days: 3 },
}));
const accessKey = operation('/flight-info-alerts/accounts/{accountId}/accessKey', () => ({
  path: `/accounts/${account}/accessKey`,
}));
const health = '/flight-info-alerts/health';

/** Cases of every operation that requires a key. */
const commonCases = ({ name, send }: Operation): readonly ResponseCase[] => [
  [name, 400, 'two versions', () => send(world, { query: '?version=v1&version=v2' })],
  [name, 401, 'no key', () => send(world, { key: '' })],
  [name, 401, 'a key of another product', () => send(world, { key: foreign })],
  [name, 403, 'an expired key', () => send(world, { key: expired })],
  [name, 404, 'an unknown version', () => send(world, { query: '?version=v9' })],
  [name, 406, 'an unacceptable media type', () => send(world, { headers: { accept: 'text/csv' } })],
  [name, 500, 'an internal error', () => send(broken)],
  [name, 503, 'no database', () => send(disconnected)],
];

/** Further cases of operations with a body. */
const bodyCases = ({ name, send }: Operation): readonly ResponseCase[] => {
  const sends = (body: string) => operation(name, () => ({ path: pathOf(name), body })).send(world);
  return [
    [name, 400, 'malformed JSON', () => sends('{')],
    [name, 400, 'not an object', () => sends('[]')],
    [name, 413, 'a body that is too large', () => sends(' '.repeat(1024 * 1024 + 1))],
    [name, 415, 'another media type', () => send(world, { headers: { 'content-type': 'text/csv' } })],
  ];
};

const pathOf = (name: string): string =>
  name
    .replace(/^\w+ /, '')
    .replace('/flight-info-alerts', '')
    .replace('{accountId}', unknownId)
    .replace('{endpointId}', unknownId);

/** The operation on an unknown object. */
const unknownObject = (name: string, getRequest: Parameters<typeof operation>[1]): ResponseCase => [
  name,
  404,
  'an unknown object',
  () => operation(name, getRequest).send(world),
];

const stream = { accept: 'text/event-stream' };

/** Opens one stream more than an account may have, and closes all of them. */
const exceedStreamLimit = async (): Promise<Response> => {
  const open: Response[] = [];
  for (let n = 0; n < 10; n += 1) open.push(await listEvents.send(world, { headers: stream }));
  const rejected = await listEvents.send(world, { headers: stream });
  for (const { body } of open) await body?.cancel();
  return rejected;
};

const reuse = async (make: Operation): Promise<Response> => {
  const headers = { 'idempotency-key': make.name.replaceAll(' ', '-') };
  const other = { ...profile, ...sydney(), firstName: 'Eve', departureAirport: 'SIN' };
  await operation(make.name, () => ({
    path: pathOf(make.name),
    body: { ...other, lastName: 'Other', arrivalAirport: 'AKL' },
  })).send(world, { headers });
  return operation(make.name, () => ({ path: pathOf(make.name), body: other })).send(world, { headers });
};

const requestUnchanged = async (): Promise<Response> => {
  const tag = (await getAlert.send(world)).headers.get('etag') ?? '';
  return getAlert.send(world, { headers: { 'if-none-match': tag } });
};

const cases: readonly ResponseCase[] = [
  ...createRateLimitCases(contract, () => world),
  ...createMissingParameterCases(contract, () => world),
  [create.name, 201, 'an account', () => create.send(world)],
  [create.name, 422, 'a key of another request', () => reuse(create)],
  [getProfile.name, 200, 'a profile', () => getProfile.send(world)],
  unknownObject(getProfile.name, () => ({ path: `/profile/${unknownId}` })),
  [updateProfile.name, 200, 'a change', () => updateProfile.send(world)],
  unknownObject(updateProfile.name, () => ({ path: `/profile/${unknownId}`, body: {} })),
  [status.name, 200, 'healthy', () => status.send(world)],
  [list.name, 200, 'the alerts', () => list.send(world)],
  unknownObject(list.name, () => ({ path: '/alerts', headers: { accountid: unknownId } })),
  [createAlert.name, 201, 'an alert', () => createAlert.send(world)],
  [createAlert.name, 400, 'an alert that another one covers', () => createAlert.send(world)],
  [createAlert.name, 422, 'a key of another request', () => reuse(createAlert)],
  unknownObject(createAlert.name, () => ({ path: '/alerts', body: { accountId: unknownId, alertType: 'Global' } })),
  [updateAlert.name, 200, 'a change', () => updateAlert.send(world)],
  [updateAlert.name, 412, 'another tag', () => updateAlert.send(world, { headers: { 'if-match': '"x"' } })],
  unknownObject(updateAlert.name, () => ({ path: '/alerts', body: { alertId: unknownId } })),
  [getAlert.name, 200, 'an alert', () => getAlert.send(world)],
  [getAlert.name, 304, 'an unchanged response', requestUnchanged],
  unknownObject(getAlert.name, () => ({ path: `/alerts/${unknownId}` })),
  ...[create, getProfile, updateProfile, status, list, createAlert, updateAlert, getAlert, deleteAlert].flatMap(
    commonCases,
  ),
  ...[create, updateProfile, createAlert, updateAlert].flatMap(bodyCases),
  [deleteAlert.name, 200, 'a deleted alert', () => deleteAlert.send(world)],
  [deleteAlert.name, 404, 'an alert that is already deleted', () => deleteAlert.send(world)],
  [listEvents.name, 200, 'events', () => listEvents.send(world)],
  [listEvents.name, 200, 'a stream', async () => readFirstChunk(await listEvents.send(world, { headers: stream }))],
  [listEvents.name, 200, 'long polling', () => listEvents.send(world, { query: '?After=0&Wait=1' })],
  [
    listEvents.name,
    200,
    'a resumed stream',
    async () => readFirstChunk(await listEvents.send(world, { headers: { ...stream, 'last-event-id': '0' } })),
  ],
  [listEvents.name, 400, 'a position beyond the end', () => listEvents.send(world, { query: '?After=9' })],
  [
    listEvents.name,
    410,
    'pruned events',
    () => listEvents.send(world, { query: '?After=0', headers: { accountid: prunedAccount } }),
  ],
  [listEvents.name, 429, 'too many streams', exceedStreamLimit],
  unknownObject(listEvents.name, () => ({ path: '/events', headers: { accountid: unknownId } })),
  [explain.name, 200, 'an event', () => explain.send(world)],
  unknownObject(explain.name, () => ({ path: `/events/${unknownId}/explain`, headers: inAccount() })),
  unknownObject(explain.name, () => ({ path: `/events/${event}/explain`, headers: { accountid: unknownId } })),
  [preview.name, 200, 'a preview', () => preview.send(world)],
  unknownObject(preview.name, () => ({ path: '/alerts/preview', body: { accountId: unknownId, alertType: 'Global' } })),
  ...[listEvents, explain, preview].flatMap(commonCases),
  ...bodyCases(preview),
  [accessKey.name, 200, 'access', () => accessKey.send(world)],
  unknownObject(accessKey.name, () => ({ path: `/accounts/${unknownId}/accessKey` })),
  ...commonCases(accessKey),
  ...createEndpointCases({ world: () => world, operation, commonCases, bodyCases }),
  [health, 200, 'healthy', () => world.get(health, {})],
  [health, 400, 'two versions', () => world.get(`${health}?version=v1&version=v2`, {})],
  [health, 404, 'an unknown version', () => world.get(`${health}?version=v9`, {})],
  [health, 406, 'an unacceptable media type', () => world.get(health, { accept: 'image/png' })],
  [health, 503, 'no database', () => disconnected.get(health, {})],
];

testDeclaredResponses(contract, cases);

test('the served routes are the operations of the document', () => {
  const api = flightInfoAlertsV1(createTestDeps(world.db));
  expect(listServedRoutes(api)).toEqual(listDeclaredRoutes(contract));
});

/** Returns an example of the document by the end of its pointer. */
const findExample = (pointerEnd: string): object =>
  Object(
    contract.examples().find((one) => one.examplePointer.includes('/200/') && one.examplePointer.endsWith(pointerEnd))
      ?.value,
  );

const findBodyExample = (schema: string, name: string): object =>
  Object(
    contract
      .examples()
      .find((one) => one.examplePointer.includes(schema) && one.examplePointer.endsWith(`/examples/${name}`))?.value,
  );

test('the service returns the examples of the document', async () => {
  const full = findBodyExample('profile/post/requestBody', 'fullProfile');
  const created: { accountId: string } = await (await world.sendJson('POST', '/profile', { body: full })).json();
  const { accountId } = created;
  expect(await (await world.sendJson('GET', `/profile/${accountId}`)).json()).toEqual(findExample('/examples/profile'));
  const carrierAlert = findBodyExample('alerts/post/requestBody', 'carrierAlert');
  const alertId = await world.createAlert(accountId, { ...carrierAlert, accountId });
  const moments = { createdTimestamp: '2026-06-01T12:00:00', lastUpdatedTimestamp: '2026-06-01T12:00:00' };
  const expected = { ...findExample('/examples/alert'), ...moments, accountId, alertId };
  expect(await (await world.sendJson('GET', `/alerts/${alertId}`)).json()).toEqual(expected);
  expect(await (await world.sendJson('DELETE', `/alerts/${alertId}`)).json()).toEqual({
    ...findExample('/examples/deletedAlert'),
    ...moments,
    accountId,
    alertId,
  });
  for (const name of ['portAlert', 'globalAlert'])
    await world.createAlert(accountId, { ...findBodyExample('alerts/post/requestBody', name), accountId });
});
