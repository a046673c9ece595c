import { beforeEach, expect, test } from 'vitest';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { insertEvents, EVENTS_CHANNEL, OUTBOX_CHANNEL } from '#store/events/event-outbox.ts';
import type { SequenceResult } from '#store/events/event-outbox.ts';
import { lockVersions } from '#store/events/flight-versions.ts';
import { statusEvent } from '#test/domain/alerts/sample-events.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { deleteAllEvents, listAllEvents, findLogFaults, flightKey, noFaults, noon } from './sample-events.ts';
import { sampleScheduleEvent, sequence, sampleStatusEvent, insertStatusEvents } from './sample-events.ts';

const { sql: db } = await sharedDatabase();
beforeEach(() => deleteAllEvents(db));

const lockAndAdd = (...events: Parameters<typeof insertEvents>[1]): Promise<void> =>
  db.begin(async (sql) => {
    const keys = events.map((event) => event.flightKey);
    await lockVersions(sql, keys);
    await insertEvents(sql, events);
  });
const countWaiting = async (): Promise<number> => (await db`select from event_outbox`).length;

test('events are appended to the log unchanged and in order, at the positions from 1 on', async () => {
  const facts: EventFacts = {
    ...statusEvent,
    changed: new Set(['gates', 'seats']),
    changedElse: false,
    outGateVariationMinutes: -0.5,
    inGateVariationMinutes: 0,
    previousInGateVariationMinutes: -3.5,
    isCancellation: true,
    flightType: 'GA',
    iataCarrierCode: '',
  };
  const inserted = [
    sampleStatusEvent(2, 1, 'é \\u0000 \\n {}'),
    sampleScheduleEvent(1, 1),
    { ...sampleStatusEvent(2, 2, '  '), facts },
    { ...sampleStatusEvent(2, 3), body: '{ "a" : 1.0e2 }\n"\\u0000\\ud800é😀"' },
    { ...sampleStatusEvent(2, 4), body: JSON.stringify('x,"\\\t'.repeat(20_000)) },
  ];
  await lockAndAdd(...inserted);
  expect(await listAllEvents(db)).toEqual([]);
  const now = new Date('2027-03-01T12:00:01Z');
  expect(await sequence(db, { now })).toEqual({ kind: 'sequenced', events: 5, last: 5 });
  expect(await listAllEvents(db)).toStrictEqual(
    inserted.map((event, index) => ({ ...event, position: index + 1, id: expect.any(String), sequencedAt: now })),
  );
  expect(await countWaiting()).toBe(0);
});

test('an event of a long transaction follows those that were committed before it', async () => {
  await db.begin(async (slow) => {
    await insertStatusEvents(slow, [1]);
    await db.begin((quick) => insertStatusEvents(quick, [2]));
    expect(await sequence(db)).toMatchObject({ events: 1, last: 1 });
  });
  expect(await sequence(db)).toMatchObject({ events: 1, last: 2 });
  expect((await listAllEvents(db)).map((event) => event.flightKey)).toEqual([flightKey(2), flightKey(1)]);
});

test('moves up to the limit, oldest events first', async () => {
  await lockAndAdd(...Array.from({ length: 5 }, (_, index) => sampleStatusEvent(1, index + 1)));
  expect(await sequence(db, { limit: 3 })).toEqual({ kind: 'sequenced', events: 3, last: 3 });
  expect(await sequence(db, { limit: 3 })).toEqual({ kind: 'sequenced', events: 2, last: 5 });
  expect(await sequence(db, { limit: 3 })).toEqual({ kind: 'sequenced', events: 0, last: 5 });
  expect(findLogFaults(await listAllEvents(db))).toEqual(noFaults);
});

test('more events than the statement limit keep their order', async () => {
  const events = [...Array(4500).keys()].map((n) => sampleStatusEvent(n % 7, Math.floor(n / 7) + 1));
  await lockAndAdd(...events);
  await sequence(db, { limit: 10_000 });
  const logged = await listAllEvents(db);
  expect([logged.length, findLogFaults(logged)]).toEqual([4500, noFaults]);
});

test('while one worker moves events, others wait until it has moved none for a while', async () => {
  const [one, other] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
  const by = (worker: string, restMs = 60_000): Promise<SequenceResult> => sequence(db, { worker, leaseMs: restMs });
  await lockAndAdd(sampleStatusEvent(1, 1));
  expect(await by(one)).toMatchObject({ events: 1 });
  await lockAndAdd(sampleStatusEvent(1, 2));
  expect(await by(other)).toEqual({ kind: 'busy' });
  expect(await by(one)).toMatchObject({ events: 1 });
  expect(await by(other, 0)).toMatchObject({ events: 0 });
  // It has moved nothing, so the first worker still holds the lease.
  expect([await by(other), await by(one)]).toMatchObject([{ kind: 'busy' }, { events: 0 }]);
});

test('rejects an event whose version is not the next one of its flight, and rolls its transaction back', async () => {
  await lockAndAdd(sampleStatusEvent(1, 1), sampleStatusEvent(1, 2));
  await expect(lockAndAdd(sampleStatusEvent(3, 1), sampleStatusEvent(1, 2))).rejects.toThrow(
    `the flight ${flightKey(1)} is not at version 1: lock the versions of flights before creating events`,
  );
  await expect(lockAndAdd(sampleStatusEvent(1, 3), sampleStatusEvent(1, 5))).rejects.toThrow(
    `version 5 of the flight ${flightKey(1)} does not follow version 3`,
  );
  await expect(db.begin((sql) => insertEvents(sql, [sampleStatusEvent(9, 1)]))).rejects.toThrow(
    `the flight ${flightKey(9)} is not at version 0`,
  );
  expect(await countWaiting()).toBe(2);
});

test('sequencers are notified of commits, readers of the growth of the log', async () => {
  const notifications: string[] = [];
  const last = Promise.withResolvers<void>();
  const stops = [
    await db.listen(OUTBOX_CHANNEL, (payload) => void notifications.push(`outbox ${payload}`)),
    await db.listen(EVENTS_CHANNEL, (payload) => void notifications.push(`log ${payload}`)),
    await db.listen('end', () => last.resolve()),
  ];
  await lockAndAdd();
  await lockAndAdd(sampleStatusEvent(1, 1), sampleStatusEvent(1, 2));
  await sequence(db);
  await sequence(db);
  await db`select pg_notify('end', '')`;
  await last.promise;
  await Promise.all(stops.map(({ unlisten }) => unlisten()));
  expect(notifications).toEqual(['outbox ', 'log 2']);
});

test('the ID of an event is a UUID of version 7 with its creation time', async () => {
  await lockAndAdd(...Array.from({ length: 50 }, (_, index) => sampleStatusEvent(1, index + 1)));
  await sequence(db);
  const ids = (await listAllEvents(db)).map(({ id }) => id);
  const time = noon.getTime().toString(16).padStart(12, '0').replace(/^.{8}/, '$&-');
  const form = new RegExp(`^${time}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);
  expect([new Set(ids).size, ids.filter((id) => !form.test(id))]).toEqual([50, []]);
});
