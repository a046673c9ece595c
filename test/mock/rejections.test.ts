import { expect, test } from 'vitest';
import { toJsonObject } from '../../src/lib/openapi-document.ts';
import { serveMock } from './serve-mock.ts';

const { send, get, waits } = serveMock();

const key = { 'Subscription-Key': 'any' };
const json = { ...key, 'Content-Type': 'application/json' };
const ALERTS = '/flight-info-alerts/alerts';

/** Returns the status, the kind and the invalid names of a rejection. */
const summarizeRejection = async (response: Response): Promise<readonly unknown[]> => {
  const { type, errors, traceId } = toJsonObject(await response.json());
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(traceId).toBe(response.headers.get('x-request-id'));
  return [response.status, String(type).replace('/docs/errors#', ''), Object.keys(toJsonObject(errors))];
};

test('requires a key, and accepts any', async () => {
  expect(await summarizeRejection(await send('/locations'))).toEqual([401, 'key-missing', []]);
  expect(await summarizeRejection(await send('/locations', { headers: { 'Subscription-Key': '' } }))).toEqual([
    401,
    'key-missing',
    [],
  ]);
  expect((await send('/locations', { headers: { 'Subscription-Key': 'x' } })).status).toBe(200);
  expect((await send('/flights/health')).status).toBe(200);
});

test('rejects requests like the service', async () => {
  const bodies = await Promise.all([
    send(ALERTS, { method: 'POST', headers: json, body: '{"accountId":' }),
    send(ALERTS, { method: 'POST', headers: { ...key, 'Content-Type': 'text/csv' }, body: '{}' }),
    send(ALERTS, { method: 'POST', headers: json, body: ' '.repeat(1024 * 1024 + 1) }),
    send(ALERTS, { method: 'POST', headers: json, body: '{"alertType":"Carrier"}' }),
  ]);
  expect(await Promise.all(bodies.map(summarizeRejection))).toEqual([
    [400, 'invalid-body', []],
    [415, 'unsupported-media-type', []],
    [413, 'body-too-large', []],
    [400, 'invalid-body', ['accountId']],
  ]);
  expect(await summarizeRejection(await get('/flights?Limit=many&ServiceType=Boat'))).toEqual([
    400,
    'invalid-parameter',
    ['ServiceType', 'Limit'],
  ]);
  expect(await summarizeRejection(await get(ALERTS))).toEqual([400, 'invalid-parameter', ['accountId']]);
  expect(await summarizeRejection(await get('/nowhere'))).toEqual([404, 'unknown-path', []]);
  expect(await summarizeRejection(await get('/locations?version=v9'))).toEqual([404, 'unknown-version', []]);
  expect(await summarizeRejection(await send('/locations', { method: 'PUT', headers: key }))).toEqual([
    405,
    'method-not-allowed',
    [],
  ]);
  expect(await summarizeRejection(await get('/locations', { Accept: 'text/csv' }))).toEqual([
    406,
    'not-acceptable',
    [],
  ]);
});

test('returns 404 for an object without example, and lists the existing ones', async () => {
  const response = await get('/locations/QQQ');
  const { detail } = toJsonObject(await response.clone().json());
  expect(await summarizeRejection(response)).toEqual([404, 'not-found', []]);
  expect(detail).toMatch(/^No example has \/locations\/QQQ\. There is \/locations\/[A-Z]{3}, /);
});

test('prefers the not-found example for code=404', async () => {
  const request404 = (path: string): Promise<readonly unknown[]> =>
    get(path, { Prefer: 'code=404' }).then(summarizeRejection);
  expect(await request404('/locations/LHR')).toEqual([404, 'not-found', []]);
  expect(await request404(`/flights/${'0'.repeat(64)}`)).toEqual([404, 'not-found', []]);
  expect(await request404('/flight-info-alerts/accounts/2c9d5a4e-7b1f-4d8a-9a36-5e0b7c4f1d20/accessKey')).toEqual([
    404,
    'not-found',
    [],
  ]);
  expect(await request404('/locations')).toEqual([404, 'unknown-version', []]);
});

test('rejects a cursor of no example', async () => {
  expect(await summarizeRejection(await get('/locations?After=somewhere'))).toEqual([400, 'cursor-invalid', ['After']]);
  expect(await summarizeRejection(await get('/flights?CURSOR=somewhere'))).toEqual([400, 'cursor-invalid', ['cursor']]);
});

test('rejects an undeclared status or example, and lists the declared ones', async () => {
  const teapot = await get('/master-data/health', { Prefer: 'code=418' });
  expect(toJsonObject(await teapot.clone().json())['errors']).toEqual({
    Prefer: ['has no code 418 for this operation; there are 200, 400, 404, 406, 503'],
  });
  expect(await summarizeRejection(teapot)).toEqual([400, 'invalid-parameter', ['Prefer']]);
  const stranger = await get('/master-data/health', { Prefer: 'code=200, example=stranger' });
  expect(toJsonObject(await stranger.json())['errors']).toEqual({
    Prefer: ["has no example 'stranger' for this 200; there are healthy"],
  });
  const misspelled = await get('/master-data/health', { Prefer: 'code=ok' });
  expect(await summarizeRejection(misspelled)).toEqual([400, 'invalid-parameter', ['Prefer']]);
});

test('returns requested errors, with Retry-After where declared', async () => {
  const away = await get('/flight-instances', { Prefer: 'code=503' });
  expect(away.headers.get('retry-after')).toBe('5');
  expect(await summarizeRejection(away)).toEqual([503, 'unavailable', []]);
  const busy = await get('/flight-info-alerts/events', {
    Prefer: 'code=429',
    accountId: '2c9d5a4e-7b1f-4d8a-9a36-5e0b7c4f1d20',
  });
  expect(busy.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await summarizeRejection(busy)).toEqual([429, 'too-many-streams', []]);
  const ill = await send('/flights/health', { headers: { Prefer: 'code=503' } });
  expect([ill.status, await ill.json()]).toEqual([503, { flightInfo: 'unhealthy' }]);
});

test('delays a response as requested', async () => {
  expect((await get('/locations', { Prefer: 'delay=1500' })).status).toBe(200);
  expect((await send('/locations', { headers: { Prefer: 'delay=250' } })).status).toBe(401);
  expect(waits).toEqual([1500, 250]);
});
