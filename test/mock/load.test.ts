import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMock } from '../../src/mock/mock.ts';
import { WORLD_DAY } from '../contract/services/served-documents.ts';

test('an early request waits for its version only', async () => {
  const { fetch, load: open } = createMock({
    clock: () => new Date(`${WORLD_DAY}T12:00:00Z`),
    log: { request: () => {}, failure: () => {}, flush: async () => {} },
  });
  const order: string[] = [];
  const opened = open().then(() => order.push('every version is read'));
  // Requests come in between what is being done, as those of a socket do.
  await setImmediate();
  const { status } = await fetch(new Request('http://mock.test/flights', { headers: { 'Subscription-Key': 'any' } }));
  order.push(`responded ${status}`);
  await opened;
  expect(order).toEqual(['responded 200', 'every version is read']);
});
