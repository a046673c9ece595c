import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { createFlightDataClient, FlightDataConnectionError, FlightDataProblem } from '#client/index.ts';
import { ForeignLinkError, NotModified } from '#client/index.ts';
import { insertKnownEndpoint, ENDPOINT } from '../contract/services/known-endpoint.ts';
import { buildFile, buildLeg } from '../feeds/ssim/build-file.ts';
import { serveConnections } from '../products/connections/v1/connections-service.ts';
import { serveAlerts } from '../products/flight-info-alerts/v1/alerts-service.ts';
import { publishText, TEST_KEY, type TinyService } from '../support/tiny-world.ts';
import { collectAll, getRejection, startSharedService, startTestService } from './test-service.ts';

const world = await serveAlerts();
const connected = await serveConnections();
afterAll(() => Promise.all([world.drop(), connected.drop()]));
await publishText(world.db, buildFile(buildLeg(), buildLeg({ 6: '0102', 15: '03JUN26' })), { horizonDays: 10 });
const accountId = await world.createAccount();
await world.db.begin((sql) => insertKnownEndpoint(sql, accountId));
const service = await startSharedService(world.app.fetch);
const connections = await startSharedService(connected.app.fetch);

const startRecorder = async (fetch: (request: Request) => Response | Promise<Response> = world.app.fetch) => {
  const requests: Request[] = [];
  const front = await startTestService((request) => {
    requests.push(request.clone());
    return fetch(request);
  });
  return { front, requests };
};

test('the client has every operation of every current version and no other', () => {
  const { events: _events, ...products } = service.client();
  const offered = Object.values(products).map((product) => Object.keys(product).toSorted().join());
  const current = catalog.flatMap(({ versions }) => versions.slice(-1));
  const declared = current.map(({ operations }) => operations.map(({ operationId }) => operationId).toSorted());
  expect(offered.toSorted()).toEqual(declared.map((operationIds) => operationIds.join()).toSorted());
});

