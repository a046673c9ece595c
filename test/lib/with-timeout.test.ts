import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withTimeout } from '#lib/with-timeout.ts';

const blockEventLoop = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a result in time is returned, and a rejection is passed on', async () => {
  expect(await withTimeout(60_000, Promise.resolve('done'))).toBe('done');
  await expect(withTimeout(60_000, Promise.reject(new Error('lost')))).rejects.toThrow('lost');
});

test('work that takes longer than the time-out gives undefined', async () => {
  expect(await withTimeout(1, new Promise(() => {}))).toBeUndefined();
});

test('a result that arrives while the event loop is blocked for longer than the time-out is in time', async () => {
  await setImmediate(); // After the I/O of a turn of the event loop, so that timers come first.
  const result = withTimeout(1, stat(import.meta.filename));
  blockEventLoop(200);
  expect((await result)?.isFile()).toBe(true);
});
