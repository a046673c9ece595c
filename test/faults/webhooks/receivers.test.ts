import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { DeliveryResult } from '#delivery/webhook/delivery-result.ts';
import { sampleEvent, respondOk, createPlainEndpoint, startPlainReceiver } from '#test/delivery/webhook/receivers.ts';
import { createSecureEndpoint, startSecureReceiver, startSocketReceiver } from '#test/delivery/webhook/receivers.ts';
import { createTestDeliverer } from '#test/delivery/webhook/receivers.ts';
import type { Receiver } from '#test/delivery/webhook/receivers.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';

const resources: { readonly close: () => unknown }[] = [];
afterAll(async () => {
  for (const one of resources) await one.close();
});
const closeLater = <T extends { readonly close: () => unknown }>(one: T): T => {
  resources.push(one);
  return one;
};
const readResidentMegabytes = (): number => process.memoryUsage().rss / 2 ** 20;
/** Rounds of endless responses; 20 in the full length. */
const ROUNDS = Number(process.env['ENDLESS_ROUNDS'] ?? 4);

/** Writes a piece repeatedly with backpressure until the connection is closed. */
const writeEndlessly = (stream: Writable, piece: string | Buffer): void => {
  while (!stream.destroyed && stream.write(piece));
  if (!stream.destroyed) stream.once('drain', () => writeEndlessly(stream, piece));
};

/** Writes a piece every 10 ms until the connection is closed. */
const trickle = (stream: Writable, piece: string): void => {
  const timer = setInterval(() => stream.write(piece), 10);
  stream.once('close', () => clearInterval(timer));
};
const trickleHeaders = (socket: Socket): void => {
  socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
  trickle(socket, 'x');
};
const trickleBody = (status: number) => (_request: unknown, response: ServerResponse) =>
  trickle(response.writeHead(status), 'x');

/** Receivers that are slow, hang or trickle: the only short limit, how an attempt ends at it, and how they start. */
const slowReceivers: readonly (readonly [
  limits: object,
  end: object,
  start: () => Promise<Receiver>,
  endpointOf?: typeof createSecureEndpoint,
])[] = [
  [{ responseMs: 300 }, { reason: 'answer-timeout' }, () => startSocketReceiver(() => {})],
  [{ connectMs: 300 }, { reason: 'connect-timeout' }, () => startSocketReceiver(() => {}), createSecureEndpoint],
  [{ responseMs: 300 }, { reason: 'answer-timeout' }, () => startPlainReceiver(() => {})],
  [{ responseMs: 300 }, { reason: 'answer-timeout' }, () => startSocketReceiver(trickleHeaders)],
  // These sent their status before they became slow.
  [{ totalMs: 3000 }, { kind: 'delivered', status: 200 }, () => startPlainReceiver(trickleBody(200))],
  [{ totalMs: 3000 }, { kind: 'retry', status: 500 }, () => startPlainReceiver(trickleBody(500))],
];
const startSlow = () =>
  Promise.all(
    slowReceivers.map(async ([, , start, endpointOf = createPlainEndpoint]) => endpointOf(closeLater(await start()))),
  );

const forever = { connectMs: 1e6, responseMs: 1e6, totalMs: 1e6 };

test('9: cuts off receivers that are slow, hang or trickle', async () => {
  const endpoints = await startSlow();
  const ended = await Promise.all(
    slowReceivers.map(([limits], index) => {
      // Only the limit that ends the attempt is short, so that a busy machine exceeds no other one.
      const deliverer = closeLater(createTestDeliverer({ timeouts: { ...forever, ...limits } }));
      return deliverer.deliver(endpoints[index] ?? { url: '', keys: [] }, sampleEvent);
    }),
  );
  const longest = Math.max(...ended.map(({ durationMs }) => durationMs));
  reportFault(9, { attempts: ended.length, 'longest ms': longest }, 'attempts');
  expect(ended).toMatchObject(slowReceivers.map(([, end]) => end));
  expect(longest).toBeLessThan(assertsTimes ? 6000 : Infinity);
});

test('9: delivers to a healthy receiver while nine attempts at each of them hang', async () => {
  const deliverer = closeLater(createTestDeliverer({ timeouts: forever }));
  const healthy = closeLater(await startPlainReceiver(respondOk));
  let ended = 0;
  for (const endpoint of await startSlow())
    for (let count = 0; count < 9; count += 1)
      void deliverer.deliver(endpoint, sampleEvent).finally(() => (ended += 1));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => deliverer.deliver(createPlainEndpoint(healthy), sampleEvent)),
  );
  expect([outcomes.filter(({ kind }) => kind !== 'delivered'), ended]).toEqual([[], 0]);
});

