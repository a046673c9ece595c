import { expect, onTestFinished, test, vi } from 'vitest';
import { readBodyBytes } from '#http/request/body-bytes.ts';

const MAX_BYTES = 1024 * 1024;

const post = (body: ReadableStream<Uint8Array> | string): Request =>
  new Request('http://service.test/', { method: 'POST', body, ...(typeof body !== 'string' && { duplex: 'half' }) });

/** A body of chunks of this size without end, and the number of chunks that were read. */
const endless = (bytes: number) => {
  const state = { read: 0 };
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    state.read += 1;
    controller.enqueue(new Uint8Array(bytes));
  };
  return { state, body: new ReadableStream({ pull }) };
};

/** A body that starts and then neither continues nor ends. */
const stuck = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) });

/** Replaces the timers and the clock of the body. */
const fakeTime = (): void => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
};

/** A body of which a number of bytes arrives each second; `passSecond` returns after one of them. */
const arriving = (bytesPerSecond: number) => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const passSecond = async (): Promise<void> => {
    if (bytesPerSecond > 0) await writer.write(new Uint8Array(bytesPerSecond));
    await vi.advanceTimersByTimeAsync(1000);
  };
  return { body: readable, passSecond };
};

test('reads the whole body', async () => {
  expect((await readBodyBytes(post('{"a":"é"}'), MAX_BYTES)).toString()).toBe('{"a":"é"}');
});

test.each([
  ['nothing', 0, 7, 'The body arrives too slowly: 0 bytes in 7 seconds. The minimum is 240 bytes a second.'],
  ['a byte a second', 1, 7, 'The body arrives too slowly: 7 bytes in 7 seconds. The minimum is 240 bytes a second.'],
  [
    '239 bytes a second',
    239,
    7,
    'The body arrives too slowly: 1673 bytes in 7 seconds. The minimum is 240 bytes a second.',
  ],
  ['240 bytes a second, but not the end', 240, 20, 'The body did not arrive in time.'],
])('rejects a body of which %s arrives', async (_, bytesPerSecond, seconds, message) => {
  fakeTime();
  const { body, passSecond } = arriving(bytesPerSecond);
  let rejection: unknown;
  const reading = readBodyBytes(post(body), MAX_BYTES).catch((error: unknown) => (rejection = error));
  for (let second = 1; second < seconds; second += 1) await passSecond();
  expect(rejection).toBeUndefined();
  await passSecond();
  await reading;
  expect(rejection).toMatchObject({ kind: 'request-timeout', message });
});

test('a body that has waited in a busy process is read, although it arrived in one piece after nine seconds', async () => {
  fakeTime();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const reading = readBodyBytes(post(readable), MAX_BYTES);
  // One check takes place after the pause of the process, and before it reads.
  vi.setSystemTime(Date.now() + 9000);
  await vi.advanceTimersByTimeAsync(1000);
  await writer.write(new Uint8Array(5000));
  await writer.close();
  expect(await reading).toHaveLength(5000);
});

test('rejects a body of too many chunks: a million of one byte would take 700 MB', async () => {
  const { state, body } = endless(1);
  await expect(readBodyBytes(post(body), MAX_BYTES)).rejects.toMatchObject({
    kind: 'body-too-large',
    message: 'The body arrived in too many pieces. Send larger chunks.',
  });
  expect(state.read).toBeLessThan(5_000);
});

test('rejects a body by its Content-Length before it arrives', async () => {
  const request = new Request(post(stuck()), { headers: { 'Content-Length': String(2 ** 20 + 1) } });
  await expect(readBodyBytes(request, MAX_BYTES)).rejects.toMatchObject({ kind: 'body-too-large' });
});

test('stops reading a body at 1 MiB', async () => {
  const { state, body } = endless(65_536);
  await expect(readBodyBytes(post(body), MAX_BYTES)).rejects.toMatchObject({ kind: 'body-too-large' });
  expect(state.read).toBeLessThan(24);
});

test('leaves no timer when the body was read, or was rejected', async () => {
  fakeTime();
  await readBodyBytes(post('{}'), MAX_BYTES);
  await expect(readBodyBytes(post(endless(65_536).body), MAX_BYTES)).rejects.toThrow('The limit of a body');
  expect(vi.getTimerCount()).toBe(0);
});
