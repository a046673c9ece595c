import { randomInt } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { LOCK_SPACE, openDatabase, type Database } from '../../../src/store/pool/database.ts';
import { EVENTS_CHANNEL, sequenceOutbox } from '../../../src/store/events/event-outbox.ts';
import { listEvents } from '../../store/events/list-events.ts';
import { pruneEventLog } from '../../../src/store/events/event-log.ts';
import { startEventSequencer } from '../../../src/jobs/events/sequence-events.ts';
import {
  listAllEvents,
  findLogFaults,
  deleteAllEvents,
  longText,
  noon,
  skipFanOut,
  insertStatusEvents,
} from '../../store/events/sample-events.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { createDraw } from '../../faults/support/random-draw.ts';
import { computeQuantile } from '../../support/quantile.ts';

let fresh: FreshDatabase;
let db: Database;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.sql;
});
afterAll(() => fresh.drop());
beforeEach(() => deleteAllEvents(db));
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const fail = (error: unknown): void => {
  throw error;
};
type Options = Partial<Parameters<typeof startEventSequencer>[1]>;
const start = async (options: Options = {}, on = db): Promise<() => Promise<void>> => {
  const stop = await startEventSequencer(on, { clock: () => noon, onError: fail, ...options });
  stops.push(stop);
  return stop;
};

/** A separate pool, like that of another process or of many writers. */
const pool = (max: number): Database => {
  const sql = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max });
  stops.push(() => sql.end({ timeout: 1 }));
  return sql;
};

/** Resolves when the log has reached a position. */
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

test('sequences events committed before the start and new ones', async () => {
  await db.begin((sql) => insertStatusEvents(sql, [1, 2]));
  await start();
  await untilLogged(2);
  await db.begin((sql) => insertStatusEvents(sql, [2, 3]));
  await untilLogged(4);
  expect(findLogFaults(await listAllEvents(db))).toEqual({ gaps: 0, inversions: 0, doubled: 0 });
});

test('polling finds events without a notification', async () => {
  await start({ pollMs: 5 });
  await db.begin((sql) => insertStatusEvents(sql, [1]));
  await untilLogged(1);
  // Like a row that is inserted by hand.
  await db`
    with added as (
      insert into flight_event (id, kind, flight_key, version, made_at, facts, body)
      select id, kind, flight_key, 2, made_at, facts, body from flight_event returning seq
    ) insert into event_outbox select seq from added`;
  await untilLogged(2);
  expect(findLogFaults(await listAllEvents(db))).toEqual({ gaps: 0, inversions: 0, doubled: 1 });
});

test('a failed run is reported and retried', async () => {
  await db`alter table event_log_end rename to away`;
  const reported = Promise.withResolvers<unknown>();
  await start({ pollMs: 5, onError: reported.resolve });
  expect(await reported.promise).toMatchObject({ message: 'relation "event_log_end" does not exist' });
  await db`alter table away rename to event_log_end`;
  await db.begin((sql) => insertStatusEvents(sql, [1]));
  await untilLogged(1);
  expect(await listAllEvents(db)).toHaveLength(1);
});

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
    await start({ standbyMs: 5, onSequenced: ({ events }) => void moves.push(events) }, pool(2));
    await db.begin((other) => insertStatusEvents(other, [4]));
    expect(moves).toEqual([]);
  });
  await untilLogged(4);
  expect(findLogFaults(await listAllEvents(db))).toEqual({ gaps: 0, inversions: 0, doubled: 0 });
});

const WRITERS = 16;
const FLIGHTS = 40;
/** Of each writer. */
const TRANSACTIONS = Number(process.env['SEQUENCER_TRANSACTIONS'] ?? 50);

/** Transactions that last a while before and after they create an event, and of which some fail: as many orders as possible. */
const write = async (writers: Database, seed: number, onCommit: (flight: number) => void): Promise<number> => {
  const draw = createDraw(seed);
  let committed = 0;
  for (let n = 0; n < TRANSACTIONS; n += 1) {
    const flight = draw(FLIGHTS);
    const fails = draw(10) === 0;
    await writers
      .begin(async (sql) => {
        // An ID created long before the event, like that of an earlier status change.
        if (draw(2) === 0) await sql`select pg_current_xact_id(), pg_sleep(${draw(6) / 1000})`;
        await insertStatusEvents(sql, [flight], longText);
        await sql`select pg_sleep(${draw(6) / 1000})`;
        if (fails) throw new RangeError('given up');
      })
      .then(
        () => {
          committed += 1;
          onCommit(flight);
        },
        (error: unknown) => {
          if (!(error instanceof RangeError)) throw error;
        },
      );
  }
  return committed;
};

