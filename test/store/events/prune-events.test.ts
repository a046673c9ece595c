import { beforeEach, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { fanOutEvents, listAccountEvents } from '#store/events/account-events.ts';
import { openDatabase } from '#store/pool/database.ts';
import { insertEvents } from '#store/events/event-outbox.ts';
import { lockVersions, pruneVersions } from '#store/events/flight-versions.ts';
import { pruneEventLog } from '#store/events/event-log.ts';
import { statusEvent } from '#test/domain/alerts/sample-events.ts';
import { sharedDatabase, untilBlocked } from '#test/support/database.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { advanceBacklog, insertBacklogs } from '#store/events/fan-out-backlog.ts';
import { listAllEvents, flightKey, deleteAllEvents, sequence, sampleStatusEvent } from './sample-events.ts';
import { insertStatusEvents } from './sample-events.ts';

const { sql: db, url } = await sharedDatabase();
beforeEach(() => deleteAllEvents(db));

/** Returns an hour of 1 March 2027. */
const at = (hour: number): Date => new Date(Date.UTC(2027, 2, 1, hour));
const alertId = '00000000-0000-4000-8000-000000000001';

const give = async (hour: number, flights: readonly number[], streams: readonly number[]): Promise<void> => {
  await db.begin((sql) => insertStatusEvents(sql, flights));
  await sequence(db, { now: at(hour) });
  await db.begin(async (sql) => {
    const rows = await sql<{ pos: bigint; seq: bigint }[]>`
      select pos, seq from event_log where pos > (select last_pos from event_distribution) order by pos`;
    const parts = { changes: false, seats: false };
    const events = rows.flatMap(({ pos, seq }) =>
      streams.map((stream) => ({ stream, position: Number(pos), seq: Number(seq), alertId, parts })),
    );
    await fanOutEvents(sql, { events, upTo: Number(rows.at(-1)?.pos ?? 0n), worker: alertId });
  });
};
const numbersAfter = async (stream: number, after: number): Promise<unknown> => {
  const page = await listAccountEvents(db, { stream, after, limit: 100 });
  return page.kind === 'events' ? page.events.map(({ number, flightKey: key }) => [number, parseInt(key, 16)]) : page;
};

test('deletes account events with their events, and continues their numbers', async () => {
  await give(8, [1, 2, 3], [1, 2]);
  await give(9, [4], [2]);
  await give(12, [5], [1]);
  for (const slice of [1, 2]) await pruneEventLog(db, at(9), { batchSize: slice });
  expect(await numbersAfter(1, 3)).toEqual([[4, 5]]);
  expect(await numbersAfter(1, 0)).toEqual({ kind: 'expired', oldest: 4 });
  expect(await numbersAfter(2, 3)).toEqual([[4, 4]]);
  expect(await numbersAfter(2, 2)).toEqual({ kind: 'expired', oldest: 4 });
  expect(await pruneEventLog(db, at(13))).toBe(2);
  expect([await numbersAfter(1, 4), await numbersAfter(1, 3)]).toEqual([[], { kind: 'expired', oldest: 5 }]);
  await give(14, [6], [1, 2]);
  expect([await numbersAfter(1, 4), await numbersAfter(2, 4)]).toEqual([[[5, 6]], [[5, 6]]]);
});

test('retains events that a subscription still needs, and those that follow newer ones in the order of the fan-out', async () => {
  const { subscriptionId } = await createKey(db, { name: 'behind', products: ['flight-info-alerts'] });
  await give(8, [1, 2, 3], [1]);
  await give(12, [4], [1]);
  await insertBacklogs(db, [{ subscriptionId, position: 1 }]);
  expect(await pruneEventLog(db, at(9))).toBe(1);
  const late = [2, 3].map((position) => ({
    stream: 2,
    position,
    seq: position,
    alertId,
    parts: { changes: false, seats: false },
  }));
  await db.begin(async (sql) => {
    const rows = await sql<
      { pos: bigint; seq: bigint }[]
    >`select pos, seq from event_log where pos in (2, 3) order by pos`;
    const events = late.map((event, index) => ({ ...event, seq: Number(rows[index]?.seq) }));
    await fanOutEvents(sql, { events, upTo: undefined, worker: alertId });
    await advanceBacklog(sql, { subscriptionId, position: 4 });
  });
  expect(await pruneEventLog(db, at(9))).toBe(0);
  expect([await numbersAfter(1, 3), await numbersAfter(2, 0)]).toEqual([
    [[4, 4]],
    [
      [1, 2],
      [2, 3],
    ],
  ]);
  expect(await pruneEventLog(db, at(13))).toBe(3);
  expect(await numbersAfter(2, 0)).toEqual({ kind: 'expired', oldest: 3 });
});

test('deletes the oldest events up to the first retained one, in batches of any size, and continues the positions', async () => {
  const listPositions = async () => (await listAllEvents(db)).map(({ position }) => position);
  // A server with a wrong clock has sequenced the third one.
  for (const hour of [8, 8, 13, 8, 14]) await give(hour, [1], []);
  expect([await pruneEventLog(db, at(12), { batchSize: 1 }), await listPositions()]).toEqual([2, [3, 4, 5]]);
  expect([await pruneEventLog(db, at(14), { batchSize: 2 }), await listPositions()]).toEqual([2, [5]]);
  expect(await pruneEventLog(db, at(14), { batchSize: 2 })).toBe(0);
  expect(await pruneEventLog(db, at(15), { batchSize: 1 })).toBe(1);
  expect(await pruneEventLog(db, at(15))).toBe(0);
  await give(15, [1], []);
  expect(await listPositions()).toEqual([6]);
});

test('events before fan-out stay, however old they are', async () => {
  await give(8, [1, 2], [1]);
  await db.begin((sql) => insertStatusEvents(sql, [3]));
  await sequence(db, { now: at(8) });
  expect(await pruneEventLog(db, at(12))).toBe(2);
  expect((await listAllEvents(db, 2)).map(({ position }) => position)).toEqual([3]);
});

test('a reader during a deletion sees no gap', async () => {
  const flights = [...Array(300).keys()];
  await give(8, flights, [1, 2]);
  let over = false;
  const holes: unknown[] = [];
  let pages = 0;
  const read = async (stream: number): Promise<void> => {
    let after = 0;
    while (!over) {
      const page = await listAccountEvents(db, { stream, after, limit: 7 });
      if (page.kind === 'events')
        for (const [index, { number }] of page.events.entries())
          if (number !== after + 1 + index) holes.push({ stream, after, number });
      after = page.kind === 'expired' ? page.oldest - 1 : 0;
      pages += 1;
    }
  };
  const reading = Promise.all([read(1), read(2)]);
  const deleted = await Promise.all([
    pruneEventLog(db, at(9), { batchSize: 10 }),
    pruneEventLog(db, at(9), { batchSize: 7 }),
  ]);
  over = true;
  await reading;
  const left =
    await db`select pos from account_event union all select pos from fan_out_event union all select pos from event_log union all select seq from flight_event`;
  expect([holes, left.length, pages > 0, deleted[0] + deleted[1]]).toEqual([[], 0, true, 300]);
});

test('of two concurrent deletions, each continues to the end', async () => {
  await give(8, [...Array(20).keys()], [1]);
  const pruned = await db.begin(async (sql) => {
    await sql`delete from event_log where pos <= 7`;
    const pruning = pruneEventLog(db, at(9), { batchSize: 10 });
    await untilBlocked(db);
    return { pruning };
  });
  expect([await pruned.pruning, await listAllEvents(db)]).toEqual([13, []]);
});

test('a flight is forgotten by the later of the day of departure and that of the last event', async () => {
  const event = (flight: number, departs: string, made: string) => ({
    ...sampleStatusEvent(flight, 1),
    facts: { ...statusEvent, departureDate: localDate(departs) },
    madeAt: new Date(`${made}T23:59:59Z`),
  });
  const [early, late] = ['2027-02-01', '2027-03-01'] as const;
  await db.begin(async (sql) => {
    await lockVersions(sql, [1, 2, 3, 4].map(flightKey));
    await insertEvents(sql, [event(1, late, early), event(2, early, late), event(3, early, early)]);
  });
  const known = async (): Promise<unknown> =>
    (await db`select ltrim(encode(key, 'hex'), '0') as flight, version from flight_version order by key`).map(
      ({ flight, version }) => `${flight} ${version}`,
    );
  // The fourth was locked and had no event.
  expect(await pruneVersions(db, localDate(early), { batchSize: 1 })).toBe(1);
  expect(await known()).toEqual(['1 1', '2 1', '3 1']);
  expect(await pruneVersions(db, localDate(late), { batchSize: 1 })).toBe(1);
  expect(await known()).toEqual(['1 1', '2 1']);
  await db.begin(async (sql) => {
    await lockVersions(sql, [flightKey(1)]);
    expect(await pruneVersions(db, localDate('2027-03-02'))).toBe(1);
  });
  expect(await known()).toEqual(['1 1']);
});

test('a flight whose version is pruned during an insert is numbered from 1, without a deadlock', async () => {
  const writers = openDatabase({ url, applicationName: 'flightdata-test', max: 12 });
  let over = false;
  const forgetting = [1, 2].map(async (slice) => {
    while (!over) await pruneVersions(db, localDate('9999-01-01'), { batchSize: slice });
  });
  const write = () => writers.begin((sql) => insertStatusEvents(sql, [1, 2, 3, 4]));
  const results = await Promise.allSettled(Array.from({ length: 60 }, write));
  over = true;
  await Promise.all(forgetting);
  await writers.end({ timeout: 1 });
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
  await sequence(db);
  const events = await listAllEvents(db);
  const versions = new Map<string, number>();
  const wrong = events.filter(({ flightKey: key, version }) => {
    const before = versions.get(key) ?? 0;
    versions.set(key, version);
    return version !== 1 && version !== before + 1;
  });
  expect([events.length, wrong]).toEqual([240, []]);
});
