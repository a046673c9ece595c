import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendEventStream, type EventStream } from '#http/context/event-stream.ts';
import { openHttpServer } from '#http/server/server.ts';
import { Problem } from '#http/response/problem.ts';
import { createApiOf, serve } from '../tiny-service.ts';

/** Starts a service that sends a stream as its list; `open` requests it. */
const serving = (stream: EventStream) => {
  const api = createApiOf((c) => sendEventStream(c, stream, { Vary: 'x' }));
  const { send, lines, app } = serve({ api });
  return { lines, app, open: (method = 'GET') => send('/flight-instances', { method }) };
};

/** A stream of numbers that counts its chunks and how often it ended. */
const numbers = (last: number, { stallMs = 60_000, fails = false } = {}) => {
  let [chunks, ends] = [0, 0];
  const served = serving({
    chunks: async function* () {
      for (let n = 1; n <= last; n += 1) {
        chunks = n;
        yield `data: ${n}\n\n`;
      }
      if (fails) throw new Error('hunter2');
    },
    onEnd: () => void (ends += 1),
    stallMs,
  });
  return { ...served, chunks: () => chunks, ends: () => ends };
};

test('generates at most two chunks more than were read', async () => {
  const { open, chunks, ends } = numbers(1000);
  const reader = (await open()).body?.getReader();
  for (let n = 1; n <= 5; n += 1) {
    await reader?.read();
    await setImmediate();
    expect(chunks()).toBeLessThanOrEqual(n + 2);
  }
  expect(ends()).toBe(0);
  await reader?.cancel();
  await expect.poll(ends).toBe(1);
  expect(chunks()).toBeLessThanOrEqual(7);
});

test('ends after the last chunk, and on an error, which is logged with the request and which the client does not see', async () => {
  for (const fails of [false, true]) {
    const { open, lines, ends } = numbers(2, { fails });
    const response = await open();
    expect([await response.text(), ends()]).toEqual(['data: 1\n\ndata: 2\n\n', 1]);
    const requestId = response.headers.get('x-request-id');
    const failure = { requestId, err: { message: 'hunter2' } };
    const expected = [{ status: 200 }, ...(fails ? [failure] : [])];
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject(expected);
    expect(lines).toHaveLength(expected.length);
    expect(Object.fromEntries(response.headers)).toEqual({
      'api-version': 'v3',
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      vary: 'x',
    });
  }
});

test('aborts the signal of the generator when the client disconnects', async () => {
  const [waits, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { open } = serving({
    chunks: async function* (signal) {
      yield 'a';
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      waits.resolve();
      await aborted;
      finished.resolve();
    },
    onEnd: () => undefined,
    stallMs: 60_000,
  });
  const reader = (await open()).body?.getReader();
  await reader?.read();
  const waiting = reader?.read();
  await waits.promise;
  await reader?.cancel();
  await finished.promise;
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('ends once when a chunk is not read in time', async () => {
  const { open, ends } = numbers(1000, { stallMs: 5 });
  const reader = (await open()).body?.getReader();
  await reader?.read();
  await expect.poll(ends).toBe(1);
  let last = await reader?.read();
  for (let n = 0; n < 3 && last?.done === false; n += 1) last = await reader?.read();
  expect(last).toEqual({ done: true, value: undefined });
  expect(ends()).toBe(1);
});

test('ends once when the client does not read and its access ends', async () => {
  let [ends, checks] = [0, 0];
  const { open, lines } = serving({
    chunks: async function* () {
      for (;;) yield 'data: 1\n\n';
    },
    onEnd: () => void (ends += 1),
    stallMs: 60_000,
    access: {
      check: async () => {
        checks += 1;
        if (checks === 2) throw new Problem('not-found', 'The account was deleted.');
      },
      intervalMs: 5,
    },
  });
  const reader = (await open()).body?.getReader();
  await reader?.read();
  await expect.poll(() => ends).toBe(1);
  expect([checks, lines.length]).toEqual([2, 1]);
});

test('HEAD starts no stream', async () => {
  const { open, chunks, ends } = numbers(1);
  const head = await open('HEAD');
  expect([head.body, chunks(), ends()]).toEqual([null, 0, 1]);
  expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
});

test.each([
  ['HTTP/1.1', 'chunked', '9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n'],
  ['HTTP/1.0', undefined, 'data: 1\n\ndata: 2\n\n'],
])('a client of %s gets the transfer coding %s', async (version, coding, body) => {
  const { app } = numbers(2);
  const server = openHttpServer({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET /flight-instances ${version}\r\nHost: api.test\r\nSubscription-Key: good\r\nConnection: close\r\n\r\n`,
  );
  const [head = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  expect([/^transfer-encoding: (.*)$/im.exec(head)?.[1], rest.join('\r\n\r\n')]).toEqual([coding, body]);
  await server.close(0);
});
