import { beforeEach, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { insertEvents, type NewEvent } from '#store/events/event-outbox.ts';
import { incrementVersions, lockVersions, type FlightVersion } from '#store/events/flight-versions.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { listAllEvents, findLogFaults, flightKey, deleteAllEvents, sampleScheduleEvent } from './sample-events.ts';
import { sequence, sampleStatusEvent, insertStatusEvents, noFaults, noon } from './sample-events.ts';
import { createPreparedEventTables, insertPreparedEvents } from '#store/events/prepared-events.ts';
import { settlePreparedEvents } from '#store/events/prepared-events.ts';

const { sql: db } = await sharedDatabase();
beforeEach(() => deleteAllEvents(db));

/** The expected version of a flight, and its last state if it is deleted. */
const version = (number: number, deleted?: FlightVersion['deleted']): FlightVersion => ({ version: number, deleted });

const readVersions = async (...flights: readonly number[]): Promise<readonly (FlightVersion | undefined)[]> => {
  const versions = await db.begin((sql) => lockVersions(sql, flights.map(flightKey)));
  return flights.map((flight) => versions.get(flightKey(flight)));
};
const add = (...events: readonly NewEvent[]): Promise<void> => db.begin((sql) => insertEvents(sql, events));

test('keeps the last state of a deleted flight until the schedule contains it again', async () => {
  expect(await readVersions(1, 2)).toEqual([version(0), version(0)]);
  const lastState = '{"flightNumber":101,"text":"é \\u0000 \\" \\\\ "}';
  await add(
    { ...sampleScheduleEvent(1, 1), deleted: { lastState } },
    { ...sampleScheduleEvent(2, 1), deleted: { lastState: undefined } },
  );
  const deleted = [version(1, { lastState }), version(1, { lastState: undefined })];
  expect(await readVersions(1, 2)).toEqual(deleted);
  await add(sampleStatusEvent(1, 2));
  expect(await readVersions(1)).toEqual([version(2, { lastState })]);
  await add(sampleScheduleEvent(1, 3), sampleScheduleEvent(2, 2));
  expect(await readVersions(1, 2)).toEqual([version(3), version(2)]);
});

test('of several events of a flight in one transaction, the last schedule event decides', async () => {
  await readVersions(1, 2);
  await add(
    { ...sampleScheduleEvent(1, 1), deleted: { lastState: '{}' } },
    sampleStatusEvent(1, 2),
    sampleScheduleEvent(2, 1),
    { ...sampleScheduleEvent(2, 2), deleted: { lastState: '{}' } },
    sampleScheduleEvent(1, 3),
    sampleStatusEvent(2, 3),
  );
  expect(await readVersions(1, 2)).toEqual([version(3), version(3, { lastState: '{}' })]);
});

test('transactions that share flights in any order do not deadlock', async () => {
  const flights = [...Array(30).keys()];
  const orders = [flights, flights.toReversed(), flights.filter((n) => n % 2), flights.filter((n) => n % 3 === 0)];
  const rounds = [...Array(20).keys()].flatMap(() => orders);
  await Promise.all(rounds.map((order) => db.begin((sql) => insertStatusEvents(sql, order))));
  await sequence(db, { limit: 10_000 });
  const events = await listAllEvents(db);
  expect([events.length, findLogFaults(events)]).toEqual([20 * (30 + 30 + 15 + 10), noFaults]);
});

test('locks more flights than the statement limit', async () => {
  const keys = Array.from({ length: 25_000 }, (_, index) => flightKey(index));
  const versions = await db.begin((sql) => lockVersions(sql, [...keys.toReversed(), ...keys]));
  expect([...versions.keys()]).toEqual(keys);
});

test('a flight that occurs several times in one call is incremented by that number', async () => {
  const day = localDate('2026-06-01');
  const increment = (...flights: readonly number[]) => {
    const rows = flights.map((flight) => ({ key: flightKey(flight), day }));
    return db.begin((sql) => incrementVersions(sql, rows));
  };
  expect([...(await increment(1))]).toEqual([[flightKey(1), 0]]);
  expect(new Set(await increment(1, 2, 1))).toEqual(
    new Set([
      [flightKey(1), 1],
      [flightKey(2), 0],
    ]),
  );
  expect(await readVersions(1, 2)).toEqual([version(3), version(1)]);
});

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
