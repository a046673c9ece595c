import { beforeAll, describe, expect, test } from 'vitest';
import { toJsonObject } from '#lib/openapi-document.ts';
import type { ProductApi } from '#http/handler/create-api.ts';
import { createVersions } from '#products/register.ts';
import { serveAlerts, type AlertsService, type SendJson } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { createEndpoint } from '#test/products/flight-info-alerts/v1/endpoints/create-endpoints.ts';
import { getStreamNumber, insertTestEvents } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { createTestDeps } from '#test/products/flight-info-alerts/v1/test-deps.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { readFirstChunk } from '../contract.ts';
import { countChecked } from '../responses/checker-counts.ts';
import { findEventExample } from '../services/event-examples.ts';
import { findDocument, servedDocuments, type ServedDocument } from '../services/served-documents.ts';
import type { CoverageWorld } from './coverage-world.ts';

/** A response that only some operations have: the document, the operation, the status, the reason, and the path. */
type OwnResponse = readonly [document: string, operation: string, status: number, reason: string, path: string];

const from = '/flight-connections?DepartureAirport=GLA';
const pair = 'Leg1CarrierCode=ZX&Leg1FlightNumber=1302&Leg2CarrierCode=ZX&Leg2FlightNumber=101';
const explain = `/flight-connections/explain?${pair}`;
const flight = '/flight-instances/{departureDate}/{scheduleInstanceKey}';
const none = '0'.repeat(64);
const june = 'version=v2&DepartureDateTime=2026-06-01';

const ownResponses: readonly OwnResponse[] = [
  ['connections/v1', '/flight-connections', 200, 'no match', '//flight-connections/?departureairport=xxx'],
  ['connections/v1', '/flight-connections', 400, 'no place', '/flight-connections'],
  ['connections/v1', '/flight-connections/explain', 400, 'no date', explain],
  ['connections/v1', '/flight-connections/explain', 404, 'no such flight', `${explain}&DepartureDate=2028-06-01`],
  ['flight-info/v1', '/flight-instances', 400, 'a rule of several parameters', '/flight-instances?version=v1'],
  ['flight-info/v2', '/flight-instances', 400, 'conflicting parameters', `/flight-instances?${june}&CodeType=IATA`],
  ['flight-info/v2', flight, 400, 'an invalid date', `/flight-instances/2026-06-31/${none}`],
  ['master-data/v1', '/locations', 400, 'half of a circle', '/locations?Near=51.5,-0.12'],
  ['master-data/v1', '/locations', 400, 'a point off the earth', '/locations?Near=91,0&WithinKm=5'],
  ['master-data/v1', '/locations/{code}', 400, 'no code', '/locations/!'],
  ['master-data/v1', '/locations/{code}', 404, 'a code of another system', '/locations/EGLL'],
  ['master-data/v1', '/sources/{name}', 404, 'an unknown name', '/sources/unknown'],
  ['master-data/v1', '/carriers/{code}', 400, 'an invalid date', '/carriers/ZX?AsOf=2026-02-30'],
  ['master-data/v1', '/equipment/{code}', 400, 'an invalid parameter', '/equipment/789?CodeType=BCBP'],
  ['schedules/v1', '/flights/{fingerprint}', 400, 'an invalid fingerprint', '/flights/abc'],
];

const emptyResponses: readonly OwnResponse[] = [
  ['connections/v1', '/flight-connections', 503, 'no set', from],
  ['connections/v1', '/flight-connections/explain', 503, 'no set', `${explain}&DepartureDate=2026-06-01`],
  ['connections/v1', '/flight-connections/health', 503, 'no set', '/flight-connections/health'],
  ['flight-info/v1', '/flights/health', 503, 'no tables', '/flights/health?version=v1'],
  ['flight-info/v2', '/flight-instances', 500, 'no tables', `/flight-instances?${june}`],
  ['flight-info/v2', '/flights/health', 503, 'no tables', '/flights/health?version=v2'],
  ['master-data/v1', '/master-data/health', 503, 'no tables', '/master-data/health'],
  ['schedules/v1', '/flights', 500, 'no tables', '/flights'],
  ['schedules/v1', '/schedules/health', 503, 'no tables', '/schedules/health'],
  ['status-feed/v1', '/status-feed/health', 503, 'no tables', '/status-feed/health'],
];

