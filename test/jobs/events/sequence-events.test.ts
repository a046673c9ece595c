import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { LOCK_SPACE, type Database } from '#store/pool/database.ts';
import { EVENTS_CHANNEL, listOutbox, sequenceOutbox } from '#store/events/event-outbox.ts';
import { startEventSequencer } from '#jobs/events/sequence-events.ts';
import { listAllEvents, listEvents, findLogFaults, deleteAllEvents } from '#test/store/events/sample-events.ts';
import { longText, noFaults, noon, insertStatusEvents } from '#test/store/events/sample-events.ts';
import { createDraw } from '#test/faults/support/random-draw.ts';
import { db, fail, openPool, stops, useDatabase } from '../job-database.ts';

useDatabase({ reset: deleteAllEvents });

type Options = Partial<Parameters<typeof startEventSequencer>[1]>;
const start = async (options: Options = {}, on = db): Promise<() => Promise<void>> => {
  const stop = await startEventSequencer(on, { clock: () => noon, onError: fail, ...options });
  stops.push(stop);
  return stop;
};

const untilLogged = async (position: number): Promise<void> => {
  const there = Promise.withResolvers<void>();
  const { unlisten } = await db.listen(EVENTS_CHANNEL, (last) => {
    if (Number(last) >= position) there.resolve();
  });
  const [row] = await db<{ last: bigint }[]>`select last_pos as last from event_log_end`;
  if (Number(row?.last) >= position) there.resolve();
  await there.promise;
  await unlisten();
};

test('moves nothing after a stop, which works while other instances are active', async () => {
  const stop = await start();
  await stop();
  await db.begin((sql) => insertStatusEvents(sql, [1]));
  expect(await listAllEvents(db)).toEqual([]);
  await db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, 13)`;
    const resting = await start({ standbyMs: 60_000 });
    await resting();
  });
  expect(await listAllEvents(db)).toEqual([]);
});

test('waits while another instance is active, and takes over when that ends', async () => {
  const moves: number[] = [];
  await db.begin((sql) => insertStatusEvents(sql, [1, 2, 3]));
  await db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, 13)`;
    await start({ standbyMs: 5, onSequenced: ({ events }) => void moves.push(events) }, openPool(2));
    await db.begin((other) => insertStatusEvents(other, [4]));
    expect(moves).toEqual([]);
  });
  await untilLogged(4);
  expect(findLogFaults(await listAllEvents(db))).toEqual(noFaults);
});

test('gives events their positions when the cache lease of their commit has ended', async () => {
  const cacheLeaseMs = 100;
  const sequenced: number[] = [];
  const onSequenced = ({ events }: { readonly events: number }): void =>
    void sequenced.push(...Array.from({ length: events }, () => performance.now()));
  await start({ cacheLeaseMs, onSequenced });
  const begun: number[] = [];
  for (const flight of [1, 2]) {
    begun.push(performance.now());
    await db.begin((sql) => insertStatusEvents(sql, [flight]));
  }
  // Others see the events before this process learns of its commit.
  await expect.poll(() => sequenced.length).toBe(2);
  expect((sequenced[0] ?? 0) - (begun[0] ?? 0)).toBeGreaterThanOrEqual(cacheLeaseMs);
  expect((sequenced[1] ?? 0) - (begun[1] ?? 0)).toBeGreaterThanOrEqual(cacheLeaseMs);
  expect(findLogFaults(await listAllEvents(db))).toEqual(noFaults);
});

const WRITERS = 16;
const FLIGHTS = 40;
/** Of each writer; 50 in a long run. */
const TRANSACTIONS = Number(process.env['SEQUENCER_TRANSACTIONS'] ?? 5);

/** Transactions that last a while before and after they create an event, and of which some fail: as many orders as possible. */
const write = async (writers: Database, seed: number): Promise<number> => {
  const draw = createDraw(seed);
  let committed = 0;
  for (let n = 0; n < TRANSACTIONS; n += 1) {
    const transaction = writers.begin(async (sql) => {
      // An ID created long before the event, like that of an earlier status change.
      if (draw(2) === 0) await sql`select pg_current_xact_id(), pg_sleep(${draw(6) / 1000})`;
      await insertStatusEvents(sql, [draw(FLIGHTS)], longText);
      await sql`select pg_sleep(${draw(6) / 1000})`;
      if (draw(10) === 0) throw new RangeError('given up');
      committed += 1;
    });
    await transaction.catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
    });
  }
  return committed;
};

test('a process that hangs within a move does not block others', async () => {
  await db.begin((sql) => insertStatusEvents(sql, [1]));
  const taken = Promise.withResolvers<void>();
  const standing = Promise.withResolvers<void>();
  const worker = '00000000-0000-4000-8000-000000000001';
  const stuck = openPool(1).begin(async (sql) => {
    await sequenceOutbox(sql, {
      seqs: await listOutbox(sql, { known: [], limit: 1 }),
      now: noon,
      worker,
      leaseMs: 0,
    });
    expect(await sql`show idle_in_transaction_session_timeout`).toMatchObject([
      { idle_in_transaction_session_timeout: '10s' },
    ]);
    await sql`set local idle_in_transaction_session_timeout = 100`;
    taken.resolve();
    await standing.promise;
    await sql`select`;
  });
  const lost = Promise.allSettled([stuck]);
  await taken.promise;
  await start({ standbyMs: 5 });
  await untilLogged(1);
  standing.resolve();
  expect(await lost).toMatchObject([{ status: 'rejected' }]);
  expect(findLogFaults(await listAllEvents(db))).toEqual(noFaults);
});

test('loses no event of 16 concurrent writers, and keeps the order of each flight', async () => {
  const seed = randomInt(2 ** 31);
  let seen = 0;
  let reading: Promise<void> = Promise.resolve();
  const check = async (): Promise<void> => {
    const page = await listEvents(db, { after: seen, limit: 1000 });
    seen = page.at(-1)?.position ?? seen;
  };
  const subscription = await db.listen(EVENTS_CHANNEL, () => {
    reading = reading.then(check);
  });
  await start();
  const writers = openPool(WRITERS);
  const commits = await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(writers, seed + index)));
  const committed = commits.reduce((sum, count) => sum + count, 0);
  await untilLogged(committed);
  await subscription.unlisten();
  await reading;
  await check();
  const events = await listAllEvents(db);
  const figures = { committed: events.length, seen, ...findLogFaults(events) };
  expect(figures, `seed ${seed}`).toEqual({ committed, seen: committed, ...noFaults });
});
