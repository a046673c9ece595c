import { afterEach, expect, test, vi } from 'vitest';
import { defaultTimeouts, type WebhookEndpoint } from '#delivery/webhook/deliverer.ts';
import { sampleEvent, resolveToLoopback, respondOk, createPlainEndpoint, startPlainReceiver } from './receivers.ts';
import { createSecureEndpoint, startSecureReceiver, SECRET, startSocketReceiver } from './receivers.ts';
import { createTestDeliverer } from './receivers.ts';
import type { Receiver } from './receivers.ts';

const opened: { readonly close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
const using = <T extends { readonly close: () => unknown }>(one: T): T => {
  opened.push(one);
  return one;
};
const anyDuration = expect.any(Number) as number;

test('an event is posted over TLS with its headers, and 2xx delivers it', async () => {
  const receiver = using(await startSecureReceiver(respondOk));
  const deliverer = using(createTestDeliverer({ now: () => new Date('2026-06-01T12:00:00.900Z') }));
  const outcome = await deliverer.deliver(
    { ...createSecureEndpoint(receiver), header: { name: 'x-api-key', value: 'k-123' } },
    sampleEvent,
  );
  const ok = { responseBytes: 2, responseText: 'ok' };
  expect(outcome).toEqual({ kind: 'delivered', status: 200, durationMs: anyDuration, ...ok });
  expect(receiver.received).toEqual([
    {
      headers: {
        host: `receiver.example.com:${receiver.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'content-length': String(sampleEvent.body.length),
        'accept-encoding': 'identity',
        'user-agent': 'flightdata-webhooks/1',
        'webhook-id': sampleEvent.id,
        'webhook-timestamp': '1780315200',
        'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
        'x-api-key': 'k-123',
      },
      body: sampleEvent.body,
    },
  ]);
});

test('sends consecutive events over one connection', async () => {
  const receiver = using(await startSecureReceiver(respondOk));
  const deliverer = using(createTestDeliverer());
  for (let count = 0; count < 20; count += 1) await deliverer.deliver(createSecureEndpoint(receiver), sampleEvent);
  expect([receiver.received.length, receiver.connections()]).toEqual([20, 1]);
});

test('reuses a connection for a minute, then resolves the name again', async () => {
  const receiver = using(await startSecureReceiver(respondOk));
  const resolve = vi.fn<typeof resolveToLoopback>(resolveToLoopback);
  let at = Date.parse('2026-06-01T12:00:00Z');
  const deliverer = using(createTestDeliverer({ now: () => new Date(at) }, { resolve }));
  const seen: number[] = [];
  for (const seconds of [0, 59, 1, 1, 30, 31, -3600]) {
    at += seconds * 1000;
    await deliverer.deliver(createSecureEndpoint(receiver), sampleEvent);
    seen.push(resolve.mock.calls.length);
  }
  expect(seen).toEqual([1, 1, 1, 2, 2, 3, 4]);
});

test('replaces an idle connection that the receiver closed', async () => {
  const receiver: Receiver = using(
    await startPlainReceiver((request, response) => {
      // It announces keep-alive, and closes the connection at the next request.
      if (receiver.received.length === 2) request.socket.resetAndDestroy();
      else response.end('ok');
    }),
  );
  const deliverer = using(createTestDeliverer());
  await deliverer.deliver(createPlainEndpoint(receiver), sampleEvent);
  const outcome = await deliverer.deliver(createPlainEndpoint(receiver), sampleEvent);
  expect(outcome).toMatchObject({ kind: 'delivered', status: 200 });
  expect([receiver.received.length, receiver.connections()]).toEqual([3, 2]);
});

test.each([
  [{ kind: 'delivered' }, [200, 204, 299]],
  [{ kind: 'failed', reason: 'redirect' }, [300, 304]],
  [{ kind: 'failed', reason: 'status' }, [400, 401, 404]],
  [{ kind: 'gone' }, [410]],
  [{ kind: 'retry', retryAfterSeconds: undefined }, [408, 425, 429, 500, 503, 599]],
])('%j is the result of the statuses %j', async (expected, statuses) => {
  const waiting = [...statuses];
  const receiver = using(
    await startPlainReceiver((_, response) => void response.writeHead(waiting.shift() ?? 0).end()),
  );
  const deliverer = using(createTestDeliverer());
  for (const status of statuses) {
    const outcome = await deliverer.deliver(createPlainEndpoint(receiver), sampleEvent);
    expect(outcome).toEqual({ ...expected, status, durationMs: anyDuration, responseBytes: 0, responseText: '' });
  }
});

test('redacts header and secrets in a response that echoes the request', async () => {
  const header = { name: 'x-api-key', value: 'very"secret\\value' };
  const receiver = using(
    await startPlainReceiver((request, response) => {
      response.writeHead(500);
      response.end(`${JSON.stringify(request.headers)}\u001b[31m\r\n${header.value}\u2028end`);
    }),
  );
  const outcome = await using(createTestDeliverer()).deliver({ ...createPlainEndpoint(receiver), header }, sampleEvent);
  const text = JSON.stringify(outcome);
  expect(outcome).toMatchObject({ kind: 'retry', status: 500 });
  expect(outcome.responseText).toMatch(/"x-api-key":"\*\*\*".* \[31m \*\*\* end$/);
  const hidden = [header.value, 'very', SECRET, SECRET.slice(6), '\u001b', '\u2028'];
  expect(hidden.filter((part) => text.includes(part))).toEqual([]);
});

test('redacts tokens in a response that echoes the URL', async () => {
  const receiver = using(
    await startPlainReceiver((request, response) => void response.writeHead(404).end(`Cannot POST ${request.url}`)),
  );
  const endpoint = createPlainEndpoint(receiver, '/hooks-of-events/T0123456789ABCDE?v=1234567&token=abc%2Bdefg');
  const outcome = await using(createTestDeliverer()).deliver(endpoint, sampleEvent);
  expect(outcome.responseText).toBe('Cannot POST /hooks-of-events/***?v=1234567&token=***');
});

test('distinguishes a refused connection from an unknown name', async () => {
  const closed = await startPlainReceiver(respondOk);
  await closed.close();
  const unknown = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  const deliver = (target: WebhookEndpoint, guard = {}) =>
    using(createTestDeliverer({}, guard)).deliver(target, sampleEvent);
  const outcomes = [
    await deliver(createPlainEndpoint(closed)),
    await deliver(createSecureEndpoint(closed), { resolve: unknown }),
    await deliver(createSecureEndpoint(closed), { resolve: async () => [] }),
  ];
  const reasons = ['connect-refused', 'name-unknown', 'name-unknown'];
  expect(outcomes).toMatchObject(reasons.map((reason) => ({ kind: 'failed', reason, status: undefined })));
});

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'answer-not-http'],
  ['an end without a response', '', 'connection-reset'],
  ['an end within the headers', 'HTTP/1.1 200 OK\r\nx-a: b', 'connection-reset'],
  ['a change of protocol', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'connection-reset'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx', 'answer-not-http'],
])('%s is a failed delivery', async (_name, text, reason) => {
  const receiver = using(await startSocketReceiver((socket) => void socket.once('data', () => socket.end(text))));
  const outcome = await using(createTestDeliverer()).deliver(createPlainEndpoint(receiver), sampleEvent);
  expect(outcome).toMatchObject({ kind: 'failed', reason, status: undefined });
});

test('uses the status of a response whose body is truncated', async () => {
  const text = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nstored';
  const receiver = using(await startSocketReceiver((socket) => void socket.once('data', () => socket.end(text))));
  const outcome = await using(createTestDeliverer()).deliver(createPlainEndpoint(receiver), sampleEvent);
  expect(outcome).toMatchObject({ kind: 'delivered', status: 200, responseBytes: 6, responseText: 'stored' });
});

test('gives up a DNS lookup that never completes', async () => {
  const deliverer = using(
    createTestDeliverer({ timeouts: { ...defaultTimeouts, connectMs: 50 } }, { resolve: () => new Promise(() => {}) }),
  );
  const outcome = await deliverer.deliver({ url: 'https://receiver.example.com/', keys: [SECRET] }, sampleEvent);
  expect(outcome).toMatchObject({ kind: 'failed', reason: 'connect-timeout', status: undefined });
});

test.each([
  [{}, { id: 'a.b' }, "an event ID must have letters, digits, - and _, not 'a.b'"],
  [{ keys: [] }, {}, 'an event must be signed with at least one key'],
  [{ keys: ['secret'] }, {}, 'a webhook key must be whsec_ or whsk_ followed by base64'],
  [{ header: { name: 'Webhook-Id', value: 'x' } }, {}, "the header 'Webhook-Id' is set by the service"],
])('the caller gets an error for %j and %j: %s', async (endpoint, event, message) => {
  const deliverer = using(createTestDeliverer());
  const target = { url: 'http://127.0.0.1:1/', keys: [SECRET], ...endpoint };
  const sending = deliverer.deliver(target, { ...sampleEvent, ...event });
  await expect(sending).rejects.toThrow(new RangeError(message));
});
