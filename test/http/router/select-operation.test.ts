import { describe, expect, test } from 'vitest';
import { createRouteTable } from '#http/router/select-operation.ts';
import { catalog, summarizeResponse, serve } from '../tiny-service.ts';

describe('selects the version by day', () => {
  test.each([
    // The tables in lifecycle.test.ts test requests with a version.
    ['2023-01-09', '', '404 unknown-path'],
    ['2024-04-14', '', '200 v1'],
    ['2024-04-15', '', '200 v2'],
    ['2025-04-14', '', '200 v2'],
    ['2026-04-01', '', '200 v3'],
    ['2026-04-01', '2', '404 unknown-version'],
    ['2026-04-01', '__proto__', '404 unknown-version'],
    ['2026-04-01', 'constructor', '404 unknown-version'],
  ])('%s, version=%s: %s', async (today, version, expected) => {
    const { send } = serve({ today });
    expect(await summarizeResponse(await send(`/flight-instances?version=${version}`))).toBe(expected);
    expect(await summarizeResponse(await send(`/flights/health?version=${version}`, { key: null }))).toBe(expected);
  });

  test('an unknown version gets a message with the current one', async () => {
    const { send } = serve();
    const response = await send(`/flight-instances?version=${'9'.repeat(100)}`);
    const detail = `Flight Info has no version '${'9'.repeat(64)}'. Its current version is v3.`;
    expect(await response.json()).toMatchObject({ detail });
  });
});

test.each([
  ['?VERSION=v2', '200 v2'],
  ['?version[]=v2', '200 v2'],
  ['?version%5B0%5D=v2', '200 v2'],
  ['?Version=V2', '200 v2'],
  ['?%76ersion=v%32', '200 v2'],
  ['?version=', '200 v3'],
  ['?version', '200 v3'],
  ['?version=%20', '200 v3'],
  ['?version=v2&version=V2', '200 v2'],
  ['?version=v2&version=', '200 v2'],
  ['?version=v2&VERSION=v3', '400 invalid-parameter'],
  ['?version=v1&version=v2', '400 invalid-parameter'],
  ['?myversion=v2&version-of=v2', '200 v3'],
  ['?my%76ersion=v2', '200 v3'],
  ['?versions', '200 v3'],
  ['?version=v2#Limit=0', '200 v2'],
  ['#?version=v2', '200 v3'],
  ['?%E2%85%A4ersion=v2', '400 invalid-parameter'],
  ['?version=%zz', '404 unknown-version'],
])('the parameter version %s: %s', async (query, expected) => {
  expect(await summarizeResponse(await serve().send(`/flight-instances${query}`))).toBe(expected);
});

test('the problem names both values when the parameter version is sent twice with different ones', async () => {
  const response = await serve().send('/flight-instances?version=v2&Version=v3');
  expect(response.headers.get('api-version')).toBe('v3');
  expect(await response.json()).toMatchObject({
    detail: "version accepts one value, not 2 different ones: 'v2', 'v3'.",
    errors: { version: ["accepts one value, not 2 different ones: 'v2', 'v3'"] },
  });
});

describe('a request with several errors is rejected for the first of: path, version, method, key, media type, parameters', () => {
  const bad = { method: 'DELETE', key: 'unknown', headers: { Accept: 'text/html' } };
  const { method: _, ...badKey } = bad;
  test.each([
    ['/nowhere?version=v9&Limit=0', bad, '404 unknown-path'],
    ['/flight-instances?version=v9&Limit=0', bad, '404 unknown-version'],
    ['/flight-instances?version=v1&Limit=0', bad, '404 version-removed'],
    ['/flight-instances/x/y?version=v1', { key: null }, '404 version-removed'],
    ['/flight-instances?version=v3&Limit=0', bad, '405 method-not-allowed'],
    ['/flight-instances?version=v3&Limit=0', badKey, '401 key-invalid'],
    ['/flight-instances?version=v3&Limit=0', { ...badKey, key: null }, '401 key-missing'],
    ['/flight-instances?version=v3&Limit=0', { ...badKey, key: 'expired' }, '403 key-expired'],
    ['/flight-instances?version=v3&Limit=0', { ...badKey, key: 'revoked' }, '401 key-invalid'],
    ['/flight-instances?version=v3&Limit=0', { ...badKey, key: 'other-product' }, '401 key-invalid'],
    ['/flight-instances?version=v3&Limit=0', { headers: { Accept: 'text/html' } }, '406 not-acceptable'],
    ['/flight-instances?version=v3&Limit=0', {}, '400 invalid-parameter'],
    ['/flight-instances?version=v3', {}, '200 v3'],
    ['/flights/health', { key: null }, '200 v3'],
    ['/flights/health', { key: 'unknown' }, '200 v3'],
  ])('%s %o: %s', async (path, init, expected) => {
    expect(await summarizeResponse(await serve().send(path, init))).toBe(expected);
  });

  test('a key in the query does not count', async () => {
    const response = await serve().send('/flight-instances?Subscription-Key=good&subscription-key=good', { key: null });
    expect(await summarizeResponse(response)).toBe('401 key-missing');
  });
});

