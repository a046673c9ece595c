import { expect, test, vi } from 'vitest';
import { startEventFanOut } from '../../../src/jobs/events/fan-out-events.ts';
import { findStreamEvent } from '../../../src/store/events/event-log.ts';
import { statusEvent } from '../../domain/alerts/sample-events.ts';
import { deleteAllEvents, sequence } from '../../store/events/sample-events.ts';
import {
  insertEventsWithFacts,
  insertSampleAccount,
  insertSampleAlert,
  listAllAccountEvents,
  type SampleAccount,
} from '../../store/alerts/sample-accounts.ts';
import { db, fail, stops, useDatabase } from '../job-database.ts';

useDatabase({ reset: deleteAllEvents });

const start = async (options: Partial<Parameters<typeof startEventFanOut>[1]>): Promise<() => Promise<void>> => {
  const stop = await startEventFanOut(db, { onError: fail, ...options });
  stops.push(stop);
  return stop;
};

const distributedTo = async (): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`select last_pos as last from event_distribution`;
  return Number(row?.last);
};

const numbersOf = async ({ stream }: SampleAccount): Promise<readonly string[]> =>
  (await listAllAccountEvents(db, stream)).map(
    ({ number, flightKey }) => `${number}: ${Number.parseInt(flightKey, 16)}`,
  );

const insertSubscription = async (name: string, accounts: number): Promise<readonly SampleAccount[]> => {
  const inserted: SampleAccount[] = [];
  for (let n = 0; n < accounts; n += 1) inserted.push(await insertSampleAccount(db, name));
  for (const account of inserted) await insertSampleAlert(db, account);
  return inserted;
};

test.each(['of one process', 'that is replaced after each move'])(
  'subscriptions beyond their part of a transaction follow in turn, in order and completely, by a worker %s',
  async (name) => {
    const [quiet, loud, louder] = [
      await insertSubscription('quiet', 1),
      await insertSubscription('loud', 3),
      await insertSubscription('louder', 4),
    ];
    await insertEventsWithFacts(
      db,
      1,
      Array.from({ length: 20 }, () => statusEvent),
    );
    await sequence(db);
    const moves: object[] = [];
    const options = {
      batch: 5,
      maxAddedOfSubscription: 6,
      maxAddedOfTurn: 6,
      onProgress: (moved: object) => void moves.push(moved),
    };
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
    const all = Array.from({ length: 20 }, (_, index) => `${index + 1}: ${index + 1}`);
    for (const account of [...quiet, ...loud, ...louder]) expect(await numbersOf(account)).toEqual(all);
    // The first transaction has two events of `loud` and one of `louder`; their turns follow when there are no events for others.
    const added = [15, 5, 5, 5, 6, 4];
    expect(moves.slice(0, 6)).toEqual(
      added.map((count, index) => expect.objectContaining({ events: index < 4 ? 5 : 0, added: count })),
    );
    const order = await db<
      { stream: number; number: bigint }[]
    >`select stream, number from account_event order by pos, stream`;
    for (const { stream } of [...quiet, ...loud, ...louder])
      expect(order.filter((row) => row.stream === stream).map((row) => Number(row.number))).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    const [event] = await db<{ id: string }[]>`select id from flight_event order by seq desc limit 1`;
    for (const { stream } of [...quiet, ...loud])
      expect(await findStreamEvent(db, event?.id ?? '', stream)).toMatchObject({ delivered: { number: 20 } });
  },
);
