import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { openDatabase } from '#store/pool/database.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { readScheduleMessages } from '#feeds/schedule-messages/read-messages.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { ingestScheduleMessages } from '#jobs/schedule-messages/ingest-messages.ts';
import { buildFile, buildLeg, buildSecondLeg } from '#test/feeds/ssim/build-file.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { buildCarrierFile } from '#test/jobs/expand/carrier-file.ts';
import { flight, lockTable, message, plan, planned, second, ingest } from '../messages.ts';
import { deleteEvents, listStatusEvents } from '../emitted-events.ts';
import { formatOutcomes, listQuarantine, listStoredMessages } from '../messages.ts';
import { db, searchFlights, searchPage, useStatusWorld, world } from '../status-world.ts';

useStatusWorld('');

const june = { 15: '01JUN26', 22: '03JUN26' };
const few = { horizonDays: 3, today: localDate('2026-06-02') };
beforeEach(() => publishText(db, buildFile(buildLeg(june)), few));
afterEach(() => publishText(db, wwFile({ 6: '0999', 15: '03JUN26' }), few));

const nameOf = ({ carrier: codes, flightNumber, flightType, departure }: FlightInstance): string =>
  `${codes.iata}${flightNumber} ${flightType} ${departure.date.local.slice(5)} ${departure.time.local}`;
const flightsOf = async (date: string): Promise<readonly string[]> => {
  const { data, paging } = await searchPage(`DepartureDateTime=${date}&Content=Status&Limit=100`);
  expect(paging.totalCount).toBe(data.length);
  return data.map(nameOf);
};

const ga = message({ id: 'plan', flight: planned, plan: plan() });
const toLisbon = { 37: 'OPO', 40: '1100', 44: '1100', 55: 'LIS', 58: '1200', 62: '1200', 66: '+0100', 73: '320' };
const wwFile = (bytes: Record<number, string>): string =>
  buildCarrierFile('WW', buildLeg({ 3: 'WW', 6: '0007', ...june, ...toLisbon, ...bytes }));
const searchWw = async () => (await searchFlights('CarrierCode=WW'))[0]?.statusDetails?.[0];

test('after a schedule load, a scheduled flight replaces an unscheduled one, and keeps its status', async () => {
  await ingest(db, [ga]);
  const off = { actualOff: second('2026-06-01T10:20Z') };
  await ingest(db, [message({ id: 'off', at: '2026-06-01T10:20Z', flight: planned, facts: off })]);
  await publishText(db, wwFile({ 40: '1110', 44: '1110' }), few);
  expect(await flightsOf('2026-06-01')).toEqual(['XX101 Scheduled 06-01 11:00', 'WW7 Scheduled 06-01 11:10']);
  const departure = { actualTime: { offGround: expect.anything() } };
  expect(await searchWw()).toMatchObject({ state: 'inAir', departure });
});

test('an unscheduled flight that a schedule replaced returns with its status when the schedule no longer contains it', async () => {
  await ingest(db, [ga]);
  const off = { actualOff: second('2026-06-01T10:20Z') };
  const asFiled = await flightsOf('2026-06-01');
  await publishText(db, wwFile({ 40: '1110', 44: '1110' }), few);
  await ingest(db, [message({ id: 'off', at: '2026-06-01T10:20Z', flight: planned, facts: off })]);
  await deleteEvents(db);
  await publishText(db, wwFile({ 6: '0999', 15: '03JUN26' }), few);
  expect(await flightsOf('2026-06-01')).toEqual(asFiled);
  expect(await searchWw()).toMatchObject({
    state: 'inAir',
    departure: { actualTime: { offGround: expect.anything() } },
  });
  const events = await listStatusEvents(db);
  expect(events.map(({ body, flightKey }) => [body.scheduleInstanceKey, body.statusKey === flightKey])).toEqual([
    [undefined, true],
  ]);
  expect(await db`select from flight_status where superseded is not null`).toHaveLength(0);
  await publishText(db, wwFile({}), few);
  expect(await flightsOf('2026-06-01')).toEqual(['XX101 Scheduled 06-01 11:00', 'WW7 Scheduled 06-01 11:00']);
});

