/** Names in the query that are no parameters, in every product. */
import { afterAll, expect, test } from 'vitest';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { everyProduct as products } from '../support/every-product.ts';
import { EXAMPLE_KEY, serveExampleWorld } from '../contract/example-world/serve-example-world.ts';

const world = await serveExampleWorld();
afterAll(world.drop);
await insertKeyIfMissing(world.db, { name: 'careful', products, key: 'a-strict-key', isStrict: true });

const send = (path: string, key = EXAMPLE_KEY) => world.send(path, { headers: { 'subscription-key': key } });

const problem = (response: Response, path: string, name: string, message: string) => ({
  type: '/docs/errors#invalid-parameter',
  title: 'Invalid parameter',
  status: 400,
  detail: `${name} ${message}.`,
  statusCode: 400,
  message: `${name} ${message}.`,
  instance: path.split('?')[0],
  traceId: response.headers.get('x-request-id'),
  errors: { [name]: [message] },
});

const flights = '/flight-instances?DepartureDateTime=2027-03-01';
const connections = '/flight-connections?DepartureAirport=GLA&ArrivalAirport=JFK';
const endpoints = '/flight-info-alerts/endpoints?version=v1';

const useInstead = (here: string) => `is not a parameter of this operation: send ${here}`;
const ofOther = (place: string) => `is not a parameter of this operation, but of ${place}`;
const PROPERTY = 'is a property of the response, and not a parameter of this operation';

test.each<readonly [path: string, name: string, message: string]>([
  // misspelled
  [flights, 'DepartureAirprot', useInstead('DepartureAirport')],
  ['/flights?version=v1', 'FlightNumbers', useInstead('FlightNumber')],
  [connections, 'MaxConnectionTime', useInstead('MaxConnectingTime')],
  ['/locations?version=v1', 'WithinKms', useInstead('WithinKm')],
  [endpoints, 'versions', useInstead('version')],
  // other separators
  [flights, 'departure_airport', useInstead('DepartureAirport')],
  ['/flights?version=v1', 'iata-carrier-code', useInstead('IataCarrierCode')],
  [connections, 'via_point[]', useInstead('ViaPoint')],
  ['/locations?version=v1', 'airport.code', useInstead('AirportCode')],
  // a parameter of another operation, version or product
  [flights, 'departuredate', useInstead('DepartureDateTime')],
  [flights, 'ViaPoint', ofOther('/flight-connections in Connections v1')],
  ['/flights?version=v1', 'After', useInstead('cursor, as in paging.next')],
  ['/flights?version=v1', 'CodeType', ofOther('/flight-instances in Flight Info v2')],
  [connections, 'CarrierCode', useInstead('Leg1CarrierCode or Leg2CarrierCode')],
  [connections, 'WithinKm', ofOther('/locations in Master Data v1')],
  ['/locations?version=v1', 'Alliance', ofOther('/carriers in Master Data v1')],
  [endpoints, 'Limit', ofOther('/flight-info-alerts/events in Flight Info Alerts v1')],
  [endpoints, 'accountId', useInstead('the header accountId')],
  // a property of the response
  ['/locations?version=v1', 'Iata', useInstead('AirportCode')],
  ['/locations?version=v1', 'timezone', PROPERTY],
  ['/equipment/789?version=v1', 'name', ofOther('/locations in Master Data v1')],
  [flights, 'Gate', PROPERTY],
  ['/flights?version=v1', 'legDaysOfOperation', PROPERTY],
  [connections, 'mct_status', PROPERTY],
  [endpoints, 'endpointId', PROPERTY],
  ['/flights/health?version=v2', 'Limit', ofOther('/flight-instances in Flight Info v2')],
])('%s with %s returns 400 with advice', async (path, name, message) => {
  const response = await world.send(`${path}&${name}=LHR`, {
    headers: { 'subscription-key': EXAMPLE_KEY, accountId: '2c9d5a4e-7b1f-4d8a-9a36-5e0b7c4f1d20' },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  expect(response.headers.get('ignored-parameters')).toBeNull();
  expect(await response.json()).toEqual(problem(response, path, name, message));
});

const paths = [
  flights,
  '/flights?version=v1',
  connections,
  '/locations?version=v1',
  '/flight-info-alerts/status?version=v1',
];

test.each(paths)('%s returns the same with ignored parameters, and names them', async (path) => {
  const plain = await send(path);
  const named = await send(`${path}&api_version=2&lang=en&_=1700000000`);
  expect([named.status, named.headers.get('ignored-parameters')]).toEqual([200, '"api_version", "lang", "_"']);
  expect([plain.status, plain.headers.get('ignored-parameters')]).toEqual([200, null]);
  expect(named.headers.get('etag')).toBe(plain.headers.get('etag'));
  expect(await named.text()).toBe(await plain.text());
});

test.each(paths)('%s rejects every other name with a strict key', async (path) => {
  const response = await send(`${path}&lang=en`, 'a-strict-key');
  expect(await response.json()).toEqual(problem(response, path, 'lang', 'is not a parameter of this operation'));
  expect((await send(path, 'a-strict-key')).status).toBe(200);
});

test('a 304 names ignored parameters', async () => {
  const path = `${flights}&lang=en`;
  const etag = (await send(path)).headers.get('etag') ?? '';
  const headers = { 'subscription-key': EXAMPLE_KEY, 'if-none-match': etag };
  const response = await world.send(path, { headers });
  expect([response.status, response.headers.get('ignored-parameters')]).toEqual([304, '"lang"']);
});

test('errors of names and values are reported together', async () => {
  const response = await send(`${flights}&Limit=0&Gate=B42&lang=en`);
  expect(await response.json()).toMatchObject({
    detail: `Gate ${PROPERTY}. There is 1 more error; see errors.`,
    errors: { Gate: [PROPERTY], Limit: ['must be at least 1, not 0'] },
  });
});