test('11: no redirect is followed', async () => {
  const target = closeLater(await startPlainReceiver(respondOk));
  const location = `http://127.0.0.1:${target.port}/internal`;
  const receiver = closeLater(
    await startPlainReceiver(({ url = '' }, response) => response.writeHead(Number(url.slice(1)), { location }).end()),
  );
  const deliverer = closeLater(createTestDeliverer());
  const statuses = [300, 301, 302, 303, 304, 305, 306, 307, 308];
  const outcomes = await Promise.all(
    statuses.map((status) => deliverer.deliver(createPlainEndpoint(receiver, `/${status}`), sampleEvent)),
  );
  const figure = { 'kinds of redirects': statuses.length, 'hits on their target': target.connections() };
  reportFault(11, figure);
  expect(outcomes).toMatchObject(statuses.map((status) => ({ kind: 'failed', reason: 'redirect', status })));
  expect(target.connections()).toBe(0);
});

test('12: reads up to 64 KiB of endless responses with constant memory', async () => {
  const piece = Buffer.alloc(65_536, 'x');
  const bomb = gzipSync(Buffer.alloc(2 ** 26));
  const secure = await Promise.all([
    startSecureReceiver((_request, response) =>
      writeEndlessly(response.writeHead(200, { 'content-length': String(2 ** 30) }), piece),
    ),
    startSecureReceiver((_request, response) => writeEndlessly(response.writeHead(500), piece)),
    startSecureReceiver((_request, response) =>
      writeEndlessly(response.writeHead(200, { 'content-encoding': 'gzip' }), bomb),
    ),
  ]);
  const endless = (prefix: string, piece: string): Promise<Receiver> =>
    startSocketReceiver((socket) => {
      socket.write(prefix);
      writeEndlessly(socket, piece.repeat(1000));
    });
  const malformed = [
    [await endless('HTTP/1.1 200 OK\r\n', 'x-more: more\r\n'), 'answer-headers-too-large'],
    [await endless('HTTP/1.1 200 OK\r\nx-long: ', 'x'), 'answer-headers-too-large'],
    [await endless('', 'HTTP/1.1 103 Early Hints\r\nx-more: more\r\n\r\n'), 'answer-not-http'],
    [await endless('', 'x'), 'answer-not-http'],
    [await endless('HTTP/1.1 200 ', 'OK'), 'answer-headers-too-large'],
  ] as const;
  const chunked = [
    await endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'x=y;'),
    await endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'x-trailer: more\r\n'),
  ];
  const plain = [...malformed.map(([receiver]) => receiver), ...chunked];
  for (const receiver of [...secure, ...plain]) closeLater(receiver);
  const endpoints = [...secure.map(createSecureEndpoint), ...plain.map((receiver) => createPlainEndpoint(receiver))];

  const deliverer = closeLater(createTestDeliverer());
  const all = async (): Promise<readonly DeliveryResult[]> => {
    const outcomes: DeliveryResult[] = [];
    for (const endpoint of endpoints) outcomes.push(await deliverer.deliver(endpoint, sampleEvent));
    return outcomes;
  };
  // The first rounds allocate the buffers of servers and sockets.
  for (let round = 0; round < 3; round += 1) await all();
  const before = readResidentMegabytes();
  const outcomes: DeliveryResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) outcomes.push(...(await all()));
  const grownMb = readResidentMegabytes() - before;
  const maxBytes = Math.max(...outcomes.map(({ responseBytes }) => responseBytes));
  reportFault(12, { responses: outcomes.length, 'largest in bytes': maxBytes, 'memory growth MB': grownMb.toFixed(1) });
  expect(outcomes.slice(-10)).toMatchObject([
    { kind: 'delivered', status: 200, responseText: 'x'.repeat(512) },
    { kind: 'retry', status: 500, responseText: 'x'.repeat(512) },
    { kind: 'delivered', status: 200, responseText: '' },
    ...malformed.map(([, reason]) => ({ kind: 'failed', reason })),
    { kind: 'delivered', status: 200 },
    { kind: 'delivered', status: 200 },
  ]);
  expect(maxBytes).toBeLessThanOrEqual(65_536);
  expect(grownMb).toBeLessThan(64);
});
