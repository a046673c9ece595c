import { beforeEach, describe, expect, test } from 'vitest';
import type { Alert, Problem } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { serveAlerts } from '../alerts-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveAlerts);
let accountId = '';
let alertId = '';
beforeEach(async () => {
  world.setToday('2026-06-01');
  accountId = await world.createAccount();
  alertId = await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'XX', name: 'mine' });
  world.setToday('2026-06-02');
});

const patch = (change: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  world.sendJson('PATCH', '/alerts', { body: { alertId, ...change }, headers });
const fetched = (): Promise<Response> => world.sendJson('GET', `/alerts/${alertId}`);
const get = async (): Promise<Alert> => (await fetched()).json();

test('a change, also as text, keeps other members, updates the timestamp, and is returned from then on', async () => {
  const before = await get();
  const response = await patch({ departureAirport: 'lhr', flightNumber: '0101', active: 'FALSE' });
  const after: Alert = await response.json();
  expect(after).toEqual({
    ...before,
    departureAirport: 'LHR',
    flightNumber: 101,
    active: false,
    lastUpdatedTimestamp: '2026-06-02T12:00:00',
  });
  expect([response.status, await get()]).toEqual([200, after]);
});

test('null restores the default', async () => {
  await patch({ schedules: false, gaFlights: true, flightNumber: 5, statusChangeFilters: { gates: false } });
  const cleared = { schedules: null, gaFlights: null, flightNumber: null, statusChangeFilters: null, name: null };
  const defaults = { schedules: true, gaFlights: false, flightNumber: null, statusChangeFilters: { gates: true } };
  expect(await (await patch(cleared)).json()).toMatchObject({ ...defaults, name: null, iataCarrierCode: 'XX' });
});

test('null for active activates the alert', async () => {
  const before = await get();
  expect(await (await patch({ active: false })).json()).toEqual({
    ...before,
    active: false,
    lastUpdatedTimestamp: '2026-06-02T12:00:00',
  });
  const response = await patch({ active: null });
  const after = { ...before, active: true, lastUpdatedTimestamp: '2026-06-02T12:00:00' };
  expect([response.status, await response.json(), await get()]).toEqual([200, after, after]);
});

test('single members of statusChangeFilters can be changed', async () => {
  await patch({ statusChangeFilters: { gates: false } });
  const { statusChangeFilters }: Alert = await (await patch({ statusChangeFilters: { baggage: false } })).json();
  const others = { aircraftRegistrationNumber: true, terminal: true, seats: true, aircraftType: true };
  expect(statusChangeFilters).toEqual({ ...others, baggage: false, gates: false });
});

test('an alert can be sent back as it was returned, without a change', async () => {
  const before = await get();
  const response = await patch(before);
  expect([response.status, await response.json(), await get()]).toEqual([200, before, before]);
});

test.each([
  ['a carrier without its code', { iataCarrierCode: null }, ''],
  ['another type without its required members', { alertType: 'port' }, ''],
  ['a range that ends before it starts', { fromFlight: 3, toFlight: 2 }, 'fromFlight'],
  ['a flight number outside the range', { flightNumber: 1, fromFlight: 2 }, 'flightNumber'],
])('%s is rejected by name, and nothing is changed', async (_, change, name) => {
  const before = await get();
  const response = await patch(change);
  const { errors = {} }: Problem = await response.json();
  expect([response.status, Object.keys(errors), await get()]).toEqual([400, [name], before]);
});

describe('among other alerts', () => {
  test('one cannot be changed to repeat another, nor activated to repeat it', async () => {
    const other = await world.createAlert(accountId, { alertType: 'Carrier', iataCarrierCode: 'YY' });
    const repeating = await patch({ iataCarrierCode: 'YY', flightNumber: 7 });
    const { detail }: Problem = await repeating.json();
    expect([repeating.status, detail.split(':').at(-1)]).toEqual([400, other]);
    expect((await patch({ iataCarrierCode: 'YY', active: false })).status).toBe(200);
    expect((await patch({ active: true })).status).toBe(400);
    expect((await patch({ active: true, iataCarrierCode: 'WW' })).status).toBe(200);
  });

  test('one that a later one covers can still be renamed and deactivated', async () => {
    await world.createAlert(accountId, { alertType: 'Global' });
    for (const change of [{ name: 'yours' }, { changeIndicator: true }, { active: false }])
      expect((await patch(change)).status).toBe(200);
  });

  test('one cannot become the second Global one', async () => {
    await world.createAlert(accountId, { alertType: 'Global', gaFlights: false });
    const response = await patch({ alertType: 'Global', gaFlights: true });
    const { errors }: Problem = await response.json();
    expect([response.status, Object.keys(errors ?? {})]).toEqual([400, ['alertType']]);
  });
});

describe('with If-Match', () => {
  test('a change with the current tag succeeds, and its response has the next tag', async () => {
    const tag = (await fetched()).headers.get('etag') ?? '';
    const first = await patch({ name: 'a' }, { 'if-match': tag });
    const next = first.headers.get('etag') ?? '';
    expect([first.status, next]).toEqual([200, (await fetched()).headers.get('etag')]);
    const late = await patch({ name: 'b' }, { 'if-match': tag });
    const problem: Problem = await late.json();
    expect([late.status, problem.type]).toEqual([412, '/docs/errors#precondition-failed']);
    expect(await get()).toMatchObject({ name: 'a' });
    expect((await patch({ name: 'b' }, { 'if-match': `"x", ${next}` })).status).toBe(200);
  });

  test('one of many concurrent changes with the same tag succeeds', async () => {
    const tag = (await fetched()).headers.get('etag') ?? '';
    const names = Array.from({ length: 8 }, (_, index) => `at once ${index}`);
    const responses = await Promise.all(names.map((name) => patch({ name }, { 'if-match': tag })));
    const statuses = responses.map(({ status }) => status).toSorted((x, y) => x - y);
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });
});

test('a concurrent change and deletion leave no alert, and only an earlier change succeeds', async () => {
  const deletion = world.sendJson('DELETE', `/alerts/${alertId}`);
  const [changed, deleted] = await Promise.all([patch({ name: 'late' }), deletion]);
  const { name }: Alert = await deleted.json();
  expect([deleted.status, changed.status]).toEqual([200, name === 'late' ? 200 : 404]);
  expect((await fetched()).status).toBe(404);
});

test('many concurrent changes of other members all succeed', async () => {
  const changes = [{ name: 'n' }, { description: 'd' }, { flightNumber: 1 }, { codeshare: false }, { gaFlights: true }];
  await Promise.all(changes.map((change) => patch(change)));
  expect(await get()).toMatchObject(Object.assign({}, ...changes));
});
