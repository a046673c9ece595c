import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openCuttingProxy } from '../support/cutting-proxy.ts';
import { serveAlerts } from '../products/flight-info-alerts/v1/alerts-service.ts';
import { getRejection, startSharedService, startTestService, createFixedTiming } from './test-service.ts';

const NOW = '2026-06-01T12:00:00Z';

const world = await serveAlerts();
afterAll(world.drop);
const shared = await startSharedService(world.app.fetch);
const { timing } = createFixedTiming(NOW);

type ErrorResponse = readonly [status: number, headers?: Readonly<Record<string, string>>];

/** Starts a service that first responds with these errors, in this order, and records the requests. */
const startFailingService = async (...errors: readonly ErrorResponse[]) => {
  const remaining = [...errors];
  const requests: Request[] = [];
  const front = await startTestService((request) => {
    requests.push(request.clone());
    const [status, headers] = remaining.shift() ?? [];
    return status === undefined ? world.app.fetch(request) : new Response('{}', { status, headers: { ...headers } });
  });
  return { front, requests };
};

const getCarrier = { path: { code: 'XX' } };
const update = { body: { alertId: '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1', name: 'x' } };

test.each([
  ['seconds', '7', [7000]],
  ['a date', 'Mon, 01 Jun 2026 12:00:09 GMT', [9000]],
  ['a past date', 'Mon, 01 Jun 2026 11:00:00 GMT', [0]],
  ['an invalid value', 'soon', [250]],
])('retries after the delay of a Retry-After header with %s', async (_, retryAfter, expected) => {
  const { front } = await startFailingService([429, { 'retry-after': retryAfter }]);
  const fixed = createFixedTiming(NOW);
  const carrier = await front.client({ timing: fixed.timing }).masterData.getCarrier(getCarrier);
  expect([carrier.name, fixed.waits]).toEqual(['Example Airways', expected]);
});

const hour = { 'retry-after': '3600' };
const unknown = { status: 503, kind: 'unknown' };
test.each<[string, readonly ErrorResponse[], number, object, readonly number[]]>([
  ['doubles the delay of each retry, up to three retries', [[503], [503], [503], [503]], 0, unknown, [250, 500, 1000]],
  ['multiplies delays by a random factor of up to 2', [[503], [503], [503], [503]], 0.5, unknown, [375, 750, 1500]],
  ['throws at once when Retry-After exceeds the limit', [[429, hour]], 0, { retryAfterMs: 3_600_000 }, []],
])('%s', async (_, errors, random, expected, delays) => {
  const { front, requests } = await startFailingService(...errors);
  const fixed = createFixedTiming(NOW);
  const client = front.client({ timing: { ...fixed.timing, random: () => random } });
  const error = await getRejection(client.masterData.getCarrier(getCarrier));
  const outcome = [error, fixed.waits, requests.length];
  expect(outcome).toEqual([expect.objectContaining(expected), delays, delays.length + 1]);
});

test.each([
  [{ maxRetries: 1 }, 2],
  [{ maxRetries: 0 }, 1],
  [{ maxRetryDelayMs: 249 }, 1],
  [{ maxRetryDelayMs: 250, maxRetries: 1 }, 2],
])('with the options %o, a failing call sends %i requests', async (options, expected) => {
  const { front, requests } = await startFailingService([503], [503]);
  const error = await getRejection(front.client({ timing, ...options }).masterData.getCarrier(getCarrier));
  expect([error, requests.length]).toEqual([expect.objectContaining({ status: 503 }), expected]);
});

test.each([400, 401, 404, 500, 502, 503])('does not retry a %i (503: of a health request)', async (status) => {
  const { front, requests } = await startFailingService([status, { 'retry-after': '5' }]);
  const { masterData } = front.client();
  const call = status === 503 ? masterData.getMasterDataHealth() : masterData.getCarrier(getCarrier);
  expect([await getRejection(call), requests.length]).toEqual([expect.objectContaining({ status }), 1]);
});