test('a process that hangs within a move does not block others', async () => {
  await db.begin((sql) => insertStatusEvents(sql, [1]));
  const taken = Promise.withResolvers<void>();
  const standing = Promise.withResolvers<void>();
  const worker = '00000000-0000-4000-8000-000000000001';
  const stuck = pool(1)
    .begin(async (sql) => {
      await sequenceOutbox(sql, { limit: 10, now: noon, worker, leaseMs: 0, idleTimeoutMs: 100 });
      taken.resolve();
      await standing.promise;
      await sql`select`;
    })
    .then(
      () => 'committed',
      () => 'lost',
    );
  await taken.promise;
  await start({ standbyMs: 5 });
  await untilLogged(1);
  standing.resolve();
  expect([await stuck, findLogFaults(await listAllEvents(db))]).toEqual([
    'lost',
    { gaps: 0, inversions: 0, doubled: 0 },
  ]);
});

test('loses no event of 16 concurrent writers, and keeps the order of each flight', async () => {
  const seed = randomInt(2 ** 31);
  const committedAt = new Map<number, number[]>();
  const latencies: number[] = [];
  let seen = 0;
  let reading: Promise<void> = Promise.resolve();
  const versions = new Map<number, number>();
  const check = async (): Promise<void> => {
    const page = await listEvents(db, { after: seen, limit: 1000 });
    const now = performance.now();
    if (page.kind !== 'events') throw new Error(`the log was ${page.kind}`);
    for (const { flightKey } of page.events) {
      const flight = Number.parseInt(flightKey, 16);
      const version = versions.get(flight) ?? 0;
      versions.set(flight, version + 1);
      // The reader can be notified of a commit before the writer.
      latencies.push(Math.max(0, now - (committedAt.get(flight)?.[version] ?? now)));
    }
    seen = page.events.at(-1)?.position ?? seen;
  };
  const subscription = await db.listen(EVENTS_CHANNEL, () => {
    reading = reading.then(check);
  });
  let moves = 0;
  await start({ onSequenced: () => void (moves += 1) });
  const writers = pool(WRITERS);
  const began = performance.now();
  const commits = await Promise.all(
    Array.from({ length: WRITERS }, (_, index) =>
      write(writers, seed + index, (flight) => {
        committedAt.set(flight, [...(committedAt.get(flight) ?? []), performance.now()]);
      }),
    ),
  );
  const committed = commits.reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - began) / 1000;
  await untilLogged(committed);
  await subscription.unlisten();
  await reading;
  await check();
  const events = await listAllEvents(db);
  const errors = findLogFaults(events);
  const figures = { seed, committed, lost: committed - events.length, unread: committed - seen, ...errors };
  console.log(
    `${WRITERS} writers, ${FLIGHTS} flights: ${JSON.stringify(figures)}, ${Math.round(committed / seconds)} events a second in ${moves} moves; ` +
      `from the commit to the reader p50 ${computeQuantile(latencies, 0.5).toFixed(1)} ms, p99 ${computeQuantile(latencies, 0.99).toFixed(1)} ms`,
  );
  expect(figures).toMatchObject({ lost: 0, unread: 0, gaps: 0, inversions: 0, doubled: 0 });
}, 300_000);

const BACKLOG = 10_000;

test('moves, reads and prunes a backlog far faster than events arrive', async () => {
  const flights = Array.from({ length: BACKLOG }, (_, index) => index);
  await db.begin((sql) => insertStatusEvents(sql, flights, longText));
  const rates: string[] = [];
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const began = performance.now();
    await work();
    rates.push(`${what} ${Math.round((BACKLOG / (performance.now() - began)) * 1000)}`);
  };
  await timed('moved', async () => {
    await start();
    await untilLogged(BACKLOG);
  });
  let events: Awaited<ReturnType<typeof listAllEvents>> = [];
  await timed('read', async () => {
    events = await listAllEvents(db);
  });
  expect([events.length, findLogFaults(events)]).toEqual([BACKLOG, { gaps: 0, inversions: 0, doubled: 0 }]);
  await skipFanOut(db);
  await timed('deleted', () => pruneEventLog(db, new Date(noon.getTime() + 1)));
  console.log(`a backlog of ${BACKLOG} events of 2 kB, a second: ${rates.join(', ')}`);
  expect(await listAllEvents(db)).toEqual([]);
});