test('an unscheduled flight that is described after its schedule has gone is the one described', async () => {
  await ingest(db, [ga]);
  await publishText(db, wwFile({}), few);
  await db`alter table flight_status rename to away`;
  await publishText(db, wwFile({ 6: '0999', 15: '03JUN26' }), few);
  await db`alter table away rename to flight_status`;
  const later = plan({ departs: '2026-06-01T10:30Z', arrives: '2026-06-01T11:30Z' });
  await ingest(db, [message({ id: 'later', at: '2026-06-01T09:30Z', flight: planned, plan: later })]);
  await publishText(db, wwFile({ 6: '0999', 15: '03JUN26' }), few);
  expect((await flightsOf('2026-06-01')).filter((name) => name.includes('WW7'))).toEqual(['WW7 GA 06-01 11:30']);
});

test('after a schedule load, compares an arrival that was unknown with the scheduled one', async () => {
  await ingest(db, [message({ id: 'plan', flight: planned, plan: plan({ arrives: '' }) })]);
  await ingest(db, [
    message({ id: 'in', at: '2026-06-01T11:20Z', flight: planned, facts: { actualIn: second('2026-06-01T11:20Z') } }),
  ]);
  await publishText(db, wwFile({}), few);
  expect((await searchWw())?.arrival?.actualTime?.inGateVariation).toBe('00:20:00');
});

test('after a schedule load, messages in quarantine match their flights, and the others stay', async () => {
  await ingest(db, [
    message({ id: 'ww', flight: planned, facts: { actualOut: second('2026-06-01T10:03Z') } }),
    message({ id: 'stray', flight: flight({ flightNumber: 999 }) }),
  ]);
  expect(await listQuarantine(db)).toEqual(['stray: no-such-flight', 'ww: no-such-flight']);
  await publishText(db, wwFile({}), few);
  expect([await listQuarantine(db), await listStoredMessages(db)]).toEqual([
    ['stray: no-such-flight'],
    ['ww: WW7 OPO-LIS 06-01 11:00'],
  ]);
});

test('after a schedule load, more messages in quarantine than the batch limit all match their flights', async () => {
  const many = Array.from({ length: 1201 }, (_, index) =>
    message({ id: `m${index}`, flight: planned, facts: { departureGate: `${index}` } }),
  );
  await ingest(db, many);
  await publishText(db, wwFile({}), few);
  expect([await listQuarantine(db), (await listStoredMessages(db)).length]).toEqual([[], 1201]);
});

const oid = async (): Promise<number | undefined> => {
  const [row] = await db<{ oid: number }[]>`select 'flight_instance_20260601'::regclass::oid as oid`;
  return row?.oid;
};
const many = Array.from({ length: 20 }, (_, index) => buildLeg({ 6: String(1000 + index), ...june }));
const loads = [
  ['that rewrites the day', buildFile(...many), true],
  ['that changes few flights of the day', wwFile({ 6: '0900' }), false],
] as const;

test.each(loads)('unscheduled flights survive a schedule load %s', async (_, text, isRebuilt) => {
  await publishText(db, buildFile(...many), few);
  await ingest(db, [ga]);
  const before = await oid();
  await publishText(db, text, few);
  expect((await oid()) !== before).toBe(isRebuilt);
  expect((await flightsOf('2026-06-01')).filter((name) => name.includes('GA'))).toEqual(['WW7 GA 06-01 11:00']);
});

test.each(loads)(
  'unscheduled flights survive a schedule load %s, also one that arrives during the load',
  async (_, text) => {
    await publishText(db, buildFile(...many), few);
    const lock = await lockTable(db, 'itinerary');
    const loading = publishText(db, text, few);
    await lock.untilWaiting(1);
    expect(formatOutcomes(await ingest(db, [ga]))).toEqual(['stored']);
    await lock.release();
    await loading;
    expect((await flightsOf('2026-06-01')).filter((name) => name.includes('GA'))).toEqual(['WW7 GA 06-01 11:00']);
  },
);

