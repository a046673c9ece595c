import { expect, test } from 'vitest';
import { plainSecretBox } from '#lib/secret-box.ts';
import { insertAlertChange } from '#store/alerts/alert-changes.ts';
import { claimIdempotencyKey, updateIdempotentResponse } from '#store/alerts/idempotency.ts';
import { insertEndpoint } from '#store/deliveries/endpoints.ts';
import { startEventDataPruning, pruneEventData } from '#jobs/retention/prune-events.ts';
import { insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { deleteAllEvents, insertStatusEvents, listAllEvents, noon } from '#test/store/events/sample-events.ts';
import { sequence } from '#test/store/events/sample-events.ts';
import { untilBlocked } from '#test/support/database.ts';
import { db, fail, stops, useDatabase } from '../job-database.ts';
import { startPageChangePruning } from '#jobs/retention/prune-page-changes.ts';

useDatabase({ reset: deleteAllEvents });

const DAY_MS = 86_400_000;
const daysLater = (days: number): Date => new Date(noon.getTime() + days * DAY_MS);

const log = async (flight: number, days: number): Promise<void> => {
  await db.begin((sql) => insertStatusEvents(sql, [flight]));
  await sequence(db, { now: daysLater(days) });
  await db`update event_distribution set last_pos = (select last_pos from event_log_end)`;
};
const positions = async (): Promise<readonly number[]> => {
  const [row] = await db<{ first: bigint | null }[]>`select min(pos) as first from event_log`;
  return (await listAllEvents(db, Number(row?.first ?? 1n) - 1)).map(({ position }) => position);
};
const flights = async (): Promise<number> => (await db`select from flight_version`).length;

test('retains events for seven days, or for the configured time', async () => {
  await log(1, 0);
  await log(2, 1);
  await log(3, 5);
  await pruneEventData(db, { now: daysLater(7) });
  expect(await positions()).toEqual([1, 2, 3]);
  await pruneEventData(db, { now: new Date(daysLater(7).getTime() + 1) });
  expect(await positions()).toEqual([2, 3]);
  await pruneEventData(db, { now: daysLater(7), retentionMs: 3 * DAY_MS });
  expect(await positions()).toEqual([3]);
});

test('forgets a flight thirty days after it departed, and never before its events', async () => {
  await log(1, 0);
  await pruneEventData(db, { now: daysLater(30) });
  expect([await positions(), await flights()]).toEqual([[], 1]);
  await pruneEventData(db, { now: daysLater(31) });
  expect(await flights()).toBe(0);
  await log(2, 0);
  await pruneEventData(db, { now: daysLater(40), retentionMs: 40 * DAY_MS });
  expect([await positions(), await flights()]).toEqual([[2], 1]);
});

test('retains alert changes for a day', async () => {
  for (const _ of [1, 2]) await db.begin((sql) => insertAlertChange(sql, '00000000-0000-4000-8000-000000000001'));
  await db`update alert_change set made_at = ${noon} where number = 1`;
  await db`update alert_change set made_at = ${daysLater(1)} where number = 2`;
  await pruneEventData(db, { now: new Date(daysLater(1).getTime() + 1) });
  expect(await db`select number from alert_change`).toEqual([{ number: 2n }]);
});

test('retains stored responses for a day', async () => {
  const { id: accountId, subscriptionId } = await insertSampleAccount(db);
  for (const [key, days] of [
    ['first', 0],
    ['second', 0.5],
  ] as const)
    await db.begin(async (sql) => {
      const request = { subscriptionId, key, fingerprint: Buffer.alloc(32), now: daysLater(days) };
      await claimIdempotencyKey(sql, request);
      await updateIdempotentResponse(sql, request, { accountId, response: '{}' });
    });
  const stored = async (): Promise<readonly string[]> =>
    (await db<{ key: string }[]>`select key from idempotency_key order by key`).map(({ key }) => key);
  await pruneEventData(db, { now: daysLater(1) });
  expect(await stored()).toEqual(['first', 'second']);
  await pruneEventData(db, { now: new Date(daysLater(1).getTime() + 60_000) });
  expect(await stored()).toEqual(['second']);
});

test('retains delivery attempts for seven days, and deletes the text of expired keys', async () => {
  const { id: accountId } = await insertSampleAccount(db);
  const settings = {
    url: 'https://hooks.zx.example/',
    description: '',
    header: undefined,
    ordering: 'none' as const,
    active: true,
  };
  const { id } = await db.begin((sql) =>
    insertEndpoint(sql, {
      accountId,
      settings,
      signing: 'v1',
      key: 'whsec_new',
      after: 0,
      now: noon,
      secrets: plainSecretBox,
    }),
  );
  await db`insert into push_key (endpoint_id, key, made_at, ends_at) values (${id}, 'whsec_old', ${noon}, ${daysLater(6)})`;
  await db`
    insert into push_attempt (endpoint_id, number, event_id, attempt, made_at, outcome, duration_ms, answer)
    select ${id}, n, gen_random_uuid(), 1, ${noon}::timestamptz + n * interval '1 day', 'delivered', 1, ''
    from generate_series(0, 2) n`;
  await pruneEventData(db, { now: daysLater(8) });
  expect(await db`select number::int from push_attempt order by id`).toEqual([{ number: 1 }, { number: 2 }]);
  expect(await db`select key from push_key order by key`).toEqual([{ key: '' }, { key: 'whsec_new' }]);
});

test('stopping waits for the statement under way, and leaves the rest to the next run', async () => {
  await log(1, 0);
  await db`insert into account_event (stream, number, pos, seq, alert_id, shows) select 1, 1, pos, seq, gen_random_uuid(), 0 from event_log`;
  let stopped: Promise<void> | undefined;
  await db.begin(async (sql) => {
    await sql`lock table account_event in access exclusive mode`;
    const stop = await startEventDataPruning(db, { clock: () => daysLater(8), onError: fail });
    stops.push(stop);
    await untilBlocked(db);
    stopped = stop();
  });
  await stopped;
  expect([await db`select from account_event`, await positions()]).toMatchObject([{ length: 0 }, [1]]);
});

const changes = async (): Promise<number> => (await db`select from page_change`).length;

test('prunes page changes that no process has read', { timeout: 120_000 }, async () => {
  await db`insert into page_change (day) values ('2026-06-01')`;
  const failed: unknown[] = [];
  const stop = await startPageChangePruning(db, { retentionMs: 20, onError: (error) => failed.push(error) });
  // Concurrent transactions, in any database of the server, delay the pruning.
  await expect.poll(changes, { timeout: 110_000 }).toBe(0);
  await stop();
  expect(failed).toEqual([]);
});

test('keeps changes that were committed since the last run', async () => {
  const stop = await startPageChangePruning(db, { onError: fail });
  await db`insert into page_change (day) values ('2026-06-01')`;
  await stop();
  expect(await changes()).toBe(1);
});
