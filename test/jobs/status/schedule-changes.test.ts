import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { FlightReference, StatusMessage } from '#domain/status/message.ts';
import { localDate } from '#domain/time/dates.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { updateStatusesForSchedules } from '#jobs/status/recompute/update-for-schedules.ts';
import { matchBatch, storeMatched } from '#jobs/status/ingest/status-ingester.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { flight, lockTable, message, noon, plan, planned, second, ingest } from './messages.ts';
import { formatOutcomes, listQuarantine, listStoredMessages } from './messages.ts';
import { listFlightsWithVersionGaps, deleteEvents, listEventChanges, listStatusEvents } from './emitted-events.ts';
import { db, searchFlights, useStatusWorld } from './status-world.ts';

useStatusWorld();
beforeEach(async () => {
  await publishText(db, schedule);
  await deleteEvents(db);
});

/** XX 101 and YY 5101 leave half an hour later. */
const retimed = schedule.replaceAll('11001100', '11301130');
/** XX 101 becomes XX 777, and its marketing flight YY 5107. */
const renumbered = schedule.replaceAll('0101', '0777');
const xx777 = flight({ flightNumber: 777 });
const transatlantic = {
  flightType: 'Unscheduled',
  departureAirport: 'LHR',
  arrivalAirport: 'JFK',
  departs: '2026-06-01T12:00Z',
  arrives: '2026-06-01T19:00Z',
} as const;

const followAgain = async (): Promise<void> => {
  const span = { from: localDate('2026-06-01'), to: localDate('2026-06-03'), today: localDate('2026-06-01') };
  await updateStatusesForSchedules(db, span, await readMasterDataIndex(db));
};

const scheduledOut = [
  'Departure.Times.Scheduled.Local: "2026-06-01T11:00:00"',
  'Departure.Times.Scheduled.UTC: "2026-06-01T10:00:00+00:00"',
];
const out = message({ id: 'out', facts: { actualOut: second('2026-06-01T10:35Z') } });
const linked = [
  message({ id: 'm', flight: flight({ flightNumber: 9101 }), plan: plan({ ...transatlantic, recovers: xx777 }) }),
];
const ofBoth = (changes: readonly string[]) => ['XX101', 'YY5101'].map((name) => [name, ...changes]);
const ofXx777 = ['XX777', 'YY5107'].map((name) => [name, '+Departure.Gate']);
/** Loads a schedule while statuses cannot be updated for it. */
const publishWithoutStatuses = async (text: string): Promise<readonly string[]> => {
  await db`alter table flight_status rename to away`;
  const report = await publishText(db, text);
  await db`alter table away rename to flight_status`;
  return report.entries.map(({ reason }) => reason);
};

test('a retime emits events of an observed flight with new times and variations', async () => {
  await ingest(db, [out]);
  await ingest(db, [message({ id: 'gate', flight: flight({ date: '2026-06-02' }), facts: { departureGate: '7' } })]);
  await deleteEvents(db);
  await publishText(db, retimed);
  await followAgain();
  const changes = [...scheduledOut, 'Departure.Times.Actual.OutGateVariation: "00:35:00"'];
  const [dayBefore] = await listStatusEvents(db);
  expect(await listEventChanges(db)).toEqual([
    ...ofBoth(changes),
    ...ofBoth(scheduledOut.map((one) => one.replace('06-01', '06-02'))),
  ]);
  expect(dayBefore?.body.departure.times).toEqual({
    scheduled: { local: '2026-06-01T11:30:00', utc: '2026-06-01T10:30:00+00:00' },
    actual: {
      outGateTimeliness: 'Delayed',
      outGateVariation: '00:05:00',
      outGate: { local: '2026-06-01T11:35:00+01:00', utc: '2026-06-01T10:35:00+00:00' },
    },
  });
  expect(await listFlightsWithVersionGaps(db)).toEqual([]);
});

test('a corrected time zone of a station changes the variations of observed flights, although the local times stay', async () => {
  const setZone = (zone: string) => db`update location set zone = ${zone} where iata = 'LHR'`;
  onTestFinished(async () => {
    await setZone('Europe/London');
    await publishText(db, schedule);
  });
  await ingest(db, [out]);
  await deleteEvents(db);
  await setZone('Europe/Lisbon');
  await publishText(db, schedule);
  expect(await listEventChanges(db)).toEqual([]);
  await setZone('Europe/Paris');
  await publishText(db, schedule);
  const [emitted] = await listStatusEvents(db);
  expect(emitted?.body.departure.times).toEqual({
    scheduled: { local: '2026-06-01T11:00:00', utc: '2026-06-01T09:00:00+00:00' },
    actual: {
      outGateTimeliness: 'Delayed',
      outGateVariation: '01:35:00',
      outGate: { local: '2026-06-01T12:35:00+02:00', utc: '2026-06-01T10:35:00+00:00' },
    },
  });
});

