import { expect, test } from 'vitest';
import { waitForShutdown } from '#cli/serve/shutdown.ts';

const unreachable = { url: 'postgres://absent@127.0.0.1:1/nothing', applicationName: 'flightdata-test' };
const never = new Promise<never>(() => {});

test('abandons running requests when the database stays unreachable, but not while draining', async () => {
  const abandoned = waitForShutdown(unreachable, never);
  const drained = waitForShutdown(unreachable, abandoned, 60_000);
  expect([await abandoned, await drained]).toEqual([false, true]);
});

test('throws the error of a step that fails during shutdown', async () => {
  await expect(waitForShutdown(unreachable, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
