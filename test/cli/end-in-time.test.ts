import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endInTime } from '../../src/cli/serve/end-in-time.ts';

/** Nobody listens there. */
const away = { url: 'postgres://nobody@127.0.0.1:1/nothing', applicationName: 'flightdata-test' };
const never = new Promise<never>(() => {});

test.concurrent('what is under way is given up when the database has been away for some seconds', async () => {
  expect(await endInTime(away, never)).toBe(false);
});

test.concurrent('a server that is to go on for a while before it ends does so, also while the database is away', async () => {
  expect(await endInTime(away, delay(4500), 60_000)).toBe(true);
});

test.concurrent('what fails while it ends is told', async () => {
  await expect(endInTime(away, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