const alerts = findDocument('flight-info-alerts/v1');
const base = '/flight-info-alerts';
const unknownId = '00000000-0000-4000-8000-000000000000';
const stream = { accept: 'text/event-stream' };
const resumed = { ...stream, 'last-event-id': '0' };
const url = 'https://hooks.zx.example/events';

/** A response of Flight Info Alerts: the operation, the status, the reason, and the request. */
type AlertsResponse = readonly [operation: string, status: number, reason: string, send: () => Promise<Response>];

type AlertsContext = { readonly world: AlertsService; readonly account: string };

const now = new Date('2026-06-01T11:00:00Z');
const insertExample = ({ db }: AlertsService, account: string): Promise<readonly string[]> =>
  insertTestEvents(db, account, { events: [{ body: findEventExample(alerts.contract, 'FlightStatus') }], now });

const createPrunedAccount = async (world: AlertsService): Promise<string> => {
  const account = await world.createAccount();
  await insertExample(world, account);
  await world.db`delete from account_event where stream = ${await getStreamNumber(world.db, account)}`;
  return account;
};

/** Opens one stream more than an account may have, and closes all of them. */
const exceedStreamLimit = async ({ world, account }: AlertsContext): Promise<Response> => {
  const open = (): Promise<Response> =>
    world.sendJson('GET', '/events', { headers: { accountid: account, ...stream } });
  const streams: Response[] = [];
  for (let n = 0; n < 10; n += 1) streams.push(await open());
  const rejected = await open();
  for (const { body } of streams) await body?.cancel();
  return rejected;
};

const createAlertsResponses = (context: () => AlertsContext): readonly AlertsResponse[] => {
  const read = (query: string, headers = {}) =>
    context().world.sendJson('GET', `/events${query}`, { headers: { accountid: context().account, ...headers } });
  const withEndpoint = (use: (path: string) => Promise<Response>) => async (): Promise<Response> =>
    use(`/endpoints/${(await createEndpoint(context().world, context().account)).endpointId}`);
  const post = (path: string, body?: object): Promise<Response> =>
    context().world.sendJson('POST', path, { ...(body && { body }) });
  const twice = async (path: string, times: number, body?: object): Promise<Response> => {
    for (let n = 1; n < times; n += 1) await post(path, body);
    return post(path, body);
  };
  const open = (path: string, more: object): Promise<Response> =>
    post(path, { accountId: context().account, url, ...more });
  const pruned = (): Promise<string> => createPrunedAccount(context().world);
  const port = { alertType: 'Port', departureAirport: 'SYD' };
  const coverTwice = (): Promise<Response> => twice('/alerts', 2, { accountId: context().account, ...port });
  const one = 'endpoints/{endpointId}';
  const many = async (): Promise<Response> =>
    twice('/endpoints', 21, { accountId: await context().world.createAccount(), url });
  const redeliverPruned = async (): Promise<Response> => {
    const { endpointId } = await createEndpoint(context().world, await pruned());
    return post(`/endpoints/${endpointId}/redeliveries`, { fromPosition: 1, toPosition: 1 });
  };
  const toLocalhost = (path: string): Promise<Response> =>
    context().world.sendJson('PATCH', path, { body: { url: 'https://localhost/' } });
  const redeliverUnknown = (path: string): Promise<Response> => post(`${path}/redeliveries`, { eventId: unknownId });
  const rotate = (path: string): Promise<Response> => twice(`${path}/secret/rotate`, 3, { overlapHours: 1 });
  const ping = (path: string): Promise<Response> => twice(`${path}/ping`, 2);
  return [
    ['post alerts', 400, 'an alert that another one covers', coverTwice],
    ['get events', 200, 'a stream', async () => readFirstChunk(await read('', stream))],
    ['get events', 200, 'long polling', () => read('?After=0&Wait=1')],
    ['get events', 200, 'a resumed stream', async () => readFirstChunk(await read('', resumed))],
    ['get events', 400, 'a position beyond the end', () => read('?After=9')],
    ['get events', 410, 'pruned events', async () => read('?After=0', { accountid: await pruned() })],
    ['get events', 429, 'too many streams', () => exceedStreamLimit(context())],
    ['post endpoints', 400, 'a private address', () => open('/endpoints', { url: 'https://10.0.0.7/' })],
    ['post endpoints', 409, 'more than the maximum', many],
    ['post endpoints', 410, 'pruned events', async () => open('/endpoints', { accountId: await pruned(), after: 0 })],
    [`patch ${one}`, 400, 'a private address', withEndpoint(toLocalhost)],
    [`post ${one}/ping`, 429, 'another one immediately', withEndpoint(ping)],
    [`post ${one}/secret/rotate`, 409, 'more than the maximum', withEndpoint(rotate)],
    [`post ${one}/redeliveries`, 404, 'no such event', withEndpoint(redeliverUnknown)],
    [`post ${one}/redeliveries`, 410, 'pruned events', redeliverPruned],
  ];
};

