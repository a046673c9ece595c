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
const nobody = '00000000-0000-4000-8000-000000000000';

let world: AlertsService;
/** Its keys are gone: every question of it fails, and not because it is away. */
let broken: AlertsService;
/** Its database has been left. */
let away: AlertsService;
let account = '';
let alert = '';
/** An event that the account was given. */
let event = '';
/** An account that was given events which are no longer kept. */
let lateAccount = '';
let expired = '';
let foreign = '';

beforeAll(async () => {
  [world, broken, away] = await Promise.all([serveAlerts(), serveAlerts(), serveAlerts()]);
  account = await world.createAccount();
  alert = await world.createAlert(account, { alertType: 'Carrier', iataCarrierCode: 'XX' });
  const body = findEventExample(contract, 'FlightStatus');
  const now = new Date('2026-06-01T11:00:00Z');
  [event = ''] = await insertTestEvents(world.db, account, { events: [{ body }], now });
  lateAccount = await world.createAccount();
  await insertTestEvents(world.db, lateAccount, { events: [{ body }], now });
  const stream = await getStreamNumber(world.db, lateAccount);
  await world.db`delete from account_event where stream = ${stream}`;
  const products = ['flight-info-alerts'];
  const yesterday = addDays(localDate('2026-06-01'), -1);
  expired = (await createKey(world.db, { name: 'late', products, expiresOn: yesterday })).key;
  foreign = (await createKey(world.db, { name: 'other', products: ['schedules'] })).key;
  await broken.db`drop table subscription_key cascade`;
  await away.db.end();
});
afterAll(async () => {
  for (const { drop } of [world, broken, away]) await drop();
});

/** How an operation is asked in each of the cases that all operations have. */
type Way = (
  from: AlertsService,
  more?: { key?: string; headers?: Record<string, string>; query?: string },
) => Promise<Response>;

type Operation = { readonly name: string; readonly way: Way };

