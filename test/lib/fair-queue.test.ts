import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairQueue, type EndTurn } from '#lib/fair-queue.ts';

let now = 0;
beforeEach(() => {
  now = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => void vi.useRealTimers());

/** Advances the clock of the queue and its timers. */
const advance = (ms: number): void => {
  now += ms;
  vi.advanceTimersByTime(ms);
};

const createQueue = (maxRunning: number, isStalled?: () => boolean) => {
  const queue = new FairQueue({
    maxRunning,
    wait: { targetMs: 500, intervalMs: 1000 },
    now: () => now,
    createError: () => new Error('overloaded'),
    isStalled,
  });
  const started: string[] = [];
  const rejected: string[] = [];
  const running: { readonly name: string; readonly end: EndTurn }[] = [];
  const enter = async (owner: number, name: string, isExclusive = false): Promise<void> => {
    try {
      const end = await queue.enter({ owner, isExclusive });
      started.push(name);
      running.push({ name, end });
    } catch {
      rejected.push(name);
    }
  };
  const end = async (name: string): Promise<void> => {
    const index = running.findIndex((one) => one.name === name);
    running.splice(index, 1)[0]?.end();
    await nextTurn();
  };
  return { queue, started, rejected, enter, end };
};

test('starts a turn without a promise while there is room, and a single owner can use three quarters of it', () => {
  const { queue } = createQueue(4);
  const enter = () => queue.enter({ owner: 1, isExclusive: false });
  const turns = [enter(), enter(), enter(), enter()];
  expect(turns.map((turn) => turn instanceof Promise)).toEqual([false, false, false, true]);
});

test('gives turns to waiting owners in rotation, however many entries each of them has', async () => {
  const { started, enter, end } = createQueue(2);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void enter(1, name);
  for (const name of ['b1', 'b2']) void enter(2, name);
  void enter(3, 'c1');
  await nextTurn();
  expect(started).toEqual(['a1', 'a2']);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(name);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5']);
});

test('limits each of several active owners to its share, until the others were idle for a second', async () => {
  const { started, enter, end } = createQueue(8);
  await enter(2, 'b1');
  await end('b1');
  advance(500);
  for (let n = 1; n <= 6; n += 1) void enter(1, `a${n}`);
  await nextTurn();
  const shared = ['b1', 'a1', 'a2', 'a3', 'a4'];
  expect(started).toEqual(shared);
  advance(499);
  await nextTurn();
  expect(started).toEqual(shared);
  advance(10);
  await nextTurn();
  expect(started).toEqual([...shared, 'a5', 'a6']);
});

test('an owner with long turns runs one entry at a time beside others, and more again after short turns', async () => {
  const { started, enter, end } = createQueue(8);
  void enter(2, 'b');
  await enter(1, 'long');
  advance(400);
  await end('long');
  for (let n = 1; n <= 20; n += 1) void enter(1, `a${n}`);
  await nextTurn();
  expect(started).toEqual(['b', 'long', 'a1']);
  for (let n = 1; n <= 6; n += 1) await end(`a${n}`);
  expect(started.slice(2)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']);
  await end('a7');
  expect(started.slice(9)).toEqual(['a8', 'a9']);
});

test('runs one exclusive entry of an owner at a time, beside its other entries and those of others', async () => {
  // Two owners can each have two.
  const { started, enter, end } = createQueue(16);
  void enter(1, 'write 1', true);
  void enter(1, 'write 2', true);
  void enter(1, 'read 1');
  void enter(2, 'other write', true);
  await nextTurn();
  expect(started).toEqual(['write 1', 'read 1', 'other write']);
  await end('write 1');
  expect(started).toEqual(['write 1', 'read 1', 'other write', 'write 2']);
});

test('rejects entries that wait for too long, some at a time, and those of their owner only', async () => {
  const { started, rejected, enter, end } = createQueue(1);
  for (let n = 0; n < 130; n += 1) void enter(1, `a${n}`);
  await nextTurn();
  advance(999);
  await nextTurn();
  expect(rejected).toEqual([]);
  void enter(2, 'b');
  advance(1);
  await nextTurn();
  expect(rejected).toEqual(['a1', 'a2', 'a3']);
  advance(10);
  await nextTurn();
  expect(rejected).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  // The next turn is for the owner that has had none, although it waits for less time.
  await end('a0');
  await end('a6');
  expect(started).toEqual(['a0', 'a6', 'b']);
  advance(2000);
  await nextTurn();
  expect([started.length, rejected.length]).toEqual([3, 128]);
});

test('rejects no entry while running ones are stalled, nor in the second after that', async () => {
  let isStalled = true;
  const { enter, rejected } = createQueue(1, () => isStalled);
  await enter(1, 'running');
  void enter(1, 'waiting');
  advance(1400);
  await nextTurn();
  isStalled = false;
  advance(900);
  await nextTurn();
  expect(rejected).toEqual([]);
  advance(200);
  await nextTurn();
  expect(rejected).toEqual(['waiting']);
});

test('rejects entries again when a stall lasts for three seconds', async () => {
  const { enter, rejected } = createQueue(1, () => true);
  await enter(1, 'running');
  void enter(1, 'waiting');
  for (let step = 0; step < 29; step += 1) advance(100);
  await nextTurn();
  expect(rejected).toEqual([]);
  for (let step = 0; step < 2; step += 1) advance(100);
  await nextTurn();
  expect(rejected).toEqual(['waiting']);
});

test('ending a turn twice frees one place', async () => {
  const { queue, started, enter } = createQueue(1);
  const turn = queue.enter({ owner: 1, isExclusive: false });
  for (const name of ['a', 'b']) void enter(1, name);
  if (turn instanceof Promise) throw new Error('the first entry waits');
  turn();
  turn();
  await nextTurn();
  expect(started).toEqual(['a']);
});
