import { beforeEach, expect, test } from 'vitest';
import type { Sql } from '#store/pool/database.ts';
import { fanOutEvents, acquireFanOutLease } from '#store/events/account-events.ts';
import { listOutbox, sequenceOutbox } from '#store/events/event-outbox.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { deleteAllEvents, noon, insertStatusEvents } from '../events/sample-events.ts';

const { sql: db } = await sharedDatabase();
beforeEach(() => deleteAllEvents(db));

const [active, waiting] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const distribute = (sql: Sql, worker: string): Promise<boolean> => acquireFanOutLease(sql, { worker, leaseMs: 60_000 });
const sequence = async (sql: Sql, worker: string, seqs: readonly number[] = []): Promise<boolean> =>
  (await sequenceOutbox(sql, { seqs, now: noon, worker, leaseMs: 60_000 })).kind !== 'busy';

test.each([
  ['distributor', distribute],
  ['sequencer', sequence],
])('a waiting %s does not delay the active one', async (_, acquire) => {
  await db.begin((sql) => insertStatusEvents(sql, [1]));
  await db.begin(async (sql) => sequence(sql, active, await listOutbox(db, { known: [], limit: 1 })));
  await db.begin((sql) => fanOutEvents(sql, { events: [], upTo: 1, worker: active }));
  const results: boolean[] = [];
  await db.begin(async (outer) => {
    results.push(await acquire(outer, waiting));
    await db.begin(async (sql) => results.push(await acquire(sql, active)));
  });
  expect(results).toEqual([false, true]);
});
