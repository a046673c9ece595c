import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { toJsonObject, toList } from '#lib/openapi-document.ts';
import { createMock } from '#mock/mock.ts';
import { WORLD_DAY } from '../contract/services/served-documents.ts';
import { serveMock } from './serve-mock.ts';

const { send, get } = serveMock();

const flights = async (query: string): Promise<unknown> => {
  const { data, paging } = await (await get(`/flight-instances?version=v2${query}`)).json();
  return [data.length, paging.limit, 'next' in paging];
};

test('a request without page size gets the page it matches, and only that of the empty example finds nothing', async () => {
  const march = '&DepartureDateTime=2027-03-01';
  for (const filters of ['', '&DepartureAirport=LHR', '&DepartureAirport=LHR&Limit=50'])
    expect(await flights(`${march}${filters}`)).toEqual([2, 2, true]);
  expect(await flights(`${march}&DepartureAirport=LHR&ArrivalAirport=SYD`)).toEqual([0, 10, false]);
});

const key = { 'Subscription-Key': 'any' };
const ALERT = '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1';

const tagOf = (response: Response): string => response.headers.get('etag') ?? '';

test('returns 304 for a matching If-None-Match', async () => {
  const first = await get('/locations');
  expect(tagOf(first)).toMatch(/^"[\w-]{43}"$/);
  const again = await get('/locations', { 'If-None-Match': tagOf(first) });
  expect([again.status, await again.text(), tagOf(again)]).toEqual([304, '', tagOf(first)]);
  expect((await get('/locations', { 'If-None-Match': '"another"' })).status).toBe(200);
  const preferred = await get('/locations', { Prefer: 'code=304' });
  expect([preferred.status, await preferred.text(), tagOf(preferred)]).toEqual([304, '', tagOf(first)]);
});

test('returns 412 for an outdated If-Match', async () => {
  const path = `/flight-info-alerts/alerts`;
  const body = JSON.stringify({ alertId: ALERT, active: false });
  const change = (ifMatch: string): Promise<Response> =>
    send(path, { method: 'PATCH', headers: { ...key, 'Content-Type': 'application/json', 'If-Match': ifMatch }, body });
  expect((await change('"another"')).status).toBe(412);
  const changed = await change(tagOf(await get(`${path}/${ALERT}`)));
  expect([changed.status, (await change(tagOf(changed))).status]).toEqual([200, 200]);
});

test('returns no body to HEAD', async () => {
  const response = await send('/locations', { method: 'HEAD', headers: key });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

const V1 = '/flight-instances?version=v1&DepartureDate=2024-06-02';

const lifeOf = ({ status, headers }: Response) => ({
  status,
  version: headers.get('api-version'),
  deprecation: headers.get('deprecation'),
  sunset: headers.get('sunset'),
});
const on = async (day: string) => lifeOf(await get(V1, { Prefer: `today=${day}` }));

test('`today` applies to one request only, also among concurrent ones', async () => {
  const current = { status: 200, version: 'v1', deprecation: null, sunset: null };
  const deprecated = { ...current, deprecation: 'true', sunset: 'Mon, 14 Apr 2025 00:00:00 GMT' };
  const removed = { ...current, status: 404 };
  const days = ['2024-04-14', '2024-06-01', '2025-04-13', '2025-04-14'];
  expect(await Promise.all(days.map(on))).toEqual([current, deprecated, deprecated, removed]);
  expect(lifeOf(await get(V1))).toEqual(removed);
});

test('an invalid day is reported, also by a removed version', async () => {
  expect((await get(V1, { Prefer: 'today=2024-13-01' })).status).toBe(400);
});

test('names ignored parameters, also of a stream, and nothing without them', async () => {
  const stream = '/flight-info-alerts/events?version=v1';
  const account = { accountId: '2c9d5a4e-7b1f-4d8a-9a36-5e0b7c4f1d20', Accept: 'text/event-stream' };
  const responses = [
    await get('/locations'),
    await get('/locations?lang=en'),
    await get(stream, account),
    await get(`${stream}&lang=en`, account),
  ];
  for (const { body } of responses) await body?.cancel();
  expect(responses.map(({ headers }) => headers.get('ignored-parameters'))).toEqual([null, '"lang"', null, '"lang"']);
});

test('the default version depends on the day', async () => {
  const early = await get('/flight-instances', { Prefer: 'today=2024-01-01' });
  expect(early.headers.get('api-version')).toBe('v1');
  expect((await get('/flight-instances')).headers.get('api-version')).toBe('v2');
});

test('an early request waits for its version only', async () => {
  const { fetch, load: open } = createMock({
    clock: () => new Date(`${WORLD_DAY}T12:00:00Z`),
    log: { request: () => {}, failure: () => {}, flush: async () => {} },
  });
  const order: string[] = [];
  const opened = open().then(() => order.push('every version is read'));
  // The request arrives while the versions are read, as from a socket.
  await setImmediate();
  const { status } = await fetch(new Request('http://mock.test/flights', { headers: { 'Subscription-Key': 'any' } }));
  order.push(`responded ${status}`);
  await opened;
  expect(order).toEqual(['responded 200', 'every version is read']);
});

test.each([
  ['CarrierCode=ZX&FlightNumber=117', 117, false],
  ['CarrierCode=ZX&FlightNumber=117&Content=Status', 117, true],
  ['CarrierCode=ZX&FlightNumber=101&Content=Status', 101, true],
  ['DepartureAirport=LHR&Content=Status', undefined, true],
])('selects an example with the flight and the datasets of %s', async (query, flightNumber, hasStatus) => {
  const response = await get(`/flight-instances?version=v2&DepartureDateTime=2027-03-01&${query}`);
  const { data } = toJsonObject(await response.json());
  const records = toList(data).map(toJsonObject);
  const described = records.map((one) => [flightNumber && one['flightNumber'], hasStatus && 'statusDetails' in one]);
  expect(described).toEqual(records.map(() => [flightNumber, hasStatus]));
  expect(records.length).toBeGreaterThan(0);
});

test.each([
  '/flight-instances?version=v2&DepartureDateTime=2027-03-01&CarrierCode=QQ&FlightNumber=9',
  '/flights?version=v1&IataCarrierCode=QQ&FlightNumber=9',
  '/flights?version=v1&IataCarrierCode=ZX&FlightNumber=9',
  '/carriers?version=v1&CarrierCode=QQ',
  '/locations?version=v1&AirportCode=QQQ&Content=Provenance',
  '/equipment?version=v1&EquipmentCode=QQQ',
])('returns an empty page when no example has the records: %s', async (path) => {
  expect(toJsonObject(await (await get(path)).json())).toMatchObject({ data: [], paging: { totalCount: 0 } });
});

test.each([
  ['/carriers?version=v1&CarrierCode=zx', 'ZX'],
  ['/locations?version=v1&AirportCode=JFK', 'JFK'],
  ['/equipment?version=v1&EquipmentCode=B738&CodeType=ICAO', 'B738'],
  ['/flights?version=v1&IcaoCarrierCode=ZXA&FlightNumber=15', 'ZXA'],
])('selects an example with the code of %s', async (path, code) => {
  const { data } = toJsonObject(await (await get(path)).json());
  expect(toList(data).map((record) => JSON.stringify(record).includes(`"${code}"`))).toContain(true);
});
