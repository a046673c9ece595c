import { createRoute, z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { bindOperation, createApi } from '../../../src/http/handler/api.ts';
import { eventStreamResponse, toFetchResponse, type HttpResponse } from '../../../src/http/response/http-response.ts';
import { serve } from '../tiny-service.ts';

const onStreamError = (error: unknown): void => {
  throw error;
};

const readerOf = (response: HttpResponse) => toFetchResponse(response, { onStreamError }).body?.getReader();

/** A stream of numbers that counts its chunks and how often it ended. */
const numbers = (last: number, { stallMs = 60_000, fails = false } = {}) => {
  let [chunks, ends] = [0, 0];
  const response = eventStreamResponse(
    {
      chunks: async function* () {
        for (let n = 1; n <= last; n += 1) {
          chunks = n;
          yield `data: ${n}\n\n`;
        }
        if (fails) throw new Error('hunter2');
      },
      onEnd: () => void (ends += 1),
      stallMs,
    },
    { Vary: 'x' },
  );
  return { response, chunks: () => chunks, ends: () => ends };
};

test('generates a chunk only after the one before was read', async () => {
  const { response, chunks, ends } = numbers(1000);
  const reader = readerOf(response);
  expect(chunks()).toBe(0);
  for (let n = 1; n <= 3; n += 1) await reader?.read();
  expect([chunks(), ends()]).toEqual([3, 0]);
  await reader?.cancel();
  expect([chunks(), ends()]).toEqual([3, 1]);
});

test('ends after the last chunk, and on an error, which it reports', async () => {
  for (const fails of [false, true]) {
    const failures: unknown[] = [];
    const { response: made, ends } = numbers(2, { fails });
    const response = toFetchResponse(made, { onStreamError: (error) => failures.push(error) });
    expect([await response.text(), ends()]).toEqual(['data: 1\n\ndata: 2\n\n', 1]);
    expect(failures).toEqual(fails ? [new Error('hunter2')] : []);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      vary: 'x',
    });
  }
});

test('aborts the signal of the generator when the client disconnects', async () => {
  const [waits, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const response = eventStreamResponse({
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
  const reader = readerOf(response);
  await reader?.read();
  const waiting = reader?.read();
  await waits.promise;
  await reader?.cancel();
  await finished.promise;
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('ends once when a chunk is not read in time', async () => {
  const { response, ends } = numbers(1000, { stallMs: 5 });
  const reader = readerOf(response);
  await reader?.read();
  await expect.poll(ends).toBe(1);
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
  await reader?.cancel();
  expect(ends()).toBe(1);
});

test('HEAD starts no stream', () => {
  const { response, chunks, ends } = numbers(1);
  const head = toFetchResponse(response, { isHead: true, onStreamError });
  expect([head.body, chunks(), ends()]).toEqual([null, 0, 1]);
  expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
});

/** Starts a service that sends a stream of numbers as events. */
const serving = (made: () => ReturnType<typeof numbers>) => {
  const api = createApi();
  const route = createRoute({
    method: 'get',
    path: '/flight-instances',
    responses: {
      200: {
        description: 'It.',
        content: { 'application/json': { schema: z.object({}) }, 'text/event-stream': { schema: z.string() } },
      },
    },
  });
  bindOperation(api, route, async () => made().response);
  return serve({ app: api.handle });
};

test('a handler can return a stream; its error is logged with the request, and the client does not see it', async () => {
  const { send, lines } = serving(() => numbers(1, { fails: true }));
  const response = await send('/flight-instances');
  expect([response.headers.get('cache-control'), await response.text()]).toEqual(['no-store', 'data: 1\n\n']);
  const expected = [{ status: 200 }, { requestId: response.headers.get('x-request-id'), err: { message: 'hunter2' } }];
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject(expected);
});
