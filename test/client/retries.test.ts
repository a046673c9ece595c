import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openCuttingProxy } from '../faults/readers/cutting-proxy.ts';
import { serveAlerts, type AlertsService } from '../products/flight-info-alerts/v1/alerts-service.ts';
import { getRejection, startTestService, createFixedTiming, type TestService } from './test-service.ts';

const NOW = '2026-06-01T12:00:00Z';

let world: AlertsService;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  world = await serveAlerts();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => world.drop());

type Refusal = readonly [status: number, headers?: Readonly<Record<string, string>>];

/** A service that refuses first, in this order, and what it was asked. */
const refusing = async (
  ...refusals: readonly Refusal[]
): Promise<{ readonly front: TestService; readonly asked: readonly Request[] }> => {
  const left = [...refusals];
  const asked: Request[] = [];
  const front = await startTestService((request) => {
    asked.push(request.clone());
    const [status, headers] = left.shift() ?? [];
    return status === undefined ? world.app(request) : new Response('{}', { status, headers: { ...headers } });
  });
  closing.push(front.close);
  return { front, asked };
};

const getCarrier = { path: { code: 'XX' } };

test.each([
  ['seconds', '7', [7000]],
  ['a date', 'Mon, 01 Jun 2026 12:00:09 GMT', [9000]],
  ['a date that is past', 'Mon, 01 Jun 2026 11:00:00 GMT', [0]],
  ['nothing that can be read', 'soon', [250]],
])('a refusal with %s in Retry-After is waited for, then asked again', async (_, retryAfter, expected) => {
  const { front } = await refusing([429, { 'retry-after': retryAfter }]);
  const { timing, waits } = createFixedTiming(NOW);
  const carrier = await front.client({ timing }).masterData.getCarrier(getCarrier);
  expect([carrier.name, waits]).toEqual(['Example Airways', expected]);
});

test('without Retry-After each wait is twice the one before, and after three the refusal is told', async () => {
  const { front, asked } = await refusing([503], [503], [503], [503]);
  const { timing, waits } = createFixedTiming(NOW);
  const error = await getRejection(front.client({ timing }).masterData.getCarrier(getCarrier));
  expect([error, waits, asked.length]).toEqual([
    expect.objectContaining({ status: 503, kind: 'unknown' }),
    [250, 500, 1000],
    4,
  ]);
});

test('a wait is up to twice as long by chance', async () => {
  const { front } = await refusing([503]);
  const { timing, waits } = createFixedTiming(NOW);
  await front.client({ timing: { ...timing, random: () => 0.5 } }).masterData.getCarrier(getCarrier);
  expect(waits).toEqual([375]);
});

test('who is to wait too long is told so at once', async () => {
  const { front, asked } = await refusing([429, { 'retry-after': '3600' }]);
  const { timing, waits } = createFixedTiming(NOW);
  const error = await getRejection(front.client({ timing }).masterData.getCarrier(getCarrier));
  expect([error, waits, asked.length]).toEqual([
    expect.objectContaining({ status: 429, retryAfterMs: 3_600_000 }),
    [],
    1,
  ]);
});

test.each([400, 401, 404, 500, 502])('a %i is not asked again', async (status) => {
  const { front, asked } = await refusing([status]);
  const error = await getRejection(front.client().masterData.getCarrier(getCarrier));
  expect([error, asked.length]).toEqual([expect.objectContaining({ status }), 1]);
});

test('a service that is not well is told as such by its health, at once', async () => {
  const { front, asked } = await refusing([503, { 'retry-after': '5' }]);
  const error = await getRejection(front.client().masterData.getMasterDataHealth());
  expect([error, asked.length]).toEqual([expect.objectContaining({ status: 503 }), 1]);
});

