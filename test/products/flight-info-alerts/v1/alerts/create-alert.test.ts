import { beforeEach, describe, expect, test } from 'vitest';
import type { Alert, Problem } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { serveAlerts } from '../alerts-service.ts';
import { readResponse } from '../endpoints/create-endpoints.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveAlerts);
let accountId = '';
beforeEach(async () => {
  accountId = await world.createAccount();
});

const create = (alert: object): Promise<Response> =>
  world.sendJson('POST', '/alerts', { body: { accountId, ...alert } });
const reject = async (alert: object, status = 400): Promise<Problem> => {
  const response = await create(alert);
  const problem: Problem = await response.json();
  expect([response.status, problem.status]).toEqual([status, status]);
  return problem;
};
const get = async (alertId: string): Promise<Alert> => (await world.sendJson('GET', `/alerts/${alertId}`)).json();
const list = (account = accountId): Promise<Response> =>
  world.sendJson('GET', '/alerts', { headers: { accountid: account } });
const deactivate = (alertId: string): Promise<Response> =>
  world.sendJson('PATCH', '/alerts', { body: { alertId, active: false } });
const unknownId = '00000000-0000-4000-8000-000000000000';
const every = (value: boolean) => ({
  baggage: value,
  aircraftRegistrationNumber: value,
  gates: value,
  terminal: value,
  seats: value,
  aircraftType: value,
});

const texts = ['name', 'description', 'content', 'icaoCarrierCode', 'departureAirport', 'arrivalAirport'];
const others = ['flightNumber', 'fromFlight', 'toFlight', 'departureDate', 'arrivalDate'];
const thresholds = ['estimatedArrivalTimeThreshold', 'estimatedDepartureTimeThreshold'];
const unset = Object.fromEntries([...texts, ...others, ...thresholds].map((name) => [name, null]));

