import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import type { DeliveryTimeouts } from '../../../src/delivery/webhook/deliverer.ts';
import { type DeliveryResult, MAX_RETRY_AFTER_SECONDS } from '../../../src/delivery/webhook/delivery-result.ts';
import { scheduleNextAttempt } from '../../../src/delivery/webhook/retry-schedule.ts';
import {
  sampleEvent,
  respondOk,
  createPlainEndpoint,
  startPlainReceiver,
  createSecureEndpoint,
  startSecureReceiver,
  startSocketReceiver,
  createTestDeliverer,
  type Receiver,
} from '../../delivery/webhook/receivers.ts';
import { reportFault } from '../support/report-fault.ts';

const resources: { readonly close: () => unknown }[] = [];
afterAll(async () => {
  for (const one of resources) await one.close();
});
const closeLater = <T extends { readonly close: () => unknown }>(one: T): T => {
  resources.push(one);
  return one;
};
const runConcurrently = <T>(count: number, create: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, create));
const readResidentMegabytes = (): number => process.memoryUsage().rss / 2 ** 20;

/** Writes a piece repeatedly with backpressure until the connection is closed. */
const writeEndlessly = (
  stream: {
    write(piece: string | Buffer): boolean;
    once(event: 'drain', listener: () => void): unknown;
    destroyed: boolean;
  },
  piece: string | Buffer,
): void => {
  const writeMore = (): void => {
    while (!stream.destroyed && stream.write(piece));
    if (!stream.destroyed) stream.once('drain', writeMore);
  };
  writeMore();
};

/** Writes a piece every 10 ms until the connection is closed. */
const trickle = (
  stream: { write(piece: string): unknown; once(event: 'close', listener: () => void): unknown },
  piece: string,
) => {
  const timer = setInterval(() => stream.write(piece), 10);
  stream.once('close', () => clearInterval(timer));
};

test('9: cuts off receivers that are slow, hang or trickle, without delaying others', async () => {
  const timeouts: DeliveryTimeouts = { connectMs: 1000, responseMs: 1000, totalMs: 2000 };
  const deliverer = closeLater(createTestDeliverer({ timeouts }));
  const healthy = closeLater(await startPlainReceiver(respondOk));
  const slow: readonly { readonly receiver: Receiver; readonly isSecure?: true; readonly ends: object }[] = [
    { receiver: await startSocketReceiver(() => {}), ends: { reason: 'answer-timeout' } },
    { receiver: await startSocketReceiver(() => {}), isSecure: true, ends: { reason: 'connect-timeout' } },
    { receiver: await startPlainReceiver(() => {}), ends: { reason: 'answer-timeout' } },
    {
      receiver: await startSocketReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
        trickle(socket, 'x');
      }),
      ends: { reason: 'answer-timeout' },
    },
    // These sent their status before they became slow.
    {
      receiver: await startPlainReceiver((_request, response) => {
        response.writeHead(200);
        trickle(response, 'x');
      }),
      ends: { kind: 'delivered', status: 200 },
    },
    {
      receiver: await startPlainReceiver((_request, response) => {
        response.writeHead(500);
        trickle(response, 'x');
      }),
      ends: { kind: 'retry', status: 500 },
    },
  ];
  for (const { receiver } of slow) closeLater(receiver);

  const measureHealthyP99 = async (): Promise<number> => {
    const outcomes: DeliveryResult[] = [];
    for (let round = 0; round < 10; round += 1)
      outcomes.push(...(await runConcurrently(10, () => deliverer.deliver(createPlainEndpoint(healthy), sampleEvent))));
    expect(outcomes.filter(({ kind }) => kind !== 'delivered')).toEqual([]);
    return outcomes.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)[98] ?? 0;
  };
  const alone = await measureHealthyP99();
  const sending = slow.flatMap(({ receiver, isSecure }) =>
    Array.from({ length: 9 }, () =>
      deliverer.deliver(isSecure ? createSecureEndpoint(receiver) : createPlainEndpoint(receiver), sampleEvent),
    ),
  );
  const among = await measureHealthyP99();
  const ended = await Promise.all(sending);
  const longest = Math.max(...ended.map(({ durationMs }) => durationMs));
  reportFault({
    fault: 9,
    part: 'attempts',
    figure: { attempts: ended.length, 'longest ms': longest, 'p99 of a healthy one, ms': { alone, among } },
    bound: `longest ${2 * timeouts.totalMs} ms, p99 among them below ${timeouts.responseMs} ms`,
  });
  expect(ended).toMatchObject(slow.flatMap(({ ends }) => Array.from({ length: 9 }, () => ends)));
  expect(longest).toBeLessThan(2 * timeouts.totalMs);
  // A healthy receiver that had to wait for them would be as slow.
  expect(among).toBeLessThan(timeouts.responseMs);
});

