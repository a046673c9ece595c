import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLease } from '#lib/lease.ts';

const LEASE_MS = 20;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const createHeldLease = () => {
  const checks: PromiseWithResolvers<void>[] = [];
  const lease = createLease(LEASE_MS, () => {
    const check = Promise.withResolvers<void>();
    checks.push(check);
    return check.promise;
  });
  const callers: string[] = [];
  const catchUp = (name: string): void =>
    void lease.catchUp().then(
      () => callers.push(`${name} caught up`),
      () => callers.push(`${name} failed`),
    );
  return { lease, checks, callers, catchUp };
};

const createGrantedLease = async () => {
  const held = createHeldLease();
  held.catchUp('one');
  held.checks[0]?.resolve();
  await expect.poll(() => held.callers).toEqual(['one caught up']);
  return held;
};

test('callers share a check under way, which grants a lease from its beginning on', async () => {
  const { lease, checks, callers, catchUp } = createHeldLease();
  expect(lease.isCaughtUp()).toBe(false);
  catchUp('one');
  catchUp('other');
  vi.advanceTimersByTime(15);
  checks[0]?.resolve();
  await expect.poll(() => callers).toEqual(['one caught up', 'other caught up']);
  vi.advanceTimersByTime(4);
  expect([lease.isCaughtUp(), checks.length]).toEqual([true, 2]);
  vi.advanceTimersByTime(1);
  expect(lease.isCaughtUp()).toBe(false);
});

test('a check is due from the middle of a lease on, and no caller waits for it', async () => {
  const { lease, checks } = await createGrantedLease();
  vi.advanceTimersByTime(9);
  expect([lease.isCaughtUp(), checks.length]).toEqual([true, 1]);
  vi.advanceTimersByTime(1);
  expect([lease.isCaughtUp(), lease.isCaughtUp(), checks.length]).toEqual([true, true, 2]);
  checks[1]?.resolve();
  await expect.poll(() => [lease.isCaughtUp(), checks.length]).toEqual([true, 2]);
  vi.advanceTimersByTime(19);
  expect(lease.isCaughtUp()).toBe(true);
});

test('after a check that took longer than a lease, a caller waits for one that began after its call', async () => {
  const { checks, callers, catchUp } = createHeldLease();
  catchUp('first');
  vi.advanceTimersByTime(10);
  catchUp('later');
  vi.advanceTimersByTime(10);
  checks[0]?.resolve();
  await expect.poll(() => checks.length).toBe(2);
  expect(callers).toEqual([]);
  vi.advanceTimersByTime(100);
  checks[1]?.resolve();
  await expect.poll(() => callers).toEqual(['first caught up', 'later caught up']);
  expect(checks).toHaveLength(2);
});

test('a check that fails rejects for its callers and ends the lease; the next caller checks again', async () => {
  const { lease, checks, callers, catchUp } = await createGrantedLease();
  vi.advanceTimersByTime(10);
  expect(lease.isCaughtUp()).toBe(true);
  catchUp('two');
  checks[1]?.reject(new Error('away'));
  await expect.poll(() => callers).toEqual(['one caught up', 'two failed']);
  expect(lease.isCaughtUp()).toBe(false);
  catchUp('three');
  checks[2]?.resolve();
  await expect.poll(() => callers.at(-1)).toBe('three caught up');
});