/** Returns the status of a response, and its violations of the document. */
const judge = async (
  { contract }: ServedDocument,
  operation: string,
  response: Response,
): Promise<readonly [status: number, problems: readonly string[]]> => {
  countChecked('own response');
  const [method = '', path = ''] = operation.includes(' ') ? operation.split(' ') : ['get', operation];
  return [response.status, await contract.problems(method, path, response)];
};

const testAlerts = (): void => {
  let context: AlertsContext;
  beforeAll(async () => {
    const world = await serveAlerts();
    const account = await world.createAccount();
    await world.createAlert(account, { alertType: 'Carrier', iataCarrierCode: 'XX' });
    await insertExample(world, account);
    context = { world, account };
    return world.drop;
  });

  test.each(createAlertsResponses(() => context))('%s returns %i: %s', async (operation, status, _, send) => {
    expect(await judge(alerts, operation.replace(' ', ` ${base}/`), await send())).toEqual([status, []]);
  });

  test('the service returns the examples of the document', async () => {
    const { world } = context;
    const examples = alerts.contract.examples();
    const find = (part: string, name: string): object =>
      Object(examples.find(({ examplePointer: at }) => at.includes(part) && at.endsWith(`/examples/${name}`))?.value);
    const send = async (method: Parameters<SendJson>[0], path: string, body?: object): Promise<unknown> =>
      (await world.sendJson(method, path, { ...(body && { body }) })).json();
    const created = await send('POST', '/profile', find('profile/post/requestBody', 'fullProfile'));
    const accountId = String(toJsonObject(created)['accountId']);
    expect(await send('GET', `/profile/${accountId}`)).toEqual(find('/200/', 'profile'));
    const carrierAlert = find('alerts/post/requestBody', 'carrierAlert');
    const alertId = await world.createAlert(accountId, { ...carrierAlert, accountId });
    const moments = { createdTimestamp: '2026-06-01T12:00:00', lastUpdatedTimestamp: '2026-06-01T12:00:00' };
    const own = { ...moments, accountId, alertId };
    expect(await send('GET', `/alerts/${alertId}`)).toEqual({ ...find('/200/', 'alert'), ...own });
    expect(await send('DELETE', `/alerts/${alertId}`)).toEqual({ ...find('/200/', 'deletedAlert'), ...own });
    for (const name of ['portAlert', 'globalAlert'])
      await world.createAlert(accountId, { ...find('alerts/post/requestBody', name), accountId });
  });
};