test('a message between a retime and the update of statuses emits an event with the old times; the update changes them', async () => {
  await ingest(db, [out]);
  await deleteEvents(db);
  expect(await publishWithoutStatuses(retimed)).toContain('statuses-left');
  await ingest(db, [message({ id: 'gate', at: '2026-06-01T09:10Z', facts: { departureGate: '7' } })]);
  const [first] = await listStatusEvents(db);
  expect(first?.body.departure.times).toMatchObject({
    scheduled: { local: '2026-06-01T11:00:00' },
    actual: { outGateVariation: '00:35:00' },
  });
  await followAgain();
  const changes = [...scheduledOut, 'Departure.Times.Actual.OutGateVariation: "00:35:00"'];
  expect(await listEventChanges(db)).toEqual([...ofBoth(['+Departure.Gate']), ...ofBoth(changes)]);
});

test('a flight replaced by a scheduled one continues under its keys, with its status', async () => {
  await ingest(db, [message({ id: 'm', flight: xx777, plan: plan(transatlantic), facts: { departureGate: '7' } })]);
  const [asUnscheduled] = await listStatusEvents(db);
  await deleteEvents(db);
  await publishText(db, renumbered);
  await followAgain();
  expect(await listEventChanges(db)).toEqual(ofXx777);
  const [emitted] = await listStatusEvents(db);
  expect(emitted?.body.statusKey).toBe(asUnscheduled?.body.statusKey);
  expect([asUnscheduled?.flightKey, emitted?.flightKey]).toEqual([
    asUnscheduled?.body.statusKey,
    emitted?.body.scheduleInstanceKey,
  ]);
  expect(await listFlightsWithVersionGaps(db)).toEqual([]);
});

test('a recovery flight emits an event when a schedule contains the flight that it recovers', async () => {
  await ingest(db, linked);
  const [first] = await listStatusEvents(db);
  expect(first?.body.originalStatusKey).toBe(undefined);
  await deleteEvents(db);
  await publishText(db, renumbered);
  await followAgain();
  expect(await listEventChanges(db)).toEqual([['XX9101', '+OriginalStatusKey']]);
  const [emitted] = await listStatusEvents(db);
  await ingest(db, [message({ id: 'n', flight: xx777, facts: { departureGate: '1' } })]);
  const original = (await listStatusEvents(db)).at(-1);
  expect(emitted?.body.originalStatusKey).toBe(original?.body.statusKey);
});

test('a message matched before its recovery flight was linked emits an event with the link', async () => {
  const xx9101 = flight({ flightNumber: 9101 });
  await ingest(db, linked);
  await deleteEvents(db);
  await publishWithoutStatuses(renumbered);
  const taking = { masterDataIndex: await readMasterDataIndex(db), clock: noon };
  const gate = message({ id: 'gate', at: '2026-06-01T09:10Z', flight: xx9101, facts: { departureGate: '7' } });
  const placed = await matchBatch(db, [gate], taking);
  await followAgain();
  await storeMatched(db, placed, taking);
  expect(await listEventChanges(db)).toEqual([
    ['XX9101', '+OriginalStatusKey'],
    ['XX9101', '+Departure.Gate'],
  ]);
  const [first, emitted] = (await listStatusEvents(db)).map(({ body }) => body.originalStatusKey);
  expect([first, emitted]).toEqual([expect.any(String), first]);
});

test('messages released from quarantine emit events', async () => {
  await ingest(db, [message({ id: 'm', flight: xx777, facts: { departureGate: '7' } })]);
  expect(await listEventChanges(db)).toEqual([]);
  await publishText(db, renumbered);
  expect(await listEventChanges(db)).toEqual(ofXx777);
  expect(await listFlightsWithVersionGaps(db)).toEqual([]);
});

const storeAfterLoad = async (one: StatusMessage, text: string): Promise<readonly string[]> => {
  const placed = await matchBatch(db, [one], { masterDataIndex: await readMasterDataIndex(db) });
  await publishText(db, text);
  const taking = { masterDataIndex: await readMasterDataIndex(db), clock: noon };
  return formatOutcomes(await storeMatched(db, placed, taking));
};
/** The variation of the departure of XX 101, and its gate. */
const departureOf = async () => {
  const [match] = await searchFlights('CarrierCode=XX&FlightNumber=101');
  const { departure } = match?.statusDetails?.[0] ?? {};
  return [departure?.actualTime?.outGateVariation, departure?.gate];
};