test('an alert is created once, however often its creation is sent: with one Idempotency-Key, which the client makes', async () => {
  const accountId = await world.createAccount();
  const keys: (string | null)[] = [];
  // The first two answers are lost on their way back, after the work was done.
  const front = await startTestService(async (request) => {
    keys.push(request.headers.get('idempotency-key'));
    const answer = await world.app(request);
    return keys.length < 3 && request.method === 'POST' ? new Response('', { status: 503 }) : answer;
  });
  closing.push(front.close);
  const { timing } = createFixedTiming(NOW);
  const { flightInfoAlerts } = front.client({ timing });
  const { data } = await flightInfoAlerts.createAlert({ body: { accountId, alertType: 'Global' } });
  const alerts = await flightInfoAlerts.listAlerts({ headers: { accountId } });
  expect(alerts.map(({ alertId }) => alertId)).toEqual([data]);
  expect([new Set(keys.slice(0, 3)).size, keys[0]]).toEqual([1, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

test('an Idempotency-Key of your own is sent as it is', async () => {
  const { front, asked } = await refusing([400]);
  const body = { firstName: 'A', lastName: 'B', email: 'a@example.test', country: 'GB', companyName: 'C' } as const;
  const headers = { 'Idempotency-Key': 'mine' };
  await getRejection(front.client().flightInfoAlerts.createProfile({ body, headers }));
  expect(asked.map((request) => request.headers.get('idempotency-key'))).toEqual(['mine']);
});

test('what cannot be repeated is sent again only when it was refused before anything was done', async () => {
  const change = { body: { alertId: '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1', name: 'x' } };
  const attempts = async (status: number): Promise<number> => {
    const { front, asked } = await refusing([status]);
    const { timing } = createFixedTiming(NOW);
    await getRejection(front.client({ timing }).flightInfoAlerts.updateAlert(change));
    return asked.length;
  };
  expect([await attempts(503), await attempts(429)]).toEqual([1, 2]);
});

test('a connection that breaks off is replaced, for what can be repeated', async () => {
  const service = await startTestService(world.app);
  // The first connections are cut after a byte of the answer.
  const cut = [0, 0];
  const proxy = await openCuttingProxy(service.port, { draw: () => cut.shift() ?? 1_000_000, most: 1 });
  closing.push(service.close, proxy.close);
  const { timing } = createFixedTiming(NOW);
  const client = service.client({ baseUrl: `http://127.0.0.1:${proxy.port}`, timing });
  const carrier = await client.masterData.getCarrier(getCarrier);
  expect([carrier.name, proxy.countCuts()]).toEqual(['Example Airways', 2]);
});

test('a change whose answer is lost is not sent again: nobody knows whether it was made', async () => {
  let asked = 0;
  const service = await startTestService((request) => {
    asked += 1;
    return world.app(request);
  });
  const proxy = await openCuttingProxy(service.port, { draw: () => 0, most: 1 });
  closing.push(service.close, proxy.close);
  const { timing } = createFixedTiming(NOW);
  const { flightInfoAlerts } = service.client({ baseUrl: `http://127.0.0.1:${proxy.port}`, timing });
  const error = await getRejection(
    flightInfoAlerts.updateAlert({ body: { alertId: '6f1c1d5e-3f0a-4c53-9d67-0c0f6c3ad2b1', name: 'x' } }),
  );
  expect([error, asked]).toEqual([expect.objectContaining({ failure: 'connection' }), 1]);
});

test('an answer that does not come in time is given up, asked for again, and told in the end', async () => {
  let asked = 0;
  let late = Promise.withResolvers<void>();
  const front = await startTestService(() => {
    asked += 1;
    late.resolve();
    late = Promise.withResolvers();
    return new Promise<Response>(() => {});
  });
  closing.push(front.close);
  const { timing } = createFixedTiming(NOW);
  // The time is over as soon as the service was asked, however long that takes.
  const wait: typeof timing.wait = (ms, signal) => (ms === 20 ? late.promise : timing.wait(ms, signal));
  const client = front.client({ timeoutMs: 20, retries: 1, timing: { ...timing, wait } });
  const error = await getRejection(client.masterData.getCarrier(getCarrier));
  expect([error, asked]).toEqual([expect.objectContaining({ failure: 'timeout' }), 2]);
});

test.each([Infinity, 2 ** 31])(
  'a time limit of %d ms is no limit, and not one that is over at once',
  async (timeoutMs) => {
    const service = await startTestService(world.app);
    closing.push(service.close);
    const carrier = await service.client({ timeoutMs, retries: 0 }).masterData.getCarrier(getCarrier);
    expect(carrier.name).toBe('Example Airways');
  },
);

test('a call that waits to be sent again ends at once when its signal is aborted', async () => {
  const { front, asked } = await refusing([429, { 'retry-after': '50' }]);
  const over = new AbortController();
  const call = getRejection(
    front.client().masterData.getCarrier({
      ...getCarrier,
      signal: over.signal,
      // The refusal is there: from now on it waits.
      onAnswer: () => setImmediate(() => over.abort(new Error('enough'))),
    }),
  );
  expect([await call, asked.length]).toEqual([new Error('enough'), 1]);
});

test('a call whose signal is aborted while it is asked ends at once, and one that was aborted before is not asked', async () => {
  const over = new AbortController();
  const front = await startTestService(() => {
    over.abort(new Error('enough'));
    return new Promise<Response>(() => {});
  });
  closing.push(front.close);
  const call = (): Promise<unknown> =>
    getRejection(front.client().masterData.getCarrier({ ...getCarrier, signal: over.signal }));
  expect([await call(), await call()]).toEqual([new Error('enough'), new Error('enough')]);
});
