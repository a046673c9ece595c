import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueues } from '#http/rate-limit/fair-admission.ts';
import { createApiOf, serve } from '../tiny-service.ts';

test('a subscription runs six requests at the same time, and the others as these end', async () => {
  let [running, most] = [0, 0];
  const api = createApiOf(async (c) => {
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    return c.json({}, 200);
  });
  const { send } = serve({ api, fairQueues: createFairQueues() });
  const responses = await Promise.all(Array.from({ length: 20 }, () => send('/flight-instances')));
  expect([most, new Set(responses.map(({ status }) => status))]).toEqual([6, new Set([200])]);
});