describe('a path', () => {
  test.each([
    ['/flight-instances/', '200 v3'],
    ['//flight-instances', '200 v3'],
    ['///flight-instances//', '200 v3'],
    ['/flights//health/', '200 v3'],
    ['/flight%2Dinstances', '200 v3'],
    ['/flight-instances/2026-04-01/abc/', '200 v3'],
    ['//flight-instances//2026-04-01//abc', '200 v3'],
    ['/', '404 unknown-path'],
    ['//', '404 unknown-path'],
    ['/Flight-Instances', '404 unknown-path'],
    ['/flights%2Fhealth', '404 unknown-path'],
    ['/flight-instances/2026-04-01', '404 unknown-path'],
    ['/flight-instances/2026-04-01/abc/def', '404 unknown-path'],
    ['/flight-instances/%zz/abc', '404 unknown-path'],
    ['/flight-instances/%ff/abc', '404 unknown-path'],
    ['/__proto__', '404 unknown-path'],
    ['/constructor', '404 unknown-path'],
    ['/flight-instances/%00/abc', '400 invalid-parameter'],
  ])('%s: %s', async (path, expected) => {
    expect(await summarizeResponse(await serve().send(path))).toBe(expected);
  });

  test('that only a later version has is unknown to an earlier one', async () => {
    const response = await serve({ today: '2024-06-01' }).send('/flight-instances/2024-06-02/abc?version=v1');
    expect(response.headers.get('api-version')).toBe('v1');
    expect(await summarizeResponse(response)).toBe('404 unknown-path');
  });

  test('is passed to the handler decoded, and to links normalized', async () => {
    const { send } = serve({ publicUrl: 'https://flights.example/api/' });
    const response = await send('//flight-instances/2026-04-01/a%20b%2Fc/?version=V3&VERSION=%20');
    expect(await response.json()).toEqual({
      product: 'flight-info',
      version: 'v3',
      query: null,
      params: { date: '2026-04-01', key: 'a b/c' },
      requestUrl: 'https://flights.example/api/flight-instances/2026-04-01/a%20b%2Fc?version=V3&VERSION=%20',
    });
  });

  test('without a public URL uses that of the request, ignores forwarding headers, and reports the first of a second', async () => {
    const noticed: string[] = [];
    const onProxyNoticed = (header: string) => noticed.push(header);
    const headers = { 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https' };
    let now = Date.parse('2026-04-01T12:00:00Z');
    const { send } = serve({ onProxyNoticed, clock: () => new Date(now) });
    await send('/flight-instances');
    await send('/flight-instances', { headers });
    expect(noticed).toEqual([]);
    now += 1000;
    const response = await send('/flight-instances/?Limit=5', { headers });
    await send('/flight-instances', { headers });
    await serve({ onProxyNoticed, publicUrl: 'https://flights.example' }).send('/flight-instances', { headers });
    expect(await response.json()).toMatchObject({ requestUrl: 'http://api.test/flight-instances?Limit=5' });
    expect(noticed).toEqual(['X-Forwarded-Host']);
  });
});

describe('methods', () => {
  test.each([
    ['OPTIONS', '/flight-instances?version=v2', 'GET, HEAD'],
    ['POST', '/flight-instances?version=v2', 'GET, HEAD'],
    ['DELETE', '/flight-instances?version=v3', 'GET, HEAD, POST'],
    ['PUT', '/flights/health', 'GET, HEAD'],
  ])('%s %s is rejected with the allowed methods: %s', async (method, path, allow) => {
    const response = await serve().send(path, { method });
    const seen = [response.headers.get('allow'), await summarizeResponse(response)];
    expect(seen).toEqual([allow, '405 method-not-allowed']);
  });

  test('a long method is named by its beginning', async () => {
    const response = await serve().send('/flight-instances?version=v2', { method: 'X'.repeat(100) });
    const detail = `/flight-instances supports GET, HEAD, not ${'X'.repeat(16)}.`;
    expect(await response.json()).toMatchObject({ detail });
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const { send } = serve();
    const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    for (const path of ['/flight-instances', '/flight-instances?Limit=0', '/nowhere']) {
      const [get, head] = [await send(path, { headers }), await send(path, { method: 'HEAD', headers })];
      expect(await head.text()).toBe('');
      expect([head.status, [...head.headers]]).toEqual([get.status, [...get.headers]]);
    }
  });
});

test('of two templates that match a path, the one with fewer parameters serves it', () => {
  const operationOf = (path: string) =>
    ({ operationId: path, method: 'get', path, isPublic: true, parameters: [] }) as const;
  const operations = ['/things/{a}/{b}', '/things/{a}/last'].map(operationOf);
  const versions = [{ version: 'v1', aliases: [], releasedOn: '2024-01-01', operations }];
  const findRoute = createRouteTable([{ product: 'things', title: 'Things', versions }]);
  const served = ['/things/1/last', '/things/1/2'].map((path) =>
    findRoute(path)?.entry.operations.get('v1')?.get('GET'),
  );
  expect(served.map((operation) => operation?.path)).toEqual(['/things/{a}/last', '/things/{a}/{b}']);
});

test('throws when two products claim one path', () => {
  const [first] = catalog;
  const twice = first ? [first, { ...first, product: 'copy' }] : [];
  expect(() => createRouteTable(twice)).toThrow('/flight-instances belongs to both flight-info and copy');
});