test('a minimal alert has the defaults, and null for what is not set', async () => {
  const response = await create({ alertType: 'Carrier', iataCarrierCode: 'xx' });
  const { data: alertId, ...rest }: { data: string } = await response.json();
  const location = `http://service.test/flight-info-alerts/alerts/${alertId}?version=v1`;
  expect([response.status, rest, response.headers.get('location')]).toEqual([201, {}, location]);
  expect(await get(alertId)).toEqual({
    ...unset,
    alertId,
    accountId,
    iataCarrierCode: 'XX',
    alertType: 'Carrier',
    active: true,
    createdTimestamp: '2026-06-01T12:00:00',
    lastUpdatedTimestamp: '2026-06-01T12:00:00',
    deleted: false,
    schedules: true,
    status: true,
    gaFlights: false,
    unscheduledFlights: false,
    codeshare: true,
    thresholdOnce: false,
    cancellations: false,
    changeIndicator: false,
    statusChangeFilters: every(true),
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
    thresholdOnce: true,
    cancellations: true,
    statusChangeFilters: { ...every(false), gates: true },
  };
  expect(await get(await world.createAlert(accountId, body))).toMatchObject(body);
});

test('types and codes are case-insensitive, and null selects the default', async () => {
  const codes = { alertType: 'pORT', departureAirport: 'lhr', icaoCarrierCode: 'xxa', iataCarrierCode: null };
  const settings = { schedules: null, gaFlights: null, statusChangeFilters: null };
  expect(await get(await world.createAlert(accountId, { ...codes, ...settings }))).toMatchObject({
    alertType: 'Port',
    departureAirport: 'LHR',
    icaoCarrierCode: 'XXA',
    iataCarrierCode: null,
    schedules: true,
    gaFlights: false,
    statusChangeFilters: every(true),
  });
});

test.each([
  ['seats, changeindicator', undefined, { content: 'seats', changeIndicator: true }],
  ['ChangeIndicator', undefined, { content: null, changeIndicator: true }],
  ['SEATS', undefined, { content: 'seats', changeIndicator: false }],
  ['seats,changeindicator', false, { content: 'seats', changeIndicator: false }],
])('content %s with changeIndicator %s sets both properties', async (content, changeIndicator, expected) => {
  const created = await world.createAlert(accountId, { alertType: 'Global', content, changeIndicator });
  expect(await get(created)).toMatchObject(expected);
});

test.each<readonly [alert: object, name: string]>([
  [{ alertType: 'Carrier', departureAirport: 'LHR' }, ''],
  [{ alertType: 'Port', iataCarrierCode: 'XX' }, ''],
  [{ alertType: 'Global', content: 'seats, meals' }, 'content'],
  [{ alertType: 'Global', statusChangeFilters: { gates: 'yes' } }, 'statusChangeFilters.gates'],
  [{ alertType: 'Global', estimatedArrivalTimeThreshold: '1441' }, 'estimatedArrivalTimeThreshold'],
  [{ alertType: 'Global', flightNumber: '100A' }, 'flightNumber'],
  [{ alertType: 'Global', active: '1' }, 'active'],
])('%j is rejected with an error of %j', async (alert, name) => {
  const { type, errors = {} } = await reject(alert);
  expect([type, Object.keys(errors)]).toEqual(['/docs/errors#invalid-body', [name]]);
});

const send = (name: string): string => `is not a member of this object: send ${name}`;
test.each<readonly [alert: object, errors: object]>([
  [{ GA: true }, { GA: [send('gaFlights')] }],
  [{ Unscheduled: true }, { Unscheduled: [send('unscheduledFlights')] }],
  [
    { GAFlights: true, ga_flights: true },
    { GAFlights: [send('gaFlights')], ga_flights: [send('gaFlights')] },
  ],
  [
    { estimatedDepartureTimesThreshold: 15 },
    { estimatedDepartureTimesThreshold: [send('estimatedDepartureTimeThreshold')] },
  ],
  [{ statusChangeFilters: { gate: false } }, { 'statusChangeFilters.gate': [send('gates')] }],
])('%j has a member that is meant as another and is rejected', async (members, errors) => {
  const { type, errors: found } = await reject({ alertType: 'Global', ...members });
  expect({ type, errors: found }).toEqual({ type: '/docs/errors#invalid-body', errors });
});

test('up to 20 misnamed members are reported', async () => {
  const spellings = Array.from({ length: 30 }, (_, index) => [`gaFlights${'_'.repeat(index + 1)}`, true]);
  const { errors = {} } = await reject({ alertType: 'Global', ...Object.fromEntries(spellings) });
  expect(Object.keys(errors).length).toBe(20);
});

test('members that mean nothing here are ignored, and an alert can be sent back as it was received', async () => {
  const sent = { alertType: 'Global', colour: 'red', ga: undefined, statusChangeFilters: { weather: true, at: {} } };
  const { data: alertId }: { data: string } = await (await create(sent)).json();
  const alert = await get(alertId);
  const changed = await world.sendJson('PATCH', '/alerts', { body: alert });
  expect([changed.status, await get(alertId)]).toEqual([200, alert]);
  const copied = await world.sendJson('POST', '/alerts/preview', { body: alert });
  expect(copied.status).toBe(200);
});

const routeDetail = "alertType must be Global, Carrier or Port, not 'Route'. There is 1 more error; see errors.";
const rangeDetail = 'fromFlight must not be greater than toFlight, but 9 is greater than 8.';
const carrier = { alertType: 'Carrier', iataCarrierCode: 'XX' };
const outsideDetail = 'flightNumber must be in the range from fromFlight to toFlight';
test.each([
  [{ alertType: 'Route', flightNumber: 10_000 }, routeDetail],
  [{ alertType: 'Carrier' }, 'An alert of the type Carrier needs iataCarrierCode, icaoCarrierCode or both.'],
  [{ alertType: 'Global', fromFlight: 9, toFlight: 8 }, rangeDetail],
  [{ ...carrier, flightNumber: 9, fromFlight: 9, toFlight: 8 }, rangeDetail],
  [{ ...carrier, flightNumber: 99, fromFlight: 100, toFlight: 199 }, `${outsideDetail}, but 99 is less than 100.`],
  [{ ...carrier, flightNumber: 200, fromFlight: 100, toFlight: 199 }, `${outsideDetail}, but 200 is greater than 199.`],
  [{ ...carrier, flightNumber: 99, fromFlight: 100 }, `${outsideDetail}, but 99 is less than 100.`],
  [{ ...carrier, flightNumber: 200, toFlight: 199 }, `${outsideDetail}, but 200 is greater than 199.`],
])('the detail of %j contains the first violation', async (alert, detail) => {
  expect((await reject(alert)).detail).toBe(detail);
});

test('numbers and booleans can be sent as text, and are returned as numbers and booleans', async () => {
  const numbers = { flightNumber: 100, fromFlight: 7, toFlight: 200, estimatedDepartureTimeThreshold: -1440 };
  const switches = { active: false, schedules: false, codeshare: true, changeIndicator: true };
  const expected = { ...numbers, ...switches };
  const texts = Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, String(value)]));
  const sent = { ...texts, fromFlight: '0007', codeshare: 'TRUE', statusChangeFilters: { gates: 'False' } };
  const alertId = await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'XX', ...sent });
  const statusChangeFilters = { ...every(true), gates: false };
  expect(await get(alertId)).toMatchObject({ ...expected, statusChangeFilters });
});