const operation = (
  name: string,
  asked: () => { path: string; body?: unknown; headers?: Record<string, string> },
): Operation => ({
  name,
  way: (from, { key = TEST_KEY, headers = {}, query = '' } = {}) => {
    const [, method = ''] = /^(\w+) /.exec(name) ?? ['', 'get'];
    const { path, body, headers: own } = asked();
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
const changeProfile = operation('patch /flight-info-alerts/profile/{accountId}', () => ({
  path: `/profile/${account}`,
  body: { firstName: 'Bea' },
}));
const status = operation('/flight-info-alerts/status', () => ({ path: '/status' }));
const list = operation('/flight-info-alerts/alerts', () => ({ path: '/alerts', headers: inAccount() }));
const createAlert = operation('post /flight-info-alerts/alerts', () => ({ path: '/alerts', body: sydney() }));
const changeAlert = operation('patch /flight-info-alerts/alerts', () => ({
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

/** What every operation with a key can answer. */
const common = ({ name, way }: Operation): readonly ResponseCase[] => [
  [name, 400, 'two versions at once', () => way(world, { query: '?version=v1&version=v2' })],
  [name, 401, 'no key', () => way(world, { key: '' })],
  [name, 401, 'a key of another product', () => way(world, { key: foreign })],
  [name, 403, 'an expired key', () => way(world, { key: expired })],
  [name, 404, 'an unknown version', () => way(world, { query: '?version=v9' })],
  [name, 406, 'another form', () => way(world, { headers: { accept: 'text/csv' } })],
  [name, 500, 'a fault', () => way(broken)],
  [name, 503, 'no database', () => way(away)],
];

/** What those with a body can answer beside. */
const bodied = ({ name, way }: Operation): readonly ResponseCase[] => {
  const sends = (body: string) => operation(name, () => ({ path: pathOf(name), body })).way(world);
  return [
    [name, 400, 'no JSON', () => sends('{')],
    [name, 400, 'no object', () => sends('[]')],
    [name, 413, 'too much', () => sends(' '.repeat(1024 * 1024 + 1))],
    [name, 415, 'another media type', () => way(world, { headers: { 'content-type': 'text/csv' } })],
  ];
};

const pathOf = (name: string): string =>
  name
    .replace(/^\w+ /, '')
    .replace('/flight-info-alerts', '')
    .replace('{accountId}', nobody)
    .replace('{endpointId}', nobody);

/** The same operation of something that is not there. */
const elsewhere = (name: string, asked: Parameters<typeof operation>[1]): ResponseCase => [
  name,
  404,
  'nothing of the kind',
  () => operation(name, asked).way(world),
];

const stream = { accept: 'text/event-stream' };

/** One stream more than an account can have, and none of them in the end. */
const tooMany = async (): Promise<Response> => {
  const open: Response[] = [];
  for (let n = 0; n < 10; n += 1) open.push(await listEvents.way(world, { headers: stream }));
  const refused = await listEvents.way(world, { headers: stream });
  for (const { body } of open) await body?.cancel();
  return refused;
};

const reuse = async (make: Operation): Promise<Response> => {
  const headers = { 'idempotency-key': make.name.replaceAll(' ', '-') };
  const other = { ...profile, ...sydney(), firstName: 'Eve', departureAirport: 'SIN' };
  await operation(make.name, () => ({
    path: pathOf(make.name),
    body: { ...other, lastName: 'Other', arrivalAirport: 'AKL' },
  })).way(world, { headers });
  return operation(make.name, () => ({ path: pathOf(make.name), body: other })).way(world, { headers });
};

const known = async (): Promise<Response> => {
  const tag = (await getAlert.way(world)).headers.get('etag') ?? '';
  return getAlert.way(world, { headers: { 'if-none-match': tag } });
};

const cases: readonly ResponseCase[] = [
  ...createRateLimitCases(contract, () => world),
  ...createMissingParameterCases(contract, () => world),
  [create.name, 201, 'an account', () => create.way(world)],
  [create.name, 422, 'a key of another request', () => reuse(create)],
  [getProfile.name, 200, 'a profile', () => getProfile.way(world)],
  elsewhere(getProfile.name, () => ({ path: `/profile/${nobody}` })),
  [changeProfile.name, 200, 'a change', () => changeProfile.way(world)],
  elsewhere(changeProfile.name, () => ({ path: `/profile/${nobody}`, body: {} })),
  [status.name, 200, 'well', () => status.way(world)],
  [list.name, 200, 'the alerts', () => list.way(world)],
  elsewhere(list.name, () => ({ path: '/alerts', headers: { accountid: nobody } })),
  [createAlert.name, 201, 'an alert', () => createAlert.way(world)],
  [createAlert.name, 400, 'one that another covers', () => createAlert.way(world)],
  [createAlert.name, 422, 'a key of another request', () => reuse(createAlert)],
  elsewhere(createAlert.name, () => ({ path: '/alerts', body: { accountId: nobody, alertType: 'Global' } })),
  [changeAlert.name, 200, 'a change', () => changeAlert.way(world)],
  [changeAlert.name, 412, 'another tag', () => changeAlert.way(world, { headers: { 'if-match': '"x"' } })],
  elsewhere(changeAlert.name, () => ({ path: '/alerts', body: { alertId: nobody } })),
  [getAlert.name, 200, 'an alert', () => getAlert.way(world)],
  [getAlert.name, 304, 'what is known already', known],
  elsewhere(getAlert.name, () => ({ path: `/alerts/${nobody}` })),
  ...[create, getProfile, changeProfile, status, list, createAlert, changeAlert, getAlert, deleteAlert].flatMap(common),
  ...[create, changeProfile, createAlert, changeAlert].flatMap(bodied),
  [deleteAlert.name, 200, 'an alert that was', () => deleteAlert.way(world)],
  [deleteAlert.name, 404, 'an alert that is no more', () => deleteAlert.way(world)],
  [listEvents.name, 200, 'events', () => listEvents.way(world)],
  [listEvents.name, 200, 'a stream', async () => readFirstChunk(await listEvents.way(world, { headers: stream }))],
  [listEvents.name, 200, 'events that are waited for', () => listEvents.way(world, { query: '?After=0&Wait=1' })],
  [
    listEvents.name,
    200,
    'a stream that is taken up again',
    async () => readFirstChunk(await listEvents.way(world, { headers: { ...stream, 'last-event-id': '0' } })),
  ],
  [listEvents.name, 400, 'a position beyond the end', () => listEvents.way(world, { query: '?After=9' })],
  [
    listEvents.name,
    410,
    'events no longer kept',
    () => listEvents.way(world, { query: '?After=0', headers: { accountid: lateAccount } }),
  ],
  [listEvents.name, 429, 'too many streams', tooMany],
  elsewhere(listEvents.name, () => ({ path: '/events', headers: { accountid: nobody } })),
  [explain.name, 200, 'an event', () => explain.way(world)],
  elsewhere(explain.name, () => ({ path: `/events/${nobody}/explain`, headers: inAccount() })),
  elsewhere(explain.name, () => ({ path: `/events/${event}/explain`, headers: { accountid: nobody } })),
  [preview.name, 200, 'what it would have chosen', () => preview.way(world)],
  elsewhere(preview.name, () => ({ path: '/alerts/preview', body: { accountId: nobody, alertType: 'Global' } })),
  ...[listEvents, explain, preview].flatMap(common),
  ...bodied(preview),
  [accessKey.name, 200, 'access', () => accessKey.way(world)],
  elsewhere(accessKey.name, () => ({ path: `/accounts/${nobody}/accessKey` })),
  ...common(accessKey),
  ...createEndpointCases({ world: () => world, operation, common, bodied }),
  [health, 200, 'well', () => world.get(health, {})],
  [health, 400, 'two versions at once', () => world.get(`${health}?version=v1&version=v2`, {})],
  [health, 404, 'an unknown version', () => world.get(`${health}?version=v9`, {})],
  [health, 406, 'another form', () => world.get(health, { accept: 'image/png' })],
  [health, 503, 'no database', () => away.get(health, {})],
];

testDeclaredResponses(contract, cases);

test('the routes served are the operations of the document', () => {
  const api = flightInfoAlertsV1(createTestDeps(world.db));
  expect(listServedRoutes(api)).toEqual(listDeclaredRoutes(contract));
});

/** A value that the document shows, by the end of where it stands. */
const shown = (where: string): object =>
  Object(contract.examples().find((one) => one.where.includes('/200/') && one.where.endsWith(where))?.value);

const bodyShown = (schema: string, name: string): object =>
  Object(
    contract.examples().find((one) => one.where.includes(schema) && one.where.endsWith(`/examples/${name}`))?.value,
  );

test('the examples of the document are what the service answers', async () => {
  const full = bodyShown('profile/post/requestBody', 'fullProfile');
  const made: { accountId: string } = await (await world.sendJson('POST', '/profile', { body: full })).json();
  const { accountId } = made;
  expect(await (await world.sendJson('GET', `/profile/${accountId}`)).json()).toEqual(shown('/examples/profile'));
  const asked = bodyShown('alerts/post/requestBody', 'carrierAlert');
  const alertId = await world.createAlert(accountId, { ...asked, accountId });
  const moments = { createdTimestamp: '2026-06-01T12:00:00', lastUpdatedTimestamp: '2026-06-01T12:00:00' };
  const expected = { ...shown('/examples/alert'), ...moments, accountId, alertId };
  expect(await (await world.sendJson('GET', `/alerts/${alertId}`)).json()).toEqual(expected);
  expect(await (await world.sendJson('DELETE', `/alerts/${alertId}`)).json()).toEqual({
    ...shown('/examples/deletedAlert'),
    ...moments,
    accountId,
    alertId,
  });
  for (const name of ['portAlert', 'globalAlert'])
    await world.createAlert(accountId, { ...bodyShown('alerts/post/requestBody', name), accountId });
});
