import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoadShedder } from '#http/rate-limit/load-shedder.ts';
import { serve, summarizeResponse } from '../tiny-service.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('requests beyond the time limit of an event loop turn continue in later turns, or are rejected as overloaded', async () => {
  const shedder = new LoadShedder();
  expect(shedder.enter()).toBeUndefined();
  vi.advanceTimersByTime(5);
  const [second, third] = [shedder.enter(), shedder.enter()];
  expect(await Promise.all([second, third])).toEqual([undefined, undefined]);
  await nextTurn();
  expect(shedder.enter()).toBeUndefined();
  vi.advanceTimersByTime(5);
  const late = shedder.enter();
  vi.advanceTimersByTime(1000);
  await expect(late).rejects.toMatchObject({
    kind: 'overloaded',
    headers: { 'Retry-After': expect.stringMatching(/^[1-3]$/) },
  });
});

test('one request continues in a turn that accepts a connection', async () => {
  const shedder = new LoadShedder();
  shedder.onConnection();
  const order: string[] = [];
  const enter = async (name: string): Promise<void> => {
    await shedder.enter();
    order.push(name);
    shedder.onConnection();
  };
  const entered = Promise.all([enter('first'), enter('second')]);
  for (let turn = 0; turn < 2; turn += 1) {
    await nextTurn();
    order.push('turn');
  }
  await entered;
  expect(order).toEqual(['turn', 'first', 'turn', 'second']);
});

test('requests wait for the processor, and public operations do not', async () => {
  const loadShedder = new LoadShedder();
  const { send } = serve({ loadShedder });
  void loadShedder.enter();
  vi.advanceTimersByTime(5);
  const responses = [send('/flight-instances'), send('/flights/health', { key: null })];
  vi.advanceTimersByTime(1000);
  const seen = await Promise.all(responses.map(async (one) => summarizeResponse(await one)));
  expect(seen).toEqual(['503 overloaded', '200 v3']);
});
