import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Alert, Problem } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { serveAlerts, type AlertsService } from '../alerts-service.ts';

let world: AlertsService;
let accountId = '';
beforeAll(async () => {
  world = await serveAlerts();
});
beforeEach(async () => {
  accountId = await world.createAccount();
});
afterAll(() => world.drop());

const create = (alert: object): Promise<Response> =>
  world.sendJson('POST', '/alerts', { body: { accountId, ...alert } });
const problemOf = async (response: Response): Promise<readonly [number, Problem]> => [
  response.status,
  await response.json(),
];
const get = async (alertId: string): Promise<Alert> => (await world.sendJson('GET', `/alerts/${alertId}`)).json();
const unknownId = '00000000-0000-4000-8000-000000000000';

test('a minimal alert has the defaults, and null for what is not set', async () => {
  const response = await create({ alertType: 'Carrier', iataCarrierCode: 'xx' });
  const newItem: { data: string } = await response.json();
  expect([response.status, Object.keys(newItem), response.headers.get('location')]).toEqual([
    201,
    ['data'],
    `http://service.test/flight-info-alerts/alerts/${newItem.data}?version=v1`,
  ]);
  expect(await get(newItem.data)).toEqual({
    alertId: newItem.data,
    accountId,
    name: null,
    description: null,
    iataCarrierCode: 'XX',
    icaoCarrierCode: null,
    flightNumber: null,
    fromFlight: null,
    toFlight: null,
    departureAirport: null,
    arrivalAirport: null,
    alertType: 'Carrier',
    active: true,
    content: null,
    departureDate: null,
    arrivalDate: null,
    createdTimestamp: '2026-06-01T12:00:00',
    lastUpdatedTimestamp: '2026-06-01T12:00:00',
    deleted: false,
    schedules: true,
    status: true,
    gaFlights: false,
    unscheduledFlights: false,
    codeshare: true,
    estimatedArrivalTimeThreshold: null,
    estimatedDepartureTimeThreshold: null,
    changeIndicator: false,
    statusChangeFilters: {
      baggage: true,
      aircraftRegistrationNumber: true,
      gates: true,
      terminal: true,
      seats: true,
      aircraftType: true,
    },
  });
});

test('an alert with most members is stored as sent', async () => {
  const body = {
    name: 'n',
    description: 'd',
    alertType: 'Port',
    iataCarrierCode: 'XX',
    icaoCarrierCode: 'XXA',
    flightNumber: 101,
    fromFlight: 100,
    toFlight: 199,
    departureAirport: 'LHR',
    arrivalAirport: 'JFK',
    departureDate: '2026-06-01',
    arrivalDate: '2026-06-02',
    content: 'seats',
    schedules: false,
    status: true,
    gaFlights: true,
    unscheduledFlights: true,
    codeshare: false,
    changeIndicator: true,
    estimatedArrivalTimeThreshold: 1440,
    estimatedDepartureTimeThreshold: -1440,
    statusChangeFilters: {
      baggage: false,
      aircraftRegistrationNumber: false,
      gates: true,
      terminal: false,
      seats: false,
      aircraftType: false,
    },
  };
  expect(await get(await world.createAlert(accountId, body))).toMatchObject(body);
});

test('types and codes are case-insensitive, and null selects the default', async () => {
  const created = await world.createAlert(accountId, {
    alertType: 'pORT',
    departureAirport: 'lhr',
    icaoCarrierCode: 'xxa',
    iataCarrierCode: null,
    schedules: null,
    gaFlights: null,
    statusChangeFilters: null,
  });
  expect(await get(created)).toMatchObject({
    alertType: 'Port',
    departureAirport: 'LHR',
    icaoCarrierCode: 'XXA',
    iataCarrierCode: null,
    schedules: true,
    gaFlights: false,
    statusChangeFilters: { baggage: true, gates: true },
  });
});

test.each([
  ['seats, changeindicator', undefined, { content: 'seats', changeIndicator: true }],
  ['ChangeIndicator', undefined, { content: null, changeIndicator: true }],
  ['SEATS', undefined, { content: 'seats', changeIndicator: false }],
  ['seats,changeindicator', false, { content: 'seats', changeIndicator: false }],
])('content %s beside changeIndicator %s', async (content, changeIndicator, expected) => {
  const created = await world.createAlert(accountId, { alertType: 'Global', content, changeIndicator });
  expect(await get(created)).toMatchObject(expected);
});

