import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAhead } from '../../../../src/jobs/status/ingest/read-ahead.ts';

/** A source that is handed items one by one. */
const openSource = () => {
  const { readable, writable } = new TransformStream<number, number>({}, { highWaterMark: 10_000 });
  const writer = writable.getWriter();
  return {
    items: readable,
    send: (...items: readonly number[]): void => {
      for (const item of items) void writer.write(item);
    },
    end: (): Promise<void> => writer.close(),
  };
};

/** Reads all batches, each with the millisecond at which it was handed on; dealing with one takes so long. */
const collect = async (
  batches: AsyncIterable<readonly number[]>,
  { tookMs = 0, onBatch = () => {} }: { readonly tookMs?: number; readonly onBatch?: () => void } = {},
): Promise<readonly (readonly [atMs: number, batch: readonly number[]])[]> => {
  const found: (readonly [number, readonly number[]])[] = [];
  const from = performance.now();
  for await (const batch of batches) {
    found.push([performance.now() - from, batch]);
    if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
    onBatch();
  }
  return found;
};

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

/** Sends items so far apart, then ends. */
const sendEach = async (source: ReturnType<typeof openSource>, count: number, apartMs: number): Promise<void> => {
  for (let item = 0; item < count; item += 1) {
    source.send(item);
    await vi.advanceTimersByTimeAsync(apartMs);
  }
  await source.end();
  await vi.advanceTimersByTimeAsync(100);
};

test('items that come seldom are handed on at once, each alone', async () => {
  const source = openSource();
  const found = collect(readAhead(source.items).batches);
  await sendEach(source, 4, 50);
  expect(await found).toEqual([
    [0, [0]],
    [50, [1]],
    [100, [2]],
    [150, [3]],
  ]);
});

test('items that follow one another closely are gathered, and none waits for long', async () => {
  const source = openSource();
  const found = collect(readAhead(source.items).batches, { tookMs: 6 });
  await sendEach(source, 100, 10);
  const batches = await found;
  expect(batches.flatMap(([, batch]) => batch)).toEqual(Array.from({ length: 100 }, (_, item) => item));
  expect(batches.length).toBeLessThan(45);
  const waits = batches.map(([atMs, [first = 0]]) => atMs - first * 10);
  expect(Math.max(...waits)).toBeLessThanOrEqual(31);
});

test('a source that waits for acknowledgements is delayed once a second', async () => {
  const source = openSource();
  let sent = 1;
  const found = collect(readAhead(source.items).batches, {
    tookMs: 5,
    onBatch: () => {
      if (sent < 400) source.send(sent);
      else void source.end();
      sent += 1;
    },
  });
  source.send(0);
  await vi.advanceTimersByTimeAsync(4_000);
  const batches = await found;
  expect(batches.map(([, batch]) => batch)).toEqual(Array.from({ length: 400 }, (_, item) => [item]));
  // Of 400 items, each of which takes 5 ms, and two waits of 25 ms.
  expect(batches.at(-1)?.[0]).toBe(399 * 5 + 2 * 25);
});

test('what is enough for a batch waits for no more, and a batch is no more than a thousand', async () => {
  const source = openSource();
  const found = collect(readAhead(source.items).batches, { tookMs: 1 });
  source.send(...Array.from({ length: 2_500 }, (_, item) => item));
  await vi.advanceTimersByTimeAsync(10);
  await source.end();
  const batches = await found;
  expect(batches.flatMap(([, batch]) => batch)).toEqual(Array.from({ length: 2_500 }, (_, item) => item));
  expect(Math.max(...batches.map(([, { length }]) => length))).toBeLessThanOrEqual(1_000);
  expect(batches.at(-1)?.[0]).toBeLessThan(25);
});

test('the end of the source, and its failure, come at once and after all that came before', async () => {
  const ending = openSource();
  const ended = collect(readAhead(ending.items).batches);
  ending.send(1, 2, 3);
  await ending.end();
  await vi.advanceTimersByTimeAsync(0);
  expect((await ended).flatMap(([, batch]) => batch)).toEqual([1, 2, 3]);

  async function* failing(): AsyncGenerator<number> {
    yield 1;
    yield 2;
    throw new Error('the line was cut');
  }
  const received: number[] = [];
  const failed = (async () => {
    for await (const batch of readAhead(failing()).batches) received.push(...batch);
  })();
  await expect(failed).rejects.toThrow('the line was cut');
  expect(received).toEqual([1, 2]);
});

test('once it is stopped it ends with that failure, though the source is silent and items wait for others', async () => {
  const source = openSource();
  const { batches, stop } = readAhead(source.items);
  const ended = Promise.allSettled([collect(batches)]);
  source.send(1, 2, 3);
  await vi.advanceTimersByTimeAsync(1);
  stop(new Error('full'));
  expect(await ended).toEqual([{ status: 'rejected', reason: new Error('full') }]);
});