/** Provokes the responses that only some operations have. */
export const testOwnResponses = (world: () => CoverageWorld): void => {
  const get = { method: 'GET', headers: { 'subscription-key': TEST_KEY } };

  test.each([
    ...ownResponses.map((one) => [...one, () => world().known.on] as const),
    ...emptyResponses.map((one) => [...one, () => world().empty] as const),
  ])('%s %s returns %i: %s', async (name, operation, status, _, path, sender) => {
    const served = findDocument(name);
    expect(await judge(served, operation, await sender()(served)(path, get))).toEqual([status, []]);
  });

  test('a cursor of a deleted set of connections is rejected', async () => {
    const served = findDocument('connections/v1');
    const { connections } = world().known.worlds;
    const { paging } = toJsonObject(await (await connections.get(`${from}&Limit=1`)).json());
    for (const { buildConnections } of [connections, connections]) await buildConnections();
    const next = String(toJsonObject(paging)['next']).replace('http://service.test', '');
    expect(await judge(served, '/flight-connections', await connections.get(next))).toEqual([400, []]);
  });

  test.each([
    ['2024-04-14', 400, 'two versions before the second', 'version=v1&version=v2'],
    ['2024-04-14', 404, 'a future version', 'version=v2'],
    ['2025-04-14', 404, 'a removed version', 'version=v1'],
  ])('flight-info/v1 health on %s returns %i: %s', async (day, status, _, query) => {
    const served = findDocument('flight-info/v1');
    const response = await world().known.on({ ...served, day })(`/flights/health?${query}`, get);
    expect(await judge(served, '/flights/health', response)).toEqual([status, []]);
  });

  test('a deprecated version links to its successor, and a removed one is the documented problem', async () => {
    const served = findDocument('flight-info/v1');
    const path = '/flights/health?version=v1';
    const deprecated = await world().known.on(served)(path, get);
    expect(deprecated.headers.get('link')).toBe(
      '</flights/health?version=v2>; rel="successor-version", </docs/flight-info/v1>; rel="deprecation"; type="text/html"',
    );
    const list = '/flight-instances?version=1.0';
    const removed = await world().known.on({ ...served, day: '2025-04-14' })(list, { method: 'GET', headers: {} });
    const example = served.contract.examples().find(({ examplePointer }) => examplePointer.endsWith('/removedVersion'));
    const traceId = removed.headers.get('x-request-id');
    expect(await removed.json()).toEqual({ ...Object(example?.value), traceId });
  });

  test.each([
    ['connections/v1', '/flight-connections/health', { connections: 'healthy' }],
    ['flight-info/v2', '/flights/health', { flightInfo: 'healthy' }],
    ['flight-info-alerts/v1', '/flight-info-alerts/health', { flightInfoAlerts: 'healthy' }],
    ['master-data/v1', '/master-data/health', { masterData: 'healthy' }],
    ['schedules/v1', '/schedules/health', { schedules: 'healthy' }],
    [
      'status-feed/v1',
      '/status-feed/health',
      {
        statusFeed: 'healthy',
        sources: [
          { name: 'avinor', ageSeconds: 0, stale: false },
          { name: 'hkia', ageSeconds: 10800, stale: true },
          { name: 'swedavia', stale: false },
        ],
      },
    ],
  ])('%s: %s responds without a key', async (name, path, body) => {
    const response = await world().known.on(findDocument(name))(path, { method: 'GET', headers: {} });
    expect(await response.json()).toEqual(body);
  });

  test('the served routes are the operations of the documents', () => {
    const { db } = world().known.worlds.flights;
    const unused = (): never => {
      throw new Error('not called');
    };
    const feed = { storeFeed: unused, cacheLeaseMs: 0 };
    const deps = {
      ...feed,
      connections: unused,
      connectionsById: unused,
      masterDataIndex: unused,
      masterRecords: unused,
      feedSources: unused,
      listFeedAges: unused,
    };
    const versions = createVersions({ ...createTestDeps(db), ...deps, mapSecret: Buffer.alloc(32) });
    const routes = Object.entries(versions).map(([name, api]) => [name, listRoutes(api).toSorted()]);
    const declared = servedDocuments.map(({ name, contract }) => [
      name,
      contract.operations().map(toRouteName).toSorted(),
    ]);
    expect(Object.fromEntries(routes)).toEqual(Object.fromEntries(declared));
  });

  describe('flight-info-alerts/v1', () => {
    testAlerts();
  });
};

const toRouteName = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

const listRoutes = ({ openAPIRegistry }: ProductApi): readonly string[] =>
  openAPIRegistry.definitions.flatMap((one) => (one.type === 'route' ? [toRouteName(one.route)] : []));
