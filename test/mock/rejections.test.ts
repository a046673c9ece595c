import { expect, test } from 'vitest';
import { toJsonObject } from '#lib/openapi-document.ts';
import { serveMock } from './serve-mock.ts';

const { send, get, waits } = serveMock();

const key = { 'Subscription-Key': 'any' };
const json = { ...key, 'Content-Type': 'application/json' };
const ALERTS = '/flight-info-alerts/alerts';

const ACCOUNT = '2c9d5a4e-7b1f-4d8a-9a36-5e0b7c4f1d20';
const code404 = { ...key, Prefer: 'code=404' };

/** Returns the status, the kind and the invalid names of a rejection. */
const summarizeRejection = async (response: Response): Promise<readonly unknown[]> => {
  const { type, errors, traceId } = toJsonObject(await response.json());
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(traceId).toBe(response.headers.get('x-request-id'));
  return [response.status, String(type).replace('/docs/errors#', ''), Object.keys(toJsonObject(errors))];
};

// The others are those of the service: parity.test.ts.
test.each<[path: string, init: RequestInit, status: number, kind: string, names: readonly string[]]>([
  ['/locations', {}, 401, 'key-missing', []],
  ['/locations', { headers: { 'Subscription-Key': '' } }, 401, 'key-missing', []],
  [ALERTS, { method: 'POST', headers: json, body: '{"accountId":' }, 400, 'invalid-body', []],
  [ALERTS, { method: 'POST', headers: json, body: '{"alertType":"Carrier"}' }, 400, 'invalid-body', ['accountId']],
  ['/flights?Limit=many&ServiceType=Boat', { headers: key }, 400, 'invalid-parameter', ['ServiceType', 'Limit']],
  [ALERTS, { headers: key }, 400, 'invalid-parameter', ['accountId']],
  ['/locations?Iata=LHR', { headers: key }, 400, 'invalid-parameter', ['Iata']],
  ['/locations?lang=en', { headers: { 'Subscription-Key': 'strict' } }, 400, 'invalid-parameter', ['lang']],
  ['/nowhere', { headers: key }, 404, 'unknown-path', []],
  ['/locations?After=somewhere', { headers: key }, 400, 'cursor-invalid', ['After']],
  ['/flights?CURSOR=somewhere', { headers: key }, 400, 'cursor-invalid', ['cursor']],
  ['/locations/LHR', { headers: code404 }, 404, 'not-found', []],
  [`/flights/${'0'.repeat(64)}`, { headers: code404 }, 404, 'not-found', []],
  [`/flight-info-alerts/accounts/${ACCOUNT}/accessKey`, { headers: code404 }, 404, 'not-found', []],
  ['/locations', { headers: code404 }, 404, 'unknown-version', []],
])('%s with %j is rejected with %i %s', async (path, init, ...expected) => {
  expect(await summarizeRejection(await send(path, init))).toEqual(expected);
});

test('returns 404 for an object without example, and lists the existing ones', async () => {
  const response = await get('/locations/QQQ');
  const { detail } = toJsonObject(await response.clone().json());
  expect(await summarizeRejection(response)).toEqual([404, 'not-found', []]);
  expect(detail).toMatch(/^No example has \/locations\/QQQ\. Available paths: \/locations\/[A-Z]{3}, /);
});

test('rejects an undeclared status or example, and lists the declared ones', async () => {
  for (const [preferences, error] of [
    ['code=418', 'must be a status code of this operation, not 418; available: 200, 400, 404, 406, 503'],
    ['code=200, example=stranger', "must be an example of this 200, not 'stranger'; available: healthy"],
    ['code=ok', "has a code that must be a status such as 404, not 'ok'"],
  ] as const) {
    const response = await get('/master-data/health', { Prefer: preferences });
    expect(toJsonObject(await response.clone().json())['errors']).toEqual({ Prefer: [error] });
    expect(await summarizeRejection(response)).toEqual([400, 'invalid-parameter', ['Prefer']]);
  }
});

test('returns requested errors, with Retry-After where declared', async () => {
  const away = await get('/flight-instances', { Prefer: 'code=503' });
  expect(away.headers.get('retry-after')).toBe('5');
  expect(await summarizeRejection(away)).toEqual([503, 'unavailable', []]);
  const busy = await get('/flight-info-alerts/events', { Prefer: 'code=429', accountId: ACCOUNT });
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
