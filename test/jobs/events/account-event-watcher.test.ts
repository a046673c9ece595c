import { expect, test } from 'vitest';
import { ACCOUNT_EVENTS_CHANNEL } from '../../../src/store/events/account-events.ts';
import { AccountEventWatcher } from '../../../src/jobs/events/account-event-watcher.ts';
import type { AccountEventWatcherOptions } from '../../../src/jobs/events/account-event-watcher.ts';
import { db, fail, stops, useDatabase } from '../job-database.ts';

useDatabase({ reset: (sql) => sql`delete from account_stream` });

const createWatcher = (options: Partial<AccountEventWatcherOptions> = {}): AccountEventWatcher => {
  const watcher = new AccountEventWatcher(db, { onError: fail, pollMs: 60_000, ...options });
  stops.push(() => watcher.stop());
  return watcher;
};

const moveTo = async (stream: number, last: number, isNotified = true): Promise<void> => {
  await db`
    insert into account_stream (stream, last_number) values (${stream}, ${last})
    on conflict (stream) do update set last_number = excluded.last_number`;
  if (isNotified) await db`select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, '')`;
};

const never = new AbortController().signal;
const LONG_MS = 60_000;

const waitOn = (watcher: AccountEventWatcher, after: number, signal = never): Promise<void> =>
  watcher.waitForEvents({ stream: 1, after, timeoutMs: LONG_MS }, signal);

const isOver = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);

test('wakes the requests whose stream has a new event, and no others', async () => {
  const watcher = createWatcher();
  const own = waitOn(watcher, 4);
  const other = watcher.waitForEvents({ stream: 2, after: 0, timeoutMs: LONG_MS }, never);
  await moveTo(1, 4);
  await moveTo(1, 5);
  await own;
  expect(await isOver(other)).toBe(false);
  await moveTo(2, 1);
  await other;
});

test('returns at once for an event that already exists', async () => {
  await moveTo(1, 5, false);
  const watcher = createWatcher();
  await waitOn(watcher, 4);
  const later = waitOn(watcher, 5);
  expect(await isOver(later)).toBe(false);
  await moveTo(1, 6);
  await later;
});

test('waiting ends after the timeout, an abort, and a stop', async () => {
  const watcher = createWatcher();
  const off = new AbortController();
  await watcher.waitForEvents({ stream: 1, after: 0, timeoutMs: 5 }, never);
  const called = waitOn(watcher, 0, off.signal);
  off.abort();
  await called;
  await waitOn(watcher, 0, off.signal);
  const waiting = waitOn(watcher, 0);
  expect(watcher.isStopped()).toBe(false);
  await watcher.stop();
  await waiting;
  await waitOn(watcher, 0);
  expect(watcher.isStopped()).toBe(true);
});