test('11: no redirect is followed', async () => {
  const target = closeLater(await startPlainReceiver(respondOk));
  const deliverer = closeLater(createTestDeliverer());
  const statuses = [300, 301, 302, 303, 304, 305, 306, 307, 308];
  const outcomes: DeliveryResult[] = [];
  for (const status of statuses) {
    const location = `http://127.0.0.1:${target.port}/internal`;
    const receiver = closeLater(
      await startPlainReceiver((_request, response) => void response.writeHead(status, { location }).end()),
    );
    outcomes.push(await deliverer.deliver(createPlainEndpoint(receiver), sampleEvent));
  }
  const figure = { 'kinds of redirects': statuses.length, 'hits on their target': target.connections() };
  reportFault({ fault: 11, figure, bound: 'hits 0' });
  expect(outcomes).toMatchObject(statuses.map((status) => ({ kind: 'failed', reason: 'redirect', status })));
  expect(target.connections()).toBe(0);
});

test('12: reads up to 64 KiB of endless responses with constant memory', async () => {
  const piece = Buffer.alloc(65_536, 'x');
  const bomb = gzipSync(Buffer.alloc(2 ** 26));
  const gigabyte = String(2 ** 30);
  const receivers = {
    gigabyte: await startSecureReceiver((_request, response) => {
      response.writeHead(200, { 'content-length': gigabyte });
      writeEndlessly(response, piece);
    }),
    failing: await startSecureReceiver((_request, response) => {
      response.writeHead(500);
      writeEndlessly(response, piece);
    }),
    bomb: await startSecureReceiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      writeEndlessly(response, bomb);
    }),
  };
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
  for (const receiver of [...Object.values(receivers), ...malformed.map(([receiver]) => receiver), ...chunked])
    closeLater(receiver);

  const deliverer = closeLater(createTestDeliverer());
  const all = async (): Promise<readonly DeliveryResult[]> => [
    await deliverer.deliver(createSecureEndpoint(receivers.gigabyte), sampleEvent),
    await deliverer.deliver(createSecureEndpoint(receivers.failing), sampleEvent),
    await deliverer.deliver(createSecureEndpoint(receivers.bomb), sampleEvent),
    ...(await Promise.all(
      malformed.map(([receiver]) => deliverer.deliver(createPlainEndpoint(receiver), sampleEvent)),
    )),
    ...(await Promise.all(chunked.map((receiver) => deliverer.deliver(createPlainEndpoint(receiver), sampleEvent)))),
  ];
  // The first rounds allocate the buffers of servers and sockets.
  for (let round = 0; round < 5; round += 1) await all();
  const before = readResidentMegabytes();
  const outcomes: DeliveryResult[] = [];
  for (let round = 0; round < 20; round += 1) outcomes.push(...(await all()));
  const grownMb = readResidentMegabytes() - before;
  const maxBytes = Math.max(...outcomes.map(({ responseBytes }) => responseBytes));
  reportFault({
    fault: 12,
    figure: { responses: outcomes.length, 'largest in bytes': maxBytes, 'memory growth MB': grownMb.toFixed(1) },
    bound: '65536 bytes each, 64 MB including the receivers',
  });
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

test('14: sends nothing after 410 and waits for Retry-After within the cap', async () => {
  const deliverer = closeLater(createTestDeliverer({ now: () => new Date('2026-06-01T12:00:00Z') }));
  const cases: readonly (readonly [number, string | undefined, unknown])[] = [
    [410, undefined, 'gone'],
    [410, '60', 'gone'],
    [429, '90', 90],
    [429, 'Mon, 01 Jun 2026 12:30:00 GMT', 1800],
    [429, '1000000000', MAX_RETRY_AFTER_SECONDS],
    [429, 'Fri, 31 Dec 9999 23:59:59 GMT', MAX_RETRY_AFTER_SECONDS],
    [429, '-1', 5],
    [503, undefined, 5],
    [503, '120', 120],
    [503, 'after lunch', 5],
  ];
  const waits: unknown[] = [];
  for (const [status, retryAfter] of cases) {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    const receiver = closeLater(
      await startPlainReceiver((_request, response) => void response.writeHead(status, headers).end()),
    );
    const outcome = await deliverer.deliver(createPlainEndpoint(receiver), sampleEvent);
    const next = scheduleNextAttempt(outcome, { attempts: 1, now: new Date('2026-06-01T12:00:00Z'), random: 0 });
    waits.push('at' in next ? (next.at.getTime() - Date.parse('2026-06-01T12:00:00Z')) / 1000 : next.over);
  }
  const expected = cases.map(([, , wait]) => wait);
  const deviations = waits.map((wait, at) =>
    wait === expected[at] ? 0 : Math.abs(Number(wait) - Number(expected[at])),
  );
  const figure = { responses: cases.length, 'largest deviation': `${Math.max(...deviations)} s` };
  reportFault({ fault: 14, part: 'attempts', figure, bound: '0 s' });
  expect(waits).toEqual(expected);
});