test('the flight number can be either end of the range', async () => {
  for (const flightNumber of [100, 199])
    expect((await create({ ...carrier, flightNumber, fromFlight: 100, toFlight: 199 })).status).toBe(201);
});

test('a range of one flight, a carrier by its ICAO code and a port by its arrivals are enough', async () => {
  for (const alert of [
    { alertType: 'Carrier', icaoCarrierCode: 'XXA', fromFlight: 9, toFlight: 9 },
    { alertType: 'Port', arrivalAirport: 'JFK' },
  ])
    expect((await create(alert)).status).toBe(201);
});

test('an alert for an unknown account is rejected', async () => {
  const { type, detail } = await reject({ accountId: unknownId, alertType: 'Global' }, 404);
  expect([type, detail]).toEqual(['/docs/errors#not-found', `The account ${unknownId} does not exist.`]);
});

describe('an alert that others cover', () => {
  const wide = { alertType: 'Carrier', iataCarrierCode: 'XX' };
  const narrow = { ...wide, departureAirport: 'LHR' };

  test('is rejected, and the detail ends with the covering alert', async () => {
    const covering = await world.createAlert(accountId, wide);
    const { type, detail } = await reject({ ...narrow, iataCarrierCode: 'xx' });
    expect([type, detail]).toEqual([
      '/docs/errors#already-covered',
      `The account is already covering these events with other alert(s):${covering}`,
    ]);
  });

  test('is created while the other one is inactive', async () => {
    await deactivate(await world.createAlert(accountId, wide));
    expect((await create(narrow)).status).toBe(201);
    expect((await reject(narrow)).type).toBe('/docs/errors#already-covered');
  });

  test.each([{ changeIndicator: true }, { content: 'seats' }, { active: false }])(
    'is created with %j, because the other one does not repeat its events',
    async (setting) => {
      await world.createAlert(accountId, wide);
      expect((await create({ ...narrow, ...setting })).status).toBe(201);
    },
  );

  test('is created if it selects more, and in another account', async () => {
    await world.createAlert(accountId, narrow);
    expect((await create(wide)).status).toBe(201);
    accountId = await world.createAccount();
    expect((await create(wide)).status).toBe(201);
  });
});

test('an account has one Global alert, even if the second would select more or the first is inactive', async () => {
  const first = await world.createAlert(accountId, { alertType: 'Global' });
  const errors = { alertType: [`can be Global for one alert of an account, which is ${first}`] };
  const second = { alertType: 'Global', gaFlights: true };
  expect(await reject(second)).toMatchObject({ errors });
  await deactivate(first);
  expect(await reject(second)).toMatchObject({ errors });
});

test('of concurrent alerts that cover each other, one is created', async () => {
  const alert = { alertType: 'Port', departureAirport: 'SYD' };
  const responses = await Promise.all(Array.from({ length: 8 }, () => create(alert)));
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
});

test('lists alerts in the order of creation, each as a single request returns it', async () => {
  const alerts = [
    { alertType: 'Port', departureAirport: 'SYD' },
    { alertType: 'Carrier', iataCarrierCode: 'YY' },
    { alertType: 'Global' },
  ];
  const ids: string[] = [];
  for (const alert of alerts) ids.push(await world.createAlert(accountId, alert));
  const response = await list(accountId.toUpperCase());
  const vary = 'Subscription-Key, accountId, Accept-Encoding';
  expect([response.status, response.headers.get('vary')]).toEqual([200, vary]);
  expect(await response.json()).toEqual(await Promise.all(ids.map(get)));
});

test('a deleted alert is returned once, then 404', async () => {
  const alertId = await world.createAlert(accountId, { alertType: 'Global' });
  const before = await get(alertId);
  const deleted = await readResponse(world.sendJson('DELETE', `/alerts/${alertId}`));
  expect(deleted).toEqual([200, { ...before, active: false, deleted: true }]);
  for (const method of ['GET', 'DELETE'] as const)
    expect(await readResponse(world.sendJson(method, `/alerts/${alertId}`))).toMatchObject([
      404,
      { detail: `The alert ${alertId} does not exist.` },
    ]);
  expect(await (await list()).json()).toEqual([]);
});