describe('lists', () => {
  const endpoint = { endpointId: ENDPOINT };
  const june = { DepartureDateTime: '2026-06-01/2026-06-05' };

  const { flightInfo, flightInfoAlerts, masterData, schedules } = service.client();
  const { listConnections } = connections.client().connections;
  const endpointPath = `/flight-info-alerts/endpoints/${ENDPOINT}`;
  const flightPath = '/flight-instances?version=v2&DepartureDateTime=2026-06-01/2026-06-05';
  type List = (query: { readonly Limit: number }) => AsyncIterable<unknown>;
  test.each<[path: string, list: List, from?: TinyService]>([
    [flightPath, (query) => flightInfo.listFlightInstances({ query: { ...june, ...query } })],
    ['/flights?version=v1', (query) => schedules.listSchedules({ query })],
    ['/locations?version=v1', (query) => masterData.listLocations({ query })],
    ['/carriers?version=v1', (query) => masterData.listCarriers({ query })],
    ['/equipment?version=v1', (query) => masterData.listEquipment({ query })],
    [`${endpointPath}/deliveries?version=v1`, (query) => flightInfoAlerts.listDeliveries({ path: endpoint, query })],
    [`${endpointPath}/dead-letters?version=v1`, (query) => flightInfoAlerts.listDeadLetters({ path: endpoint, query })],
    [
      '/flight-connections?ViaPoint=LHR',
      (query) => listConnections({ query: { ViaPoint: ['LHR'], ...query } }),
      connected,
    ],
  ])('iterating over %s returns each record once, whatever the page size', async (path, list, from = world) => {
    const { data } = await (await from.get(`${path}&Limit=1000`)).json();
    expect(data.length).toBeGreaterThan(1);
    for (const Limit of [1, 2, 1000]) expect(await collectAll(list({ Limit }))).toEqual(data);
  });

  test('iterates schedules backward along `previous`, page by page, from a page that has a link', async () => {
    const list = schedules.listSchedules({ query: { Limit: 1 } });
    const [first, second] = await collectAll(list.pages());
    expect(first?.data).toHaveLength(1);
    const before = await collectAll(list.pagesBack(second?.paging.previous ?? ''));
    expect(before.map(({ data }) => data)).toEqual([first?.data]);
    const foreign = 'http://elsewhere.test/flights?cursor=a';
    expect(await getRejection(collectAll(list.pagesBack(foreign)))).toBeInstanceOf(ForeignLinkError);
  });

  test('requests only the pages that are consumed', async () => {
    const { front, requests } = await startRecorder();
    for await (const _ of front.client().masterData.listLocations({ query: { Limit: 2 } }))
      if (requests.length === 2) break;
    expect(requests).toHaveLength(2);
  });

  /** Starts a proxy under a path of its own, which replaces the address in the links. */
  const startProxy = async (address: (own: string) => string) => {
    const { front, requests } = await startRecorder(async (request) => {
      const own = new URL(request.url).origin;
      const response = await world.app.request(request.url.replace(`${own}/air/`, `${own}/`), request);
      const text = (await response.text()).replaceAll(`${own}/`, `${address(own)}/`);
      return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
    });
    return { front, listPaths: () => requests.map(({ url }) => new URL(url).pathname) };
  };

  test('iterating behind a proxy with a base path stays under that path', async () => {
    const { front, listPaths } = await startProxy((own) => `${own}/air`);
    const client = front.client({ baseUrl: `${front.baseUrl}/air/` });
    const carriers = await collectAll(client.masterData.listCarriers({ query: { Limit: 2 } }));
    expect([carriers.length, listPaths()]).toEqual([3, ['/air/carriers', '/air/carriers']]);
  });

  test.each([
    ['another host', (own: string) => `${own.replace('127.0.0.1', 'localhost')}/air`],
    ['another scheme', (own: string) => `${own.replace('http:', 'https:')}/air`],
    ['another path', (own: string) => own],
  ])('does not request a next page at %s, so that the key is not sent to it', async (_, address) => {
    const { front, listPaths } = await startProxy(address);
    const client = front.client({ baseUrl: `${front.baseUrl}/air` });
    const error = await getRejection(collectAll(client.masterData.listCarriers({ query: { Limit: 2 } })));
    expect(error).toBeInstanceOf(ForeignLinkError);
    expect([String(error).includes(TEST_KEY), listPaths()]).toEqual([false, ['/air/carriers']]);
  });

  test('does not follow a redirect with the key', async () => {
    const { front: other, requests } = await startRecorder();
    const front = await startTestService(() => Response.redirect(`${other.baseUrl}/locations/LHR`, 307));
    const error = await getRejection(front.client().masterData.getLocation({ path: { code: 'LHR' } }));
    expect([error, requests]).toEqual([expect.objectContaining({ status: 307, kind: 'unknown' }), []]);
  });
});

test('an operation returns the body and passes the headers to onResponse', async () => {
  const exchanges: unknown[] = [];
  const record = ({ status, headers }: Pick<Response, 'status' | 'headers'>): unknown =>
    exchanges.push([status, headers.get('api-version')]);
  const location = await service.client().masterData.getLocation({ path: { code: 'LHR' }, onResponse: record });
  expect([location, exchanges]).toEqual([await (await world.get('/locations/LHR')).json(), [[200, 'v1']]]);
});

test('health requests send no key', async () => {
  const { front, requests } = await startRecorder();
  const client = front.client();
  const results = [await client.flightInfo.getFlightInfoHealth(), await client.flightInfoAlerts.getServiceStatus()];
  const keys = requests.map(({ headers }) => headers.get('subscription-key'));
  const expected = [
    [{ flightInfo: 'healthy' }, 'available'],
    [null, TEST_KEY],
  ];
  expect([results, keys]).toEqual(expected);
});