test('unscheduled flights survive a schedule load and never deadlock with other transactions', async () => {
  await publishText(db, buildFile(...many), few);
  const [row] = await db<{ name: string }[]>`select current_database() as name`;
  // After this wait the session checks for deadlocks; one that closes later would be detected by the load, which would lose its work.
  await db.unsafe(`alter database ${row?.name} set deadlock_timeout = '20ms'`);
  const impatient = openDatabase({ url: world.url, applicationName: 'flightdata-test', max: 6 });
  try {
    const lock = await lockTable(impatient, 'flight_instance_20260601', 'access share');
    const loading = publishText(impatient, buildFile(...many.slice(1)), few);
    await lock.untilWaiting(1);
    const reading = impatient<
      { count: bigint }[]
    >`select count(*) from flight_instance where departs_at::date = '2026-06-01'`;
    const [[counted]] = await Promise.all([reading, lock.untilWaiting(2).then(() => lock.release(100)), loading]);
    expect(counted?.count).toBe(19n);
  } finally {
    await impatient.end();
  }
});

test('a day beyond the horizon is created for an unscheduled flight, and expanded later with that flight among the others', async () => {
  const reference = { ...planned, originDate: localDate('2026-06-09') };
  const late = plan({ departs: '2026-06-09T10:00Z', arrives: '2026-06-09T11:00Z' });
  await publishText(db, buildFile(buildLeg({ 15: '01JUN26', 22: '10JUN26' })), few);
  expect(await flightsOf('2026-06-09')).toEqual([]);
  await ingest(db, [message({ id: 'late', flight: reference, plan: late })]);
  expect(await flightsOf('2026-06-09')).toEqual(['WW7 GA 06-09 11:00']);
  const rolled = await extendHorizon(db, { today: localDate('2026-06-08'), horizonDays: 4 });
  expect(rolled).toEqual({ days: 4, instances: 4 });
  expect((await flightsOf('2026-06-09')).toSorted()).toEqual(['WW7 GA 06-09 11:00', 'XX101 Scheduled 06-09 11:00']);
  const again = await extendHorizon(db, { today: localDate('2026-06-08'), horizonDays: 4 });
  expect(again).toEqual({ days: 0, instances: 0 });
});

test('a flight with stops that a message retimes over midnight still has the status of its legs', async () => {
  // Created before the message: record 2 has the date in bytes 29 to 35.
  const file = buildFile(buildLeg(june), buildSecondLeg(june)).replace(/^(2.{27}).{7}/m, '$120MAY26');
  await publishText(db, file, few);
  await ingest(db, [message({ id: 'gate', facts: { departureGate: '7', actualOut: second('2026-06-01T10:05Z') } })]);
  const listStates = async () => {
    const { data } = await searchPage('DepartureDateTime=2026-06-01/2026-06-02&CarrierCode=XX&Content=Status');
    return data.flatMap((row) => {
      const [status] = row.statusDetails ?? [];
      return status ? [[nameOf(row), row.arrival.airport.iata, status.state, status.departure?.gate]] : [];
    });
  };
  const legs = 'LHR0030/1 JFK0330/1\nJFK0500/1 LAX0800/1';
  const items = [];
  const text = `ASM\nLT\nTIM\nXX101/01JUN26\n${legs}\n\n`;
  const now = () => new Date('2026-06-01T12:00:00Z');
  for await (const item of readScheduleMessages([Buffer.from(text)].values() as never, now)) items.push(item);
  const masterDataIndex = await readMasterDataIndex(db);
  expect(await listStates()).toEqual([
    ['XX101 Scheduled 06-01 11:00', 'JFK', 'OutGate', '7'],
    ['XX101 Scheduled 06-01 11:00', 'LAX', 'OutGate', '7'],
  ]);
  const { outcomes } = await ingestScheduleMessages(db, items, {
    masterDataIndex,
    clock: now,
    source: 'test',
    sha256: '',
  });
  expect(outcomes.map(({ kind }) => kind)).toEqual(['applied']);
  expect(await listStates()).toEqual([
    ['XX101 Scheduled 06-02 00:30', 'JFK', 'OutGate', '7'],
    ['XX101 Scheduled 06-02 00:30', 'LAX', 'OutGate', '7'],
  ]);
});
