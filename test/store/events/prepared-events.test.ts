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

/** Creates an event of a flight with its version, like those of schedules. */
const createEvent = (flight: number, version: number): NewEvent => ({
  ...sampleScheduleEvent(flight, version),
  body: `{"flightVersion":${version},"text":"é \\u0000 \\n \\\\ "}`,
});

test('renumbers the event of a flight that has had another event since, and keeps the others', async () => {
  await db.begin((sql) => insertStatusEvents(sql, [2]));
  await db.begin(async (sql) => {
    await createPreparedEventTables(sql);
    const first = { ...createEvent(1, 1), deleted: { lastState: undefined } };
    await insertPreparedEvents(sql, [first, { ...createEvent(2, 2), deleted: { lastState: '{"é":"\\n"}' } }]);
    await insertPreparedEvents(sql, []);
    await insertPreparedEvents(sql, [createEvent(3, 1)]);
    for (const flights of [[2, 3], [2]]) await db.begin((other) => insertStatusEvents(other, flights));
    await settlePreparedEvents(sql);
  });
  await sequence(db);
  const events = await listAllEvents(db);
  expect(findLogFaults(events)).toEqual(noFaults);
  const logged = { id: expect.any(String), sequencedAt: noon, position: expect.any(Number) };
  const expected = [createEvent(1, 1), createEvent(2, 4), createEvent(3, 2)].map((event) => ({ ...event, ...logged }));
  expect(events.filter(({ facts }) => facts.kind === 'schedule')).toEqual(expected);
  expect(await db`select from flight_event`).toHaveLength(events.length);
  const versions = await db.begin((sql) => lockVersions(sql, [1, 2, 3].map(flightKey)));
  expect([...versions.values()]).toEqual([
    { version: 1, deleted: { lastState: undefined } },
    { version: 4, deleted: { lastState: '{"é":"\\n"}' } },
    { version: 2, deleted: undefined },
  ]);
});