test.each([
  ['no account', { accountId: undefined, alertType: 'Global' }, 'accountId'],
  ['no type', {}, 'alertType'],
  ['an unknown type', { alertType: 'Route' }, 'alertType'],
  ['a carrier without a code', { alertType: 'Carrier', departureAirport: 'LHR' }, ''],
  ['a port without an airport', { alertType: 'Port', iataCarrierCode: 'XX' }, ''],
  ['a range that ends before it starts', { alertType: 'Global', fromFlight: 9, toFlight: 8 }, 'fromFlight'],
  ['a number that is too large', { alertType: 'Global', flightNumber: 10_000 }, 'flightNumber'],
  ['a negative number', { alertType: 'Global', fromFlight: -1 }, 'fromFlight'],
  ['a fraction', { alertType: 'Global', toFlight: 1.5 }, 'toFlight'],
  ['a number in quotes', { alertType: 'Global', flightNumber: '101' }, 'flightNumber'],
  ['an invalid date', { alertType: 'Global', departureDate: '2026-02-30' }, 'departureDate'],
  ['a date with a time', { alertType: 'Global', arrivalDate: '2026-02-01T00:00:00' }, 'arrivalDate'],
  [
    'a threshold of more than a day',
    { alertType: 'Global', estimatedArrivalTimeThreshold: 1441 },
    'estimatedArrivalTimeThreshold',
  ],
  [
    'a threshold of more than a day before',
    { alertType: 'Global', estimatedDepartureTimeThreshold: -1441 },
    'estimatedDepartureTimeThreshold',
  ],
  ['another dataset', { alertType: 'Global', content: 'seats, meals' }, 'content'],
  [
    'a filter that is not a boolean',
    { alertType: 'Global', statusChangeFilters: { gates: 'yes' } },
    'statusChangeFilters.gates',
  ],
  ['an airport by its name', { alertType: 'Port', departureAirport: 'Heathrow' }, 'departureAirport'],
  ['two carriers', { alertType: 'Carrier', iataCarrierCode: 'XX,YY' }, 'iataCarrierCode'],
])('%s is rejected by name', async (_, alert, name) => {
  const [status, problem] = await problemOf(await create(alert));
  expect([status, problem.type, Object.keys(problem.errors ?? {})]).toEqual([400, '/docs/errors#invalid-body', [name]]);
});

test('the detail contains the first violation', async () => {
  const [, { detail }] = await problemOf(await create({ alertType: 'Route', flightNumber: 10_000 }));
  expect(detail).toBe("alertType must be Global, Carrier or Port, not 'Route'. There is 1 more fault; see errors.");
  const [, { detail: ofRule }] = await problemOf(await create({ alertType: 'Carrier' }));
  expect(ofRule).toBe('An alert of the type Carrier needs iataCarrierCode, icaoCarrierCode or both.');
});

test('an alert for an unknown account is rejected', async () => {
  const response = await world.sendJson('POST', '/alerts', { body: { accountId: unknownId, alertType: 'Global' } });
  expect(await problemOf(response)).toEqual([
    404,
    expect.objectContaining({ type: '/docs/errors#not-found', detail: `There is no account ${unknownId}.` }),
  ]);
});

describe('an alert that others cover', () => {
  test('is rejected, and the detail ends with the covering alert', async () => {
    const wide = await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'XX' });
    const [status, problem] = await problemOf(
      await create({ alertType: 'Carrier', iataCarrierCode: 'xx', departureAirport: 'LHR' }),
    );
    expect([status, problem.type]).toEqual([400, '/docs/errors#already-covered']);
    expect(problem.detail.endsWith(`already covering these events with other alert(s):${wide}`)).toBe(true);
  });

  test('is created while the other one is inactive', async () => {
    const wide = await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'XX' });
    await world.sendJson('PATCH', '/alerts', { body: { alertId: wide, active: false } });
    const narrow = { alertType: 'Carrier', iataCarrierCode: 'XX', departureAirport: 'LHR' };
    expect((await create(narrow)).status).toBe(201);
    const [status, problem] = await problemOf(await create(narrow));
    expect([status, problem.type]).toEqual([400, '/docs/errors#already-covered']);
  });

  test('is created if it selects more, and in another account', async () => {
    await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'XX', departureAirport: 'LHR' });
    expect((await create({ alertType: 'Carrier', iataCarrierCode: 'XX' })).status).toBe(201);
    accountId = await world.createAccount();
    expect((await create({ alertType: 'Carrier', iataCarrierCode: 'XX' })).status).toBe(201);
  });

  test('is always rejected if all flights are already selected', async () => {
    const global = await world.createAlert(accountId, { alertType: 'Global' });
    const [status, problem] = await problemOf(await create({ alertType: 'Port', arrivalAirport: 'JFK' }));
    expect([status, problem.detail.split(':').at(-1)]).toEqual([400, global]);
  });
});

