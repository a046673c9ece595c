import { beforeEach, expect, test, vi } from 'vitest';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { ACCOUNT_EVENTS_CHANNEL, listAccountEvents } from '#store/events/account-events.ts';
import { pruneAlertChanges } from '#store/alerts/alert-changes.ts';
import { findStreamEvent } from '#store/events/event-log.ts';
import { listOutbox, sequenceOutbox } from '#store/events/event-outbox.ts';
import { startEventFanOut } from '#jobs/events/fan-out-events.ts';
import { statusEvent } from '#test/domain/alerts/sample-events.ts';
import { deleteAllEvents, noon, sequence } from '#test/store/events/sample-events.ts';
import { deleteSampleAlert, insertSampleAlert } from '#test/store/alerts/sample-accounts.ts';
import { insertEventsWithFacts, insertSampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { listAllAccountEvents } from '#test/store/alerts/sample-accounts.ts';
import type { SampleAccount } from '#test/store/alerts/sample-accounts.ts';
import { untilBlocked } from '#test/support/database.ts';
import { db, fail, openPool, stops, useDatabase } from '../job-database.ts';

useDatabase({ reset: deleteAllEvents });

type Options = Partial<Parameters<typeof startEventFanOut>[1]>;
const start = async (options: Options = {}, on = db): Promise<() => Promise<void>> => {
  const stop = await startEventFanOut(on, { onError: fail, ...options });
  stops.push(stop);
  return stop;
};

const distributedTo = async (): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`select last_pos as last from event_distribution`;
  return Number(row?.last);
};

const untilDistributed = async (position: number): Promise<void> => {
  await expect.poll(distributedTo, { interval: 2 }).toBeGreaterThanOrEqual(position);
};

let flights = 0;
const emit = async (...facts: readonly EventFacts[]): Promise<void> => {
  await insertEventsWithFacts(db, flights, facts);
  flights += facts.length;
  await sequence(db);
};
beforeEach(() => {
  flights = 1;
});

const seenBy = async ({ stream }: SampleAccount) =>
  (await listAllAccountEvents(db, stream)).map(({ number, flightKey }) => ({
    number,
    flight: Number.parseInt(flightKey, 16),
  }));
const numbersOf = async (account: SampleAccount) =>
  (await seenBy(account)).map(({ number, flight }) => `${number}: ${flight}`);
const insertWatcher = async (changes: Parameters<typeof insertSampleAlert>[2] = {}) => {
  const account = await insertSampleAccount(db);
  return [account, await insertSampleAlert(db, account, changes)] as const;
};
const flightsOf = async (account: SampleAccount) => (await seenBy(account)).map(({ flight }) => flight);

test('reads alerts after events: an alert created in between counts, a deleted one does not', async () => {
  const [early, late] = [await insertSampleAccount(db), await insertSampleAccount(db)];
  const id = await insertSampleAlert(db, early);
  const other = openPool();
  await start({ pollMs: 5 }, openPool());
  await emit(statusEvent);
  await untilDistributed(1);
  await db.begin(async (sql) => {
    await sql`lock table event_log in access exclusive mode`;
    // The database reports that it waits, which shows that it is about to read.
    await untilBlocked(other);
    await insertSampleAlert(other, late);
    await deleteSampleAlert(other, id);
    await insertEventsWithFacts(other, 2, [statusEvent]);
    await sequenceOutbox(sql, {
      seqs: await listOutbox(sql, { known: [], limit: 10 }),
      now: noon,
      worker: id,
      leaseMs: 0,
    });
  });
  await untilDistributed(2);
  expect([await flightsOf(early), await flightsOf(late)]).toEqual([[1], [2]]);
});

test('reloads all alerts after changes were pruned', async () => {
  const [account, first] = await insertWatcher({ iataCarrierCode: 'AA', alertType: 'Carrier' });
  await start();
  await emit(statusEvent);
  await untilDistributed(1);
  await deleteSampleAlert(db, first);
  await insertSampleAlert(db, account, { iataCarrierCode: 'BB', alertType: 'Carrier' });
  expect(await pruneAlertChanges(db, new Date(Date.now() + 60_000))).toBe(3);
  await emit({ ...statusEvent, iataCarrierCode: 'AA' }, { ...statusEvent, iataCarrierCode: 'BB' });
  await untilDistributed(3);
  expect(await flightsOf(account)).toEqual([3]);
});

test('a move ends at the limit of account events, and the next one continues there', async () => {
  const accounts = [(await insertWatcher())[0], (await insertWatcher())[0], (await insertWatcher())[0]];
  await emit(statusEvent, statusEvent, statusEvent, statusEvent, { ...statusEvent, flightType: 'GA' });
  const moves: object[] = [];
  await start({ maxAdded: 4, onProgress: (moved) => void moves.push(moved) });
  await untilDistributed(5);
  expect(moves).toEqual([
    { events: 2, added: 6, last: 2 },
    { events: 2, added: 6, last: 4 },
    { events: 1, added: 0, last: 5 },
  ]);
  for (const account of accounts) expect(await numbersOf(account)).toEqual(['1: 1', '2: 2', '3: 3', '4: 4']);
});