test('an update succeeds with the current ETag and is rejected with an old one', async () => {
  const { flightInfoAlerts } = service.client();
  const body = { accountId, alertType: 'Port', departureAirport: 'LHR', name: 'one' } as const;
  const { data: alertId } = await flightInfoAlerts.createAlert({ body });
  let tag = '';
  const onResponse = ({ headers }: Pick<Response, 'headers'>): unknown => (tag = headers.get('etag') ?? '');
  const alert = await flightInfoAlerts.getAlert({ path: { alertId }, onResponse });
  const rename = (name: string): Promise<unknown> =>
    flightInfoAlerts.updateAlert({ body: { alertId, name }, headers: { 'If-Match': tag } });
  const again = getRejection(flightInfoAlerts.getAlert({ path: { alertId }, headers: { 'If-None-Match': tag } }));
  expect([alert.name, await again]).toEqual(['one', expect.any(NotModified)]);
  expect(await rename('two')).toMatchObject({ name: 'two' });
  expect(await getRejection(rename('three'))).toMatchObject({ status: 412, kind: 'precondition-failed' });
});

test.each([
  ['<html>', 'text/html'],
  ['{"a":', 'application/json'],
])('reports %s as %s of another server as unreadable', async (text, mediaType) => {
  const front = await startTestService(() => new Response(text, { headers: { 'content-type': mediaType } }));
  const error = await getRejection(front.client().masterData.getCarrier({ path: { code: 'XX' } }));
  expect(error).toMatchObject({ name: 'FlightDataConnectionError', failure: 'unreadable' });
});

test.each(['', '.', '..'])('rejects the path segment %j, which would lead to another operation', async (alertId) => {
  const { front, requests } = await startRecorder();
  const error = await getRejection(front.client().flightInfoAlerts.deleteAlert({ path: { alertId } }));
  expect([error, requests]).toEqual([new TypeError(`path.alertId must not be '${alertId}'`), []]);
});

test('an error response has its kind, its errors by parameter and the request ID', async () => {
  const query = { DepartureDateTime: 'soon', Limit: 0 };
  const error = await getRejection(collectAll(service.client().flightInfo.listFlightInstances({ query })));
  expect(error).toBeInstanceOf(FlightDataProblem);
  const text = expect.stringMatching(/./);
  const shown = { title: text, detail: text, requestId: expect.stringMatching(/^[\w-]+$/), retryAfterMs: undefined };
  const errors = { DepartureDateTime: [text], Limit: [text] };
  const kind = { name: 'FlightDataProblem', kind: 'invalid-parameter', status: 400 };
  expect(error).toMatchObject({ ...kind, ...shown, errors });
});

test('rejects a wrong key and does not repeat it in the error', async () => {
  const subscriptionKey = 'wrong-key-3141592';
  const client = service.client({ subscriptionKey });
  const error = await getRejection(client.masterData.getCarrier({ path: { code: 'XX' } }));
  expect(error).toMatchObject({ status: 401 });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(subscriptionKey);
});

test('throws a connection error, without the key, when no service is reachable', async () => {
  const stopped = await startTestService(world.app.fetch);
  await stopped.close();
  const error = await getRejection(stopped.client({ maxRetries: 0 }).masterData.getCarrier({ path: { code: 'XX' } }));
  expect(error).toBeInstanceOf(FlightDataConnectionError);
  expect(error).toMatchObject({ failure: 'connection', message: 'GET /carriers/XX: the connection failed' });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(TEST_KEY);
});

test('the key is in no URL and not visible in the inspected client', async () => {
  const { front, requests } = await startRecorder();
  const client = front.client();
  await collectAll(client.masterData.listCarriers({ query: { Limit: 1 } }));
  const shown = [inspect(client, { depth: 9, showHidden: true }), JSON.stringify(client)];
  const texts = [...shown, ...requests.map(({ url }) => url)];
  expect([requests.length, texts.filter((text) => text.includes(TEST_KEY))]).toEqual([3, []]);
});

test.each(['', 'two words', 'a\nline', 'schlüssel'])('the key rejects %j without repeating it', (subscriptionKey) => {
  expect(() => createFlightDataClient({ baseUrl: 'http://127.0.0.1', subscriptionKey })).toThrow(
    new TypeError('subscriptionKey is empty or contains invalid characters'),
  );
});

const addresses = ['', 'flights.example', 'ftp://x.example', 'https://me:secret@x.example', 'https://x.example/?key=1'];
test.each(addresses)('the key rejects %j as an address', (baseUrl) => {
  expect(() => createFlightDataClient({ baseUrl, subscriptionKey: 'k' })).toThrow(/^baseUrl must be/);
});
