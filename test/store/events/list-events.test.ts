import { beforeEach, expect, test } from 'vitest';
import type { EventFacts } from '../../../src/domain/alerts/event-facts.ts';
import { insertEvents } from '../../../src/store/events/event-outbox.ts';
import { lockVersions } from '../../../src/store/events/flight-versions.ts';
import { pruneEventLog } from '../../../src/store/events/event-log.ts';
import { scheduleEvent, statusEvent } from '../../domain/alerts/sample-events.ts';
import { sharedDatabase } from '../../support/database.ts';
import {
  listAllEvents,
  flightKey,
  deleteAllEvents,
  skipFanOut,
  sequence,
  sampleStatusEvent,
  insertStatusEvents,
  listEvents,
  type EventLogPage,
} from './sample-events.ts';

const { sql: db } = await sharedDatabase();
beforeEach(() => deleteAllEvents(db));

/** Returns an hour of 1 March 2027. */
const at = (hour: number): Date => new Date(Date.UTC(2027, 2, 1, hour));

/** Sequences events of one flight into the log at an hour. */
const log = async (count: number, hour = 12): Promise<void> => {
  for (let n = 0; n < count; n += 1) await db.begin((sql) => insertStatusEvents(sql, [1]));
  await sequence(db, { now: at(hour) });
  await skipFanOut(db);
};
const positionsOf = (page: EventLogPage): unknown =>
  page.kind === 'events' ? page.events.map(({ position }) => position) : page;
const after = async (position: number, limit = 10): Promise<unknown> =>
  positionsOf(await listEvents(db, { after: position, limit }));

test('reads a log from a position, a page at a time, to its end', async () => {
  expect(await after(0)).toEqual([]);
  await log(5);
  expect([await after(0, 2), await after(2, 2), await after(4, 2), await after(5, 2)]).toEqual([
    [1, 2],
    [3, 4],
    [5],
    [],
  ]);
});

test('distinguishes a position beyond the log from its end', async () => {
  await log(2);
  expect(await after(3)).toEqual({ kind: 'ahead', last: 2 });
});

test('distinguishes a position whose next event is no longer retained from the end of the log', async () => {
  await log(3, 8);
  await log(2, 12);
  expect(await pruneEventLog(db, at(12))).toBe(3);
  expect(await after(0)).toEqual({ kind: 'expired', oldest: 4 });
  expect(await after(2)).toEqual({ kind: 'expired', oldest: 4 });
  expect([await after(3), await after(5)]).toEqual([[4, 5], []]);
});

test('positions continue from the last one when nothing is retained', async () => {
  await log(3, 8);
  expect(await pruneEventLog(db, at(9))).toBe(3);
  expect([await after(3), await after(2), await after(4)]).toEqual([
    [],
    { kind: 'expired', oldest: 4 },
    { kind: 'ahead', last: 3 },
  ]);
  await log(1, 9);
  expect([await after(3), await after(2)]).toEqual([[4], { kind: 'expired', oldest: 4 }]);
});

test('deletes the oldest events up to the first retained one, in batches of any size', async () => {
  // A server with a wrong clock has sequenced the third one.
  for (const hour of [8, 8, 13, 8, 14]) await log(1, hour);
  expect(await pruneEventLog(db, at(12), { batchSize: 1 })).toBe(2);
  expect(await after(2)).toEqual([3, 4, 5]);
  expect(await pruneEventLog(db, at(14), { batchSize: 2 })).toBe(2);
  expect(await after(4)).toEqual([5]);
  expect([
    await pruneEventLog(db, at(14), { batchSize: 2 }),
    await pruneEventLog(db, at(15), { batchSize: 1 }),
    await pruneEventLog(db, at(15)),
  ]).toEqual([0, 1, 0]);
});

test('any position returns the same events, repeatedly and concurrently', async () => {
  await log(60);
  const read = async (limit: number): Promise<string> => JSON.stringify(await listAllEvents(db, 0, limit));
  const walks = await Promise.all([1, 7, 60, 100, 7, 1].map(read));
  const one = JSON.stringify(await listAllEvents(db, 41));
  expect(new Set(walks).size).toBe(1);
  expect(walks[0]?.endsWith(one.slice(1))).toBe(true);
});

test('returns the facts of an event unchanged', async () => {
  const facts: readonly EventFacts[] = [
    scheduleEvent,
    statusEvent,
    {
      ...statusEvent,
      changed: new Set(['gates', 'seats']),
      changedElse: false,
      outGateVariationMinutes: -0.5,
      inGateVariationMinutes: 0,
      flightType: 'GA',
      iataCarrierCode: '',
    },
  ];
  await db.begin(async (sql) => {
    await lockVersions(sql, [flightKey(1)]);
    await insertEvents(
      sql,
      facts.map((one, index) => ({ ...sampleStatusEvent(1, index + 1), facts: one })),
    );
  });
  await sequence(db);
  expect((await listAllEvents(db)).map((event) => event.facts)).toStrictEqual(facts);
});

test('a body is returned byte for byte, long ones too', async () => {
  const bodies = [
    '{ "a" : 1.0e2 }\n',
    '"\\u0000\\ud800é😀"',
    JSON.stringify('x,"\\\t'.repeat(20_000)),
    ' '.repeat(9000),
  ];
  await db.begin(async (sql) => {
    await lockVersions(sql, [flightKey(1)]);
    await insertEvents(
      sql,
      bodies.map((body, index) => ({ ...sampleStatusEvent(1, index + 1), body })),
    );
  });
  await sequence(db);
  expect((await listAllEvents(db)).map(({ body }) => body)).toEqual(bodies);
});