test('an account has one Global alert, even if the second would select more or the first is inactive', async () => {
  const first = await world.createAlert(accountId, { alertType: 'Global' });
  const second = { alertType: 'Global', gaFlights: true };
  const rejection = [400, expect.objectContaining({ errors: { alertType: [expect.stringContaining(first)] } })];
  expect(await problemOf(await create(second))).toEqual(rejection);
  await world.sendJson('PATCH', '/alerts', { body: { alertId: first, active: false } });
  expect(await problemOf(await create(second))).toEqual(rejection);
});

test('of two concurrent alerts that cover each other, one is created', async () => {
  const alert = { alertType: 'Port', departureAirport: 'SYD' };
  const responses = await Promise.all(Array.from({ length: 8 }, () => create(alert)));
  const created = responses.filter(({ status }) => status === 201);
  const rejected = responses.filter(({ status }) => status === 400);
  expect([created.length, rejected.length]).toEqual([1, 7]);
});

test('lists alerts in the order of creation, each as a single request returns it', async () => {
  const ids = [
    await world.createAlert(accountId, { alertType: 'Port', departureAirport: 'SYD' }),
    await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'YY' }),
    await world.createAlert(accountId, { alertType: 'Global' }),
  ];
  const response = await world.sendJson('GET', '/alerts', { headers: { accountid: accountId.toUpperCase() } });
  expect([response.status, response.headers.get('vary'), await response.json()]).toEqual([
    200,
    'Subscription-Key, accountId, Accept-Encoding',
    await Promise.all(ids.map(get)),
  ]);
});

test('without the header, or with an invalid UUID, the list is rejected', async () => {
  const rejections = await Promise.all(
    ['', ' ', 'mine'].map(async (accountid) =>
      problemOf(await world.sendJson('GET', '/alerts', { headers: accountid === '' ? {} : { accountid } })),
    ),
  );
  expect(rejections.map(([status, { errors }]) => [status, errors])).toEqual([
    [400, { accountId: ['is required'] }],
    [400, { accountId: ['is required'] }],
    [400, { accountId: ["must be a UUID, not 'mine'"] }],
  ]);
});

test('a deleted alert is returned once, then 404', async () => {
  const alertId = await world.createAlert(accountId, { alertType: 'Global' });
  const before = await get(alertId);
  const response = await world.sendJson('DELETE', `/alerts/${alertId}`);
  expect([response.status, await response.json()]).toEqual([200, { ...before, active: false, deleted: true }]);
  for (const method of ['GET', 'DELETE'] as const)
    expect((await world.sendJson(method, `/alerts/${alertId}`)).status).toBe(404);
  const list = await world.sendJson('GET', '/alerts', { headers: { accountid: accountId } });
  expect(await list.json()).toEqual([]);
});

test('another subscription gets the same 404 for an account and its alerts as for unknown ones', async () => {
  const alertId = await world.createAlert(accountId, { alertType: 'Global' });
  const key = world.foreignKey;
  const sendAll = (account: string, alert: string): readonly Promise<Response>[] => [
    world.sendJson('GET', `/profile/${account}`, { key }),
    world.sendJson('PATCH', `/profile/${account}`, { key, body: { firstName: 'Eve' } }),
    world.sendJson('POST', '/alerts', {
      key,
      body: { accountId: account, alertType: 'Port', departureAirport: 'SYD' },
    }),
    world.sendJson('GET', '/alerts', { key, headers: { accountid: account } }),
    world.sendJson('GET', `/alerts/${alert}`, { key }),
    world.sendJson('PATCH', '/alerts', { key, body: { alertId: alert, active: false } }),
    world.sendJson('PATCH', '/alerts', {
      key,
      body: { alertId: alert, active: false },
      headers: { 'if-match': '"x"' },
    }),
    world.sendJson('DELETE', `/alerts/${alert}`, { key }),
  ];
  const reported = async (account: string, alert: string): Promise<readonly string[]> => {
    const responses = await Promise.all(sendAll(account, alert));
    return Promise.all(
      responses.map(async (reply) =>
        `${reply.status} ${await reply.text()}`
          .replaceAll(/[0-9a-f]{32}/g, 'trace')
          .replaceAll(account, unknownId)
          .replaceAll(alert, unknownId),
      ),
    );
  };
  const seen = await reported(accountId, alertId);
  expect(seen).toEqual(await reported(unknownId, unknownId));
  expect(seen.every((text) => text.startsWith('404 '))).toBe(true);
  expect(await get(alertId)).toMatchObject({ active: true });
});
