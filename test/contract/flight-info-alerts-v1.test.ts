import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, localDate } from '../../src/domain/dates.ts';
import { flightInfoAlertsV1 } from '../../src/products/flight-info-alerts/v1/index.ts';
import { createKey } from '../../src/store/subscription-keys.ts';
import { profile, serveAlertsWorld, type AlertsWorld } from '../products/flight-info-alerts/v1/world.ts';
import { TEST_KEY } from '../support/tiny-world.ts';
import { Contract } from './contract.ts';
import { declaredRoutes, servedRoutes, testDeclaredAnswers, type AnswerCase } from './declared-answers.ts';

const contract = new Contract('flight-info-alerts/v1');
const nobody = '00000000-0000-4000-8000-000000000000';

let world: AlertsWorld;
/** Its keys are gone: every question of it fails, and not because it is away. */
let broken: AlertsWorld;
/** Its database has been left. */
let away: AlertsWorld;
let account = '';
let alert = '';
let expired = '';
let foreign = '';

beforeAll(async () => {
  [world, broken, away] = await Promise.all([serveAlertsWorld(), serveAlertsWorld(), serveAlertsWorld()]);
  account = await world.newAccount();
  alert = await world.newAlert(account, { alertType: 'Carrier', iataCarrierCode: 'XX' });
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
  from: AlertsWorld,
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
    return from.ask(`/flight-info-alerts${path}${query}`, {
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
const health = '/flight-info-alerts/health';

/** What every operation with a key can answer. */
const common = ({ name, way }: Operation): readonly AnswerCase[] => [
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
const bodied = ({ name, way }: Operation): readonly AnswerCase[] => {
  const sends = (body: string) => operation(name, () => ({ path: pathOf(name), body })).way(world);
  return [
    [name, 400, 'no JSON', () => sends('{')],
    [name, 400, 'no object', () => sends('[]')],
    [name, 413, 'too much', () => sends(' '.repeat(1024 * 1024 + 1))],
    [name, 415, 'another media type', () => way(world, { headers: { 'content-type': 'text/csv' } })],
  ];
};

const pathOf = (name: string): string =>
  name.replace(/^\w+ /, '').replace('/flight-info-alerts', '').replace('{accountId}', nobody);

/** The same operation of something that is not there. */
const elsewhere = (name: string, asked: Parameters<typeof operation>[1]): AnswerCase => [
  name,
  404,
  'nothing of the kind',
  () => operation(name, asked).way(world),
];

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

const cases: readonly AnswerCase[] = [
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
  [health, 200, 'well', () => world.get(health, {})],
  [health, 400, 'two versions at once', () => world.get(`${health}?version=v1&version=v2`, {})],
  [health, 404, 'an unknown version', () => world.get(`${health}?version=v9`, {})],
  [health, 406, 'another form', () => world.get(health, { accept: 'image/png' })],
  [health, 503, 'no database', () => away.get(health, {})],
];

testDeclaredAnswers(contract, cases);

test('the routes served are the operations of the document', () => {
  const api = flightInfoAlertsV1({ sql: world.db, clock: () => new Date('2026-06-01T12:00:00Z') });
  expect(servedRoutes(api)).toEqual(declaredRoutes(contract));
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
  const made: { accountId: string } = await (await world.send('POST', '/profile', { body: full })).json();
  const { accountId } = made;
  expect(await (await world.send('GET', `/profile/${accountId}`)).json()).toEqual(shown('/examples/profile'));
  const asked = bodyShown('alerts/post/requestBody', 'carrierAlert');
  const alertId = await world.newAlert(accountId, { ...asked, accountId });
  const moments = { createdTimestamp: '2026-06-01T12:00:00', lastUpdatedTimestamp: '2026-06-01T12:00:00' };
  const expected = { ...shown('/examples/alert'), ...moments, accountId, alertId };
  expect(await (await world.send('GET', `/alerts/${alertId}`)).json()).toEqual(expected);
  expect(await (await world.send('DELETE', `/alerts/${alertId}`)).json()).toEqual({
    ...shown('/examples/deletedAlert'),
    ...moments,
    accountId,
    alertId,
  });
  for (const name of ['portAlert', 'globalAlert'])
    await world.newAlert(accountId, { ...bodyShown('alerts/post/requestBody', name), accountId });
});
