import { beforeEach, expect, test } from 'vitest';
import { backgroundTasks, listTaskNames } from '#jobs/task-registry.ts';
import { BackgroundDriver, type RunOutcome, type TaskWork } from '#jobs/driver.ts';
import { EVENTS_CHANNEL } from '#store/events/event-outbox.ts';
import type { Database } from '#store/pool/database.ts';
import { fail, fresh, stops, useDatabase } from './job-database.ts';

const now = new Date('2027-01-01T00:00:00Z');
const NEVER_MS = 600_000;
let driver: BackgroundDriver;
useDatabase();
beforeEach(() => {
  driver = new BackgroundDriver(fresh.sql, () => now);
});

const start = async (run: TaskWork['run'], work: Partial<TaskWork> = {}): Promise<{ readonly trigger: () => void }> => {
  const task = await driver.start('fan-out-events', { run, onError: fail, periodMs: NEVER_MS, standbyMs: 20, ...work });
  stops.push(task.stop);
  return task;
};
const counted = (...outcomes: readonly RunOutcome[]) => {
  let runs = 0;
  const run = async (): Promise<RunOutcome> => outcomes[(runs += 1) - 1] ?? 'done';
  return { run, count: () => runs };
};

test('every task has a description, and a period or a channel that triggers it', () => {
  const lacking = Object.values(backgroundTasks).filter(
    ({ description, periodMs, channels: [channel] }) =>
      !/^[a-z]/.test(description) || (periodMs ?? channel) === undefined,
  );
  expect([lacking, listTaskNames().length > 10]).toEqual([[], true]);
});

test('runs at the start, by a notification, by a trigger, and again while there is more to do', async () => {
  const { run, count } = counted('more', 'more');
  const { trigger } = await start(run);
  await expect.poll(count).toBe(3);
  await fresh.sql`select pg_notify(${EVENTS_CHANNEL}, '')`;
  await expect.poll(count).toBe(4);
  trigger();
  await expect.poll(count).toBe(5);
});

test('runs when its lost connection is restored, because notifications may have been lost', async () => {
  const { run, count } = counted();
  await start(run);
  await expect.poll(count).toBe(1);
  const lost = await fresh.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`;
  expect(lost).toHaveLength(1);
  await expect.poll(count, { timeout: 60_000 }).toBe(2);
});

test('runs after each period, and after the time that a run returns', async () => {
  const { run, count } = counted({ nextInMs: 5 });
  await start(run);
  const other = counted();
  stops.push((await driver.start('prune-events', { run: other.run, onError: fail, periodMs: 5 })).stop);
  await expect.poll(other.count).toBeGreaterThan(2);
  await expect.poll(count).toBe(2);
});

test('reports a failed run and repeats it after a pause', async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const run = async (): Promise<RunOutcome> => {
    runs += 1;
    if (runs === 1) throw new Error('out of luck');
    return 'done';
  };
  await start(run, { onError: (error) => errors.push(error), retryMs: 5 });
  await expect.poll(() => runs).toBe(2);
  expect(errors).toEqual([new Error('out of luck')]);
  const times = { lastRunAt: now, lastSuccessAt: now, lastError: { at: now, error: new Error('out of luck') } };
  const state = { isRunning: true, runs: 2, errors: 1, holdsLease: true };
  expect(driver.listStatuses()).toEqual([{ name: 'fan-out-events', ...state, ...times }]);
});

test('waits while another process holds the lease, and does not count that as runs', async () => {
  const { run, count } = counted('standby', 'standby');
  await start(run);
  await expect.poll(count).toBe(1);
  expect(driver.listStatuses()).toMatchObject([{ runs: 0, holdsLease: false }]);
  await expect.poll(count).toBe(3);
  expect(driver.listStatuses()).toMatchObject([{ runs: 1, holdsLease: true }]);
});

test('a task runs once in a process, and can start again after it has stopped', async () => {
  const { run } = counted();
  const { stop } = await driver.start('fan-out-events', { run, onError: fail, standbyMs: 20 });
  await expect(start(run)).rejects.toThrow('the background task fan-out-events is already running');
  await stop();
  expect(driver.listStatuses()).toMatchObject([{ isRunning: false, runs: 1, holdsLease: false }]);
  await start(run);
  await expect.poll(() => driver.listStatuses()).toMatchObject([{ isRunning: true, runs: 2 }]);
});

test('does not start a task whose channels cannot be subscribed', async () => {
  const listen = () => Promise.reject(new Error('the database is unreachable'));
  const unreachable = new BackgroundDriver({ listen }, () => now);
  const { run, count } = counted();
  const started = unreachable.start('fan-out-events', { run, onError: fail });
  await expect(started).rejects.toThrow('the database is unreachable');
  expect([count(), unreachable.listStatuses()[0]?.isRunning]).toEqual([0, false]);
});

test('a task that may run without its channels reports that, and subscribes later', async () => {
  const errors: unknown[] = [];
  let attempts = 0;
  const flaky = {
    listen: async (_channel: string, _onPayload: unknown, onListening?: () => void) => {
      attempts += 1;
      if (attempts === 1) throw new Error('the database is unreachable');
      onListening?.();
      return { unlisten: async () => {} };
    },
  } as Pick<Database, 'listen'>;
  const { run, count } = counted();
  const later = new BackgroundDriver(flaky, () => now);
  const onError = (error: unknown): void => void errors.push(error);
  stops.push(later.startWithRetry('watch-account-events', { run, onError, periodMs: 5 }).stop);
  await expect.poll(count).toBeGreaterThan(2);
  expect([attempts, errors]).toEqual([2, [new Error('the database is unreachable')]]);
});

test('its metrics have a series for each task', async () => {
  const { run, count } = counted();
  await start(run);
  await expect.poll(count).toBe(1);
  const values = { runs_total: 1, errors_total: 0, last_success_timestamp_seconds: now.getTime() / 1000, leader: 1 };
  const labels = { task: 'fan-out-events' };
  expect((await driver.observe()).map(({ name, samples }) => [name, samples])).toEqual(
    Object.entries(values).map(([name, value]) => [`flightdata_background_task_${name}`, [{ labels, value }]]),
  );
});
