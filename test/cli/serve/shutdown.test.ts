import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitForShutdown } from '../../../src/cli/serve/shutdown.ts';

/** Nobody listens there. */
const away = { url: 'postgres://nobody@127.0.0.1:1/nothing', applicationName: 'flightdata-test' };
const never = new Promise<never>(() => {});

test.concurrent('what is under way is given up when the database has been away for some seconds', async () => {
  expect(await waitForShutdown(away, never)).toBe(false);
});

test.concurrent('a server that is to go on for a while before it ends does so, also while the database is away', async () => {
  expect(await waitForShutdown(away, delay(4500), 60_000)).toBe(true);
});

test.concurrent('what fails while it ends is told', async () => {
  await expect(waitForShutdown(away, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
