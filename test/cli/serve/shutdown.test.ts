import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitForShutdown } from '../../../src/cli/serve/shutdown.ts';

/** No process listens on this port. */
const unreachable = { url: 'postgres://nobody@127.0.0.1:1/nothing', applicationName: 'flightdata-test' };
const never = new Promise<never>(() => {});

test.concurrent('abandons running requests when the database has been unreachable for some seconds', async () => {
  expect(await waitForShutdown(unreachable, never)).toBe(false);
});

test.concurrent('drains for as long as configured, also while the database is unreachable', async () => {
  expect(await waitForShutdown(unreachable, delay(4500), 60_000)).toBe(true);
});

test.concurrent('throws the error of a step that fails during shutdown', async () => {
  await expect(waitForShutdown(unreachable, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
