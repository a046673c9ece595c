import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStatusReader } from '#jobs/status/ingest/feed-readers.ts';
import { type Acknowledgement, ingestStream, readAhead } from '#jobs/status/ingest/ingest-stream.ts';
import { createStatusIngester, type StatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { dumpStatuses, formatLine, listStoredMessages } from '../messages.ts';
import { db, useStatusWorld } from '../status-world.ts';

const openSource = () => {
  const { readable: items, writable } = new TransformStream<number, number>({}, { highWaterMark: 10_000 });
  const writer = writable.getWriter();
  const send = (...sent: readonly number[]): void => sent.forEach((item) => void writer.write(item));
  return { items, send, end: (): Promise<void> => writer.close() };
};
const count = (length: number): readonly number[] => Array.from({ length }, (_, item) => item);

/** Reads all batches, each with the millisecond of its arrival; processing one takes `tookMs`. */
const collect = async (
  batches: AsyncIterable<readonly number[]>,
  { tookMs = 0, onBatch = () => {} }: { readonly tookMs?: number; readonly onBatch?: () => void } = {},
): Promise<readonly (readonly [atMs: number, batch: readonly number[]])[]> => {
  const collected: (readonly [number, readonly number[]])[] = [];
  const from = performance.now();
  for await (const batch of batches) {
    collected.push([performance.now() - from, batch]);
    if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
    onBatch();
  }
  return collected;
};

const sendEach = async (source: ReturnType<typeof openSource>, count: number, apartMs: number): Promise<void> => {
  for (let item = 0; item < count; item += 1) {
    source.send(item);
    await vi.advanceTimersByTimeAsync(apartMs);
  }
  await source.end();
  await vi.advanceTimersByTimeAsync(100);
};

describe('reading ahead', () => {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] as const;
  beforeEach(() => void vi.useFakeTimers({ toFake: [...toFake] }));
  afterEach(() => void vi.useRealTimers());

  test('infrequent items are passed on immediately, each alone', async () => {
    const source = openSource();
    const collected = collect(readAhead(source.items).batches);
    await sendEach(source, 4, 50);
    expect(await collected).toEqual([
      [0, [0]],
      [50, [1]],
      [100, [2]],
      [150, [3]],
    ]);
  });

  test('frequent items are batched, and none waits for long', async () => {
    const source = openSource();
    const collected = collect(readAhead(source.items).batches, { tookMs: 6 });
    await sendEach(source, 100, 10);
    const batches = await collected;
    expect(batches.flatMap(([, batch]) => batch)).toEqual(count(100));
    expect(batches.length).toBeLessThan(45);
    const waits = batches.map(([atMs, [first = 0]]) => atMs - first * 10);
    expect(Math.max(...waits)).toBeLessThanOrEqual(31);
  });

  test('a source that waits for acknowledgements is delayed once a second', async () => {
    const source = openSource();
    let sent = 1;
    const collected = collect(readAhead(source.items).batches, {
      tookMs: 5,
      onBatch: () => {
        if (sent < 400) source.send(sent);
        else void source.end();
        sent += 1;
      },
    });
    source.send(0);
    await vi.advanceTimersByTimeAsync(4_000);
    const batches = await collected;
    expect(batches.map(([, batch]) => batch)).toEqual(count(400).map((item) => [item]));
    // 400 items of 5 ms each, and two waits of 25 ms.
    expect(batches.at(-1)?.[0]).toBe(399 * 5 + 2 * 25);
  });

  test('a full batch does not wait, and a batch has a limit of a thousand', async () => {
    const source = openSource();
    const collected = collect(readAhead(source.items).batches, { tookMs: 1 });
    source.send(...count(2500));
    await vi.advanceTimersByTimeAsync(10);
    await source.end();
    const batches = await collected;
    expect(batches.flatMap(([, batch]) => batch)).toEqual(count(2500));
    expect(Math.max(...batches.map(([, { length }]) => length))).toBeLessThanOrEqual(1_000);
    expect(batches.at(-1)?.[0]).toBeLessThan(25);
  });

  test('the end of the source follows immediately after all earlier items', async () => {
    const ending = openSource();
    const ended = collect(readAhead(ending.items).batches);
    ending.send(1, 2, 3);
    await ending.end();
    await vi.advanceTimersByTimeAsync(0);
    expect((await ended).flatMap(([, batch]) => batch)).toEqual([1, 2, 3]);
  });

  test('reads a source no further than a full batch ahead of the batch that is processed', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<number> {
      while (read < 100_000) yield (read += 1);
    }
    const { batches, stop } = readAhead(endless());
    const iterator = batches[Symbol.asyncIterator]();
    const processed = await iterator.next();
    await vi.advanceTimersByTimeAsync(1000);
    expect(read - (processed.value?.length ?? 0)).toBe(1000);
    stop(new Error('enough'));
  });
});

useStatusWorld();
let ingester: StatusIngester;
beforeAll(async () => {
  ingester = await createStatusIngester(db);
});

const line = (id: string, flightNumber = 101): string => formatLine(id, { flightNumber, departure: { gate: 'B1' } });
const read = createStatusReader(() => new Date('2026-06-01T12:00Z'));

