import { expect, test } from 'vitest';
import { ACCOUNT_EVENTS_CHANNEL } from '#store/events/account-events.ts';
import { AccountEventWatcher } from '#jobs/events/account-event-watcher.ts';
import { deleteAccount } from '#store/alerts/alert-accounts.ts';
import type { AccountEventWatcherOptions } from '#jobs/events/account-event-watcher.ts';
import { insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { db, fail, stops, useDatabase } from '../job-database.ts';

/** The streams of two accounts. */
let [first, second] = [0, 0];
useDatabase({
  prepare: async (sql) => {
    [first, second] = [(await insertSampleAccount(sql)).stream, (await insertSampleAccount(sql)).stream];
  },
  reset: (sql) => sql`delete from account_stream`,
});

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
  watcher.waitForEvents({ stream: first, after, timeoutMs: LONG_MS }, signal);

const isOver = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);

test('wakes the requests whose stream has a new event, and no others', async () => {
  const watcher = createWatcher();
  const own = waitOn(watcher, 4);
  const other = watcher.waitForEvents({ stream: second, after: 0, timeoutMs: LONG_MS }, never);
  await moveTo(first, 4);
  await moveTo(first, 5);
  await own;
  expect(await isOver(other)).toBe(false);
  await moveTo(second, 1);
  await other;
});

test('returns at once for an event that already exists', async () => {
  await moveTo(first, 5, false);
  const watcher = createWatcher();
  await waitOn(watcher, 4);
  const later = waitOn(watcher, 5);
  expect(await isOver(later)).toBe(false);
  await moveTo(first, 6);
  await later;
});

test('wakes the requests of every process whose account is deleted, with or without events', async () => {
  const accounts = [await insertSampleAccount(db), await insertSampleAccount(db)];
  const streams = accounts.map(({ stream }) => stream);
  await moveTo(streams[0] ?? 0, 5);
  const waiting = [createWatcher(), createWatcher()].flatMap((watcher) =>
    [...streams.entries()].map(([index, stream]) =>
      watcher.waitForEvents({ stream, after: index === 0 ? 5 : 0, timeoutMs: LONG_MS }, never),
    ),
  );
  for (const { id } of accounts) await db.begin((sql) => deleteAccount(sql, id));
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined, undefined]);
});

test('waiting ends after the timeout, an abort, and a stop', async () => {
  const watcher = createWatcher();
  const off = new AbortController();
  await watcher.waitForEvents({ stream: first, after: 0, timeoutMs: 5 }, never);
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