test('creates an alert once, however often the request is sent, because the client sends one Idempotency-Key', async () => {
  const accountId = await world.createAccount();
  const keys: (string | null)[] = [];
  // The first two responses are lost after the alert was created.
  const front = await startTestService(async (request) => {
    keys.push(request.headers.get('idempotency-key'));
    const response = await world.app.fetch(request);
    return keys.length < 3 && request.method === 'POST' ? new Response('', { status: 503 }) : response;
  });
  const { flightInfoAlerts } = front.client({ timing });
  const { data } = await flightInfoAlerts.createAlert({ body: { accountId, alertType: 'Global' } });
  const alerts = await flightInfoAlerts.listAlerts({ headers: { accountId } });
  expect(alerts.map(({ alertId }) => alertId)).toEqual([data]);
  expect([new Set(keys.slice(0, 3)).size, keys[0]]).toEqual([1, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

test('retries a request that is not idempotent only when it was rejected before any change', async () => {
  const attempts = async (status: number): Promise<number> => {
    const { front, requests } = await startFailingService([status]);
    await getRejection(front.client({ timing }).flightInfoAlerts.updateAlert(update));
    return requests.length;
  };
  expect([await attempts(503), await attempts(429)]).toEqual([1, 2]);
});

test('retries an idempotent request after its connection breaks', async () => {
  // The first connections are cut after one byte of the response.
  const cut = [0, 0];
  const proxy = await openCuttingProxy(shared.port, { draw: () => cut.shift() ?? 1_000_000, maxBytes: 1 });
  onTestFinished(proxy.close);
  const client = shared.client({ baseUrl: `http://127.0.0.1:${proxy.port}`, timing });
  const carrier = await client.masterData.getCarrier(getCarrier);
  expect([carrier.name, proxy.countCuts()]).toEqual(['Example Airways', 2]);
});

test('does not retry an update whose response is lost, because it may have been made', async () => {
  let requestCount = 0;
  const service = await startTestService((request) => {
    requestCount += 1;
    return world.app.fetch(request);
  });
  const proxy = await openCuttingProxy(service.port, { draw: () => 0, maxBytes: 1 });
  onTestFinished(proxy.close);
  const { flightInfoAlerts } = service.client({ baseUrl: `http://127.0.0.1:${proxy.port}`, timing });
  const error = await getRejection(flightInfoAlerts.updateAlert(update));
  expect([error, requestCount]).toEqual([expect.objectContaining({ failure: 'connection' }), 1]);
});

test('retries a request that times out, and throws the timeout in the end', async () => {
  let requestCount = 0;
  let late = Promise.withResolvers<void>();
  const front = await startTestService(() => {
    requestCount += 1;
    late.resolve();
    late = Promise.withResolvers();
    return new Promise<Response>(() => {});
  });
  // The timeout expires as soon as the service has received the request, however long that takes.
  const wait: typeof timing.wait = (ms, signal) => (ms === 20 ? late.promise : timing.wait(ms, signal));
  const client = front.client({ timeoutMs: 20, maxRetries: 1, timing: { ...timing, wait } });
  const error = await getRejection(client.masterData.getCarrier(getCarrier));
  expect([error, requestCount]).toEqual([expect.objectContaining({ failure: 'timeout' }), 2]);
});

test.each([Infinity, 2 ** 31])('a timeout of %d ms is no limit and does not expire immediately', async (timeoutMs) => {
  const carrier = await shared.client({ timeoutMs, maxRetries: 0 }).masterData.getCarrier(getCarrier);
  expect(carrier.name).toBe('Example Airways');
});

test('an aborted signal ends the delay before a retry immediately', async () => {
  const { front, requests } = await startFailingService([429, { 'retry-after': '50' }]);
  const controller = new AbortController();
  // The error response has arrived: from now on the client waits.
  const onResponse = () => setImmediate(() => controller.abort(new Error('enough')));
  const call = front.client().masterData.getCarrier({ ...getCarrier, signal: controller.signal, onResponse });
  expect([await getRejection(call), requests.length]).toEqual([new Error('enough'), 1]);
});

test('an aborted signal ends a running call immediately and prevents a later one', async () => {
  const controller = new AbortController();
  const front = await startTestService(() => {
    controller.abort(new Error('enough'));
    return new Promise<Response>(() => {});
  });
  const call = (): Promise<unknown> =>
    getRejection(front.client().masterData.getCarrier({ ...getCarrier, signal: controller.signal }));
  expect([await call(), await call()]).toEqual([new Error('enough'), new Error('enough')]);
});