test('a load and a stream that both add the same airport do not deadlock', async () => {
  const lock = await lockTable(db, 'expanded_day', 'exclusive');
  const loading = publishText(db, schedule.replaceAll('CDG', 'SYD'));
  await lock.untilWaiting(1);
  // Without an ingester, which would retry after a deadlock that aborted its transaction.
  const toSydney = plan({ arrivalAirport: 'SYD', arrives: '2026-06-02T08:00Z' });
  const ingested = ingest(db, [message({ id: 'plan', flight: { ...planned, arrivalAirport: 'SYD' }, plan: toSydney })]);
  await lock.untilWaiting(2);
  await lock.release();
  const [report, outcomes] = await Promise.all([loading, ingested]);
  expect([report.accepted['itineraries'], formatOutcomes(outcomes)]).toEqual([6, ['stored']]);
  expect(await listStoredMessages(db)).toEqual(['plan: WW7 OPO-SYD 06-01 11:00']);
});

test('a message looked up before a retime and stored after it is compared with the new times', async () => {
  await ingest(db, [out]);
  expect(await departureOf()).toEqual(['00:35:00', undefined]);
  await storeAfterLoad(message({ id: 'gate', at: '2026-06-01T10:40Z', facts: { departureGate: '7' } }), retimed);
  expect(await departureOf()).toEqual(['00:05:00', '7']);
  await ingest(db, [message({ id: 'next', at: '2026-06-01T10:41Z', facts: { departureGate: '8' } })]);
  expect(await departureOf()).toEqual(['00:05:00', '8']);
});

test('a concurrent load of connecting times does not hide a schedule load from a message matched before it', async () => {
  // They begin after the schedule and end before it, so theirs is the load with the greater number.
  await db`
    insert into load (id, kind, source, sha256, carriers, report) overriding system value
    select max(id) + 1000, 'mct', '', '', '{}', '{}' from load`;
  await storeAfterLoad(out, retimed);
  expect(await departureOf()).toEqual(['00:05:00', undefined]);
});

test('a plan matched before a load that contains its flight, and stored after it, creates no second flight', async () => {
  const described = message({ id: 'plan', flight: xx777, plan: plan(transatlantic), facts: { departureGate: 'A1' } });
  expect(await storeAfterLoad(described, renumbered)).toEqual(['stored']);
  const flights = (await searchFlights('CarrierCode=XX&FlightNumber=777')).map((one) => [
    one.flightType,
    one.departure.time.local,
    one.statusDetails?.[0]?.departure?.gate,
  ]);
  expect(flights).toEqual([['Scheduled', '11:00', 'A1']]);
});

test('a message matched before the load of its flight is stored with that flight', async () => {
  await storeAfterLoad(message({ id: 'm', flight: xx777 }), renumbered);
  expect([await listQuarantine(db), await listStoredMessages(db)]).toEqual([[], ['m: XX777 LHR-JFK 06-01 11:00']]);
});

const key = async (by: 'scheduleInstanceKey' | 'statusKey'): Promise<FlightReference> => {
  const [original] = await searchFlights('CarrierCode=XX&FlightNumber=777');
  return { by, key: original?.[by] ?? '', departureDate: xx777.originDate };
};
test.each<readonly [string, () => Promise<FlightReference>]>([
  ['with both airports', async () => xx777],
  ['without its arrival airport', async () => ({ ...xx777, arrivalAirport: undefined })],
  ['by schedule key', () => key('scheduleInstanceKey')],
  ['by status key', () => key('statusKey')],
])('a recovery reported first is linked to its original by the schedule, named %s', async (_, name) => {
  await publishText(db, renumbered);
  const recovers = await name();
  await publishText(db, schedule);
  const recovery = message({
    id: 'm',
    flight: flight({ flightNumber: 9101 }),
    plan: { ...plan(transatlantic), recovers },
  });
  expect(formatOutcomes(await ingest(db, [recovery]))).toEqual(['stored']);
  expect(JSON.stringify(await searchFlights('FlightNumber=9101'))).not.toContain('originalFlight');
  await publishText(db, renumbered);
  const [original] = await searchFlights('CarrierCode=XX&FlightNumber=777');
  const [match] = await searchFlights('FlightNumber=9101');
  expect(match?.originalFlight).toContain(`${original?.scheduleInstanceKey}`);
});
