import { createRoute, z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { bind, newApi } from '../../../src/http/handler/api.ts';
import { eventStream, streamResponse, type EventStream } from '../../../src/http/response/event-stream.ts';
import { serve } from '../tiny-service.ts';

type Made = { readonly stream: EventStream; readonly asked: () => number; readonly ends: () => number };

const unexpected = (error: unknown): void => {
  throw error;
};

/** A stream of numbers, which counts how often it was asked for a piece, and how often it ended. */
const numbers = (last: number, { stallMs = 60_000, fails = false } = {}): Made => {
  let [asked, ends] = [0, 0];
  const stream = eventStream({
    pieces: async function* () {
      for (let n = 1; n <= last; n += 1) {
        asked = n;
        yield `data: ${n}\n\n`;
      }
      if (fails) throw new Error('hunter2');
    },
    onEnd: () => void (ends += 1),
    stallMs,
    headers: { Vary: 'x' },
  });
  return { stream, asked: () => asked, ends: () => ends };
};

test('a piece is made only when the one before was taken', async () => {
  const { stream, asked, ends } = numbers(1000);
  const reader = streamResponse(stream, 'GET', unexpected).body?.getReader();
  expect(asked()).toBe(0);
  for (let n = 1; n <= 3; n += 1) await reader?.read();
  expect([asked(), ends()]).toEqual([3, 0]);
  await reader?.cancel();
  expect([asked(), ends()]).toEqual([3, 1]);
});

test('it ends when there is no more, and when making more of it fails, which is told', async () => {
  for (const fails of [false, true]) {
    const failures: unknown[] = [];
    const { stream, ends } = numbers(2, { fails });
    const response = streamResponse(stream, 'GET', (error) => failures.push(error));
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

test('whoever waits for more is told when nobody reads any longer', async () => {
  const [waits, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stream = eventStream({
    pieces: async function* (signal) {
      yield 'a';
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      waits.resolve();
      await aborted;
      heard.resolve();
    },
    onEnd: () => undefined,
    stallMs: 60_000,
    headers: {},
  });
  const reader = streamResponse(stream, 'GET', unexpected).body?.getReader();
  await reader?.read();
  const waiting = reader?.read();
  await waits.promise;
  await reader?.cancel();
  await heard.promise;
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('it ends when a piece is not taken in time, and once only', async () => {
  const { stream, ends } = numbers(1000, { stallMs: 5 });
  const reader = streamResponse(stream, 'GET', unexpected).body?.getReader();
  await reader?.read();
  await expect.poll(ends).toBe(1);
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
  await reader?.cancel();
  expect(ends()).toBe(1);
});

test('HEAD begins none', () => {
  const { stream, asked, ends } = numbers(1);
  const response = streamResponse(stream, 'HEAD', unexpected);
  expect([response.body, asked(), ends()]).toEqual([null, 0, 1]);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
});

/** A service that answers with what a stream of numbers becomes. */
const serving = (made: () => Made) => {
  const api = newApi();
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
  bind(api, route, async () => made().stream);
  return serve({ app: api.fetch });
};

test('a handler can answer with one where its contract has it', async () => {
  const response = await serving(() => numbers(1)).send('/flight-instances');
  expect(await response.text()).toBe('data: 1\n\n');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('what makes a stream fail is in the log with its request, and its caller sees nothing of it', async () => {
  const { send, lines } = serving(() => numbers(1, { fails: true }));
  const response = await send('/flight-instances');
  expect(await response.text()).toBe('data: 1\n\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { status: 200 },
    { requestId: response.headers.get('x-request-id'), err: { message: 'hunter2' } },
  ]);
});
