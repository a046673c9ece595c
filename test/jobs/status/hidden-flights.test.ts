import { afterEach, expect, test } from 'vitest';
import { deleteEvents, listEventChanges } from './emitted-events.ts';
import { ingest, message, second } from './messages.ts';
import { db, searchFlights, searchPage, useStatusWorld } from './status-world.ts';

useStatusWorld();
afterEach(() => deleteEvents(db));

const at = (minute: number): string => `2026-06-01T11:${minute}Z`;
const off = message({
  id: 'off',
  at: at(10),
  facts: { actualOff: second('2026-06-01T10:15Z'), registration: 'GXYZA' },
});
const hide = message({ id: 'hide', at: at(11), facts: { hidden: true } });
const gate = message({ id: 'gate', at: at(12), facts: { arrivalGate: '7' } });
const show = message({ id: 'show', at: at(13), facts: { hidden: null } });

const xx101 = 'CarrierCode=XX&FlightNumber=101';
const findStates = async (): Promise<readonly unknown[]> =>
  (await searchFlights(xx101)).map(({ statusDetails }) => statusDetails?.map(({ state }) => state));
const count = async (query: string): Promise<number> =>
  (await searchPage(`DepartureDateTime=2026-06-01&${query}`)).data.length;

test('a hidden flight has neither status nor history, and searches by its status do not find it, until it is shown again', async () => {
  await ingest(db, [off]);
  expect([await findStates(), await count('AircraftRegistrationNumber=GXYZA')]).toEqual([[['inAir']], 2]);
  await ingest(db, [hide]);
  await ingest(db, [gate]);
  expect([await findStates(), await count('AircraftRegistrationNumber=GXYZA')]).toEqual([[[]], 0]);
  const history = await searchPage(`DepartureDateTime=2026-06-01&${xx101}&Content=StatusHistory`).catch(String);
  expect(JSON.stringify(history)).not.toContain('inAir');
  await ingest(db, [show]);
  const [flight] = await searchFlights(xx101);
  expect(flight?.statusDetails).toMatchObject([{ state: 'inAir', arrival: { gate: '7' } }]);
});

test('hiding and showing a flight are one event each, and what is received in between has none', async () => {
  await ingest(db, [off]);
  await deleteEvents(db);
  await ingest(db, [hide]);
  const hiding = await listEventChanges(db);
  expect(hiding.map(([flight]) => flight)).toEqual(['XX101', 'YY5101']);
  expect(hiding[0]).toContain('State: "inAir"');
  await ingest(db, [gate]);
  expect(await listEventChanges(db)).toEqual(hiding);
  await ingest(db, [show]);
  expect((await listEventChanges(db)).slice(hiding.length).map(([flight]) => flight)).toEqual(['XX101', 'YY5101']);
});

test('a planned resource counts while no actual one is known, in any order', async () => {
  const planned = message({
    id: 'planned',
    at: at(12),
    facts: { plannedDepartureGate: 'B22', plannedDepartureStand: '332', plannedArrivalGate: '9', plannedBaggage: '4' },
  });
  const actual = message({ id: 'actual', at: at(10), facts: { departureGate: 'B10' } });
  const withdrawn = message({ id: 'withdrawn', at: at(13), facts: { departureGate: null } });
  const places = async () => {
    const [status] = (await searchFlights(xx101))[0]?.statusDetails ?? [];
    return [status?.departure?.gate, status?.departure?.stand, status?.arrival?.gate, status?.arrival?.baggage];
  };
  await ingest(db, [planned]);
  expect(await places()).toEqual(['B22', '332', '9', '4']);
  await ingest(db, [actual]);
  expect(await places()).toEqual(['B10', '332', '9', '4']);
  await ingest(db, [withdrawn]);
  expect(await places()).toEqual(['B22', '332', '9', '4']);
});