test('notifies readers of new account events, and not of events that no alert selects', async () => {
  const channels: string[] = [];
  const last = Promise.withResolvers<void>();
  const { unlisten } = await db.listen(ACCOUNT_EVENTS_CHANNEL, (payload) => {
    channels.push(payload);
    if (payload === 'end') last.resolve();
  });
  await insertWatcher();
  await start();
  await emit({ ...statusEvent, flightType: 'GA' });
  await untilDistributed(1);
  await db.notify(ACCOUNT_EVENTS_CHANNEL, 'begin');
  await emit(statusEvent);
  await untilDistributed(2);
  // This notification arrives after all earlier ones.
  await db.notify(ACCOUNT_EVENTS_CHANNEL, 'end');
  await last.promise;
  await unlisten();
  expect(channels).toEqual(['begin', '', 'end']);
});

test('events that were deleted before fan-out are reported once, and later ones are added', async () => {
  const [account] = await insertWatcher();
  await emit(statusEvent, statusEvent, statusEvent);
  await db`delete from event_log where pos <= 2`;
  const reported: unknown[] = [];
  await start({ onError: (error) => void reported.push(error) });
  await untilDistributed(3);
  expect(reported).toEqual([new Error('events 1 to 2 were deleted before their fan-out to accounts')]);
  expect(await seenBy(account)).toMatchObject([{ number: 1, flight: 3 }]);
});

test('adds nothing after a stop, and a later instance resumes at the same event', async () => {
  const [account] = await insertWatcher();
  const stop = await start();
  await emit(statusEvent);
  await untilDistributed(1);
  await stop();
  await emit(statusEvent);
  expect(await distributedTo()).toBe(1);
  await start({ standbyMs: 1 });
  await untilDistributed(2);
  expect(await numbersOf(account)).toEqual(['1: 1', '2: 2']);
});

test.each(['of one process', 'that is replaced after each move'])(
  'subscriptions beyond their part of a transaction follow in turn, in order and completely, by a worker %s',
  async (name) => {
    const all: SampleAccount[] = [];
    for (const subscription of ['quiet', ...Array(3).fill('loud'), ...Array(4).fill('louder')])
      all.push(await insertSampleAccount(db, String(subscription)));
    for (const account of all) await insertSampleAlert(db, account);
    await emit(...Array.from({ length: 20 }, () => statusEvent));
    const moves: object[] = [];
    const onProgress = (moved: object): void => void moves.push(moved);
    const options = { batch: 5, maxAddedOfSubscription: 6, maxAddedOfTurn: 6, onProgress };
    const countBacklogs = async () => (await db`select from fan_out_backlog`).length;
    if (name === 'of one process') await start(options);
    else
      do {
        const before = moves.length;
        const stop = await start({ ...options, standbyMs: 0 });
        await vi.waitUntil(() => moves.length > before, { interval: 2 });
        await stop();
      } while ((await countBacklogs()) > 0 || (await distributedTo()) < 20);
    await expect.poll(async () => [await distributedTo(), await countBacklogs()]).toEqual([20, 0]);
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const account of all) expect(await numbersOf(account)).toEqual(numbers.map((n) => `${n}: ${n}`));
    // The first transaction has two events of `loud` and one of `louder`; their turns follow when there are no events for others.
    const added = [15, 5, 5, 5, 6, 4];
    expect(moves.slice(0, 6)).toEqual(
      added.map((count, index) => expect.objectContaining({ events: index < 4 ? 5 : 0, added: count })),
    );
    const order = await db<{ stream: number; number: number }[]>`
      select stream, number::int from account_event order by pos, stream`;
    for (const { stream } of all)
      expect(order.filter((row) => row.stream === stream).map(({ number }) => number)).toEqual(numbers);
    const [event] = await db<{ id: string }[]>`select id from flight_event order by seq desc limit 1`;
    for (const { stream } of all)
      expect(await findStreamEvent(db, event?.id ?? '', stream)).toMatchObject({ delivered: { number: 20 } });
  },
);

test('after the database lost the end of its history, positions go on later and the gap is reported to readers', async () => {
  const errors: unknown[] = [];
  const [account] = await insertWatcher();
  await emit(statusEvent, statusEvent);
  await start({ onError: (error) => errors.push(error) });
  await untilDistributed(2);
  const [row] = await db<{ history: string }[]>`select history from event_distribution`;
  await db`update event_distribution set history = '1/1'`;
  await emit(statusEvent);
  await untilDistributed(3);
  const { stream } = account;
  const readPage = (after: number) => listAccountEvents(db, { stream, after, limit: 10 });
  const first = await readPage(0);
  expect(first.kind === 'events' && first.events.map(({ number }) => number)).toEqual([1, 2]);
  expect(await readPage(2)).toEqual({ kind: 'expired', oldest: 1_000_003 });
  const next = await readPage(1_000_002);
  expect(next.kind === 'events' && next.events.map(({ number }) => number)).toEqual([1_000_003]);
  expect(errors).toEqual([
    new Error(
      `the database lost the end of its history (1/1, now ${row?.history}): events may be missing, and the positions of all accounts go on 1000000 later`,
    ),
  ]);
});