/** Ingests chunks of text. Returns the acknowledgements, with the number of stored messages at each. */
const stream = async (pieces: AsyncIterable<Buffer> | Iterable<Buffer>) => {
  const acknowledgements: Acknowledgement[] = [];
  const stored: number[] = [];
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) yield piece;
  }
  const onBatch = async (acknowledgement: Acknowledgement): Promise<void> => {
    acknowledgements.push(acknowledgement);
    stored.push((await listStoredMessages(db)).length);
  };
  await ingestStream(read(bytes()), ingester, { onBatch });
  return { acknowledgements, stored };
};

const countOutcomes = (acknowledgements: readonly Acknowledgement[]): readonly number[] =>
  (['stored', 'duplicates', 'quarantined', 'rejected'] as const).map((name) =>
    acknowledgements.reduce((total, one) => total + one[name], 0),
  );

test('a stream repeated byte for byte stores no message, changes no status and emits no event', async () => {
  const pieces = [Buffer.from([line('1'), line('2', 999), line('3')].join('\n'))];
  const readAll = async () => [
    await dumpStatuses(db),
    await listStoredMessages(db),
    await db`select id from flight_event`,
  ];
  expect(countOutcomes((await stream(pieces)).acknowledgements)).toEqual([2, 0, 1, 0]);
  const before = await readAll();
  expect(countOutcomes((await stream(pieces)).acknowledgements)).toEqual([0, 2, 1, 0]);
  expect(await readAll()).toEqual(before);
});

test('an acknowledgement has the last stored line, the outcomes of the lines, and remarks', async () => {
  const text = [line('1'), line('1'), '', line('2', 999), '{"messageId":3}', line('4')].join('\n');
  const { acknowledgements } = await stream([Buffer.from(text)]);
  expect(acknowledgements.at(-1)?.line).toBe(6);
  expect(countOutcomes(acknowledgements)).toEqual([2, 1, 1, 1]);
  const remarks = acknowledgements.flatMap((one) => one.remarks).toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  expect(remarks.map((one) => [one.line, one.severity, one.field, one.value, one.reason])).toEqual([
    [4, 'quarantined', undefined, 'XX 999 of 2026-06-01, LHR-JFK', 'no-such-flight'],
    [5, 'quarantined', 'messageId', '3', expect.any(String)],
  ]);
});

test('acknowledgements grow, and everything they cover is in the database', async () => {
  const pieces = Array.from({ length: 30 }, (_, index) => Buffer.from(`${line(`a${index}`)}\n${line(`b${index}`)}\n`));
  const { acknowledgements, stored } = await stream(pieces);
  const lines = acknowledgements.map((one) => one.line);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  expect(lines.at(-1)).toBe(60);
  // The next batch may be stored already when one is acknowledged.
  expect(stored.filter((count, index) => count < (lines[index] ?? 0))).toEqual([]);
});

test('acknowledges each message of a slow source before the next one arrives', async () => {
  const source = new PassThrough();
  const acknowledgements = new PassThrough({ objectMode: true });
  const onBatch = (acknowledgement: Acknowledgement): void => void acknowledgements.write(acknowledgement);
  const ended = ingestStream(read(source), ingester, { onBatch });
  for (const number of [1, 2, 3]) {
    source.write(`${line(String(number))}\n`);
    const [acknowledgement] = await once(acknowledgements, 'data');
    expect([acknowledgement.line, acknowledgement.stored]).toEqual([number, 1]);
  }
  source.end();
  await ended;
});

test('a stream whose source fails ends with that error after earlier lines are stored', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${line('1')}\n`);
    throw new Error('the line was cut');
  }
  await expect(stream(failing())).rejects.toThrow('the line was cut');
  expect((await listStoredMessages(db)).length).toBe(1);
});

test('a stream ends with an error of the database while its source is silent, and acknowledges nothing after it', async () => {
  await db`alter table status_message add constraint planted check (id <> 'bad')`;
  const source = new PassThrough();
  const acknowledged: number[] = [];
  const ended = ingestStream(read(source), ingester, { onBatch: ({ line: upTo }) => void acknowledged.push(upTo) });
  source.write(`${line('good')}\n${line('bad')}\n`);
  await expect(ended).rejects.toThrow('planted');
  expect(acknowledged).not.toContain(2);
  await db`alter table status_message drop constraint planted`;
});

test('acknowledges a batch when its cache lease has ended, and stores the next batches meanwhile', async () => {
  const leaseMs = 100;
  const times: string[] = [];
  const slow: StatusIngester = {
    ingest: async (messages) => {
      const outcomes = await ingester.ingest(messages);
      storedAt = performance.now();
      times.push('stored');
      return outcomes;
    },
  };
  let storedAt = Infinity;
  const source = new PassThrough();
  const acknowledged: number[] = [];
  const onBatch = (): void => {
    times.push('acknowledged');
    acknowledged.push(performance.now() - storedAt);
  };
  const ended = ingestStream(read(source), slow, { onBatch, cacheLeaseMs: leaseMs });
  source.end(`${line('1')}\n`);
  await ended;
  expect(times).toEqual(['stored', 'acknowledged']);
  expect(acknowledged[0]).toBeGreaterThanOrEqual(leaseMs);
});
