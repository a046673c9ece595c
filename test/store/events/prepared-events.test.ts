import { beforeEach, expect, test } from 'vitest';
import type { NewEvent } from '../../../src/store/events/event-outbox.ts';
import { lockVersions } from '../../../src/store/events/flight-versions.ts';
import {
  createPreparedEventTables,
  insertPreparedEvents,
  settlePreparedEvents,
} from '../../../src/store/events/prepared-events.ts';
import { sharedDatabase } from '../../support/database.ts';
import {
  listAllEvents,
  findLogFaults,
  flightKey,
  deleteAllEvents,
  noFaults,
  noon,
  sampleScheduleEvent,
  sequence,
  insertStatusEvents,
} from './sample-events.ts';

const { sql: db } = await sharedDatabase();
beforeEach(() => deleteAllEvents(db));

/** What the log adds to an event, but for its position. */
const logged = { id: expect.any(String), sequencedAt: noon };
const readVersions = async (...flights: readonly number[]) => [
  ...(await db.begin((sql) => lockVersions(sql, flights.map(flightKey)))).values(),
];

/** Creates an event of a flight with its version, like those of schedules. */
const createEvent = (flight: number, version: number, deleted?: NewEvent['deleted']): NewEvent => ({
  ...sampleScheduleEvent(flight, version),
  body: `{"flightVersion":${version},"text":"é \\u0000 \\n \\\\ "}`,
  ...(deleted && { deleted }),
});

/** Writes events while `meanwhile` runs. */
const load = (events: readonly NewEvent[], meanwhile: () => Promise<unknown> = async () => {}): Promise<void> =>
  db.begin(async (sql) => {
    await createPreparedEventTables(sql);
    await insertPreparedEvents(sql, events.slice(0, 2));
    await insertPreparedEvents(sql, []);
    await insertPreparedEvents(sql, events.slice(2));
    await meanwhile();
    await settlePreparedEvents(sql);
  });

test('prepared events are appended to the log in order when they are settled', async () => {
  const events = [createEvent(1, 1), createEvent(2, 1, { lastState: '{"é":"\\n"}' }), createEvent(3, 1)];
  await load(events);
  await sequence(db);
  expect(await listAllEvents(db)).toEqual(
    events.map(({ deleted: _, ...event }, index) => ({ ...event, ...logged, position: index + 1 })),
  );
});

test('prepared events continue the versions of their flights and record whether these are deleted', async () => {
  await db.begin((sql) => insertStatusEvents(sql, [1, 2]));
  await load([createEvent(1, 2, { lastState: '{}' }), createEvent(2, 2), createEvent(3, 1, { lastState: undefined })]);
  expect(await readVersions(1, 2, 3)).toEqual([
    { version: 2, deleted: { lastState: '{}' } },
    { version: 2, deleted: undefined },
    { version: 1, deleted: { lastState: undefined } },
  ]);
});

test('renumbers the event of a flight that has had another event since, and keeps the others', async () => {
  await db.begin((sql) => insertStatusEvents(sql, [2]));
  await load([createEvent(1, 1), createEvent(2, 2, { lastState: '{}' }), createEvent(3, 1)], () =>
    db.begin(async (sql) => {
      await insertStatusEvents(sql, [2, 3]);
      await insertStatusEvents(sql, [2]);
    }),
  );
  await sequence(db);
  const events = await listAllEvents(db);
  expect(findLogFaults(events)).toEqual(noFaults);
  const ofSchedules = events.filter(({ facts }) => facts.kind === 'schedule');
  const expected = [createEvent(1, 1), createEvent(2, 4), createEvent(3, 2)];
  expect(ofSchedules).toEqual(expected.map((event) => ({ ...event, ...logged, position: expect.any(Number) })));
  expect(await db`select from flight_event`).toHaveLength(events.length);
  expect(await readVersions(2, 3)).toEqual([
    { version: 4, deleted: { lastState: '{}' } },
    { version: 2, deleted: undefined },
  ]);
});
