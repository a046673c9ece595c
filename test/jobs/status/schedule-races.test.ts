import { afterEach, expect, test } from 'vitest';
import type { FlightReference, StatusMessage } from '../../../src/domain/status/message.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { matchBatch, storeMatched } from '../../../src/jobs/status/ingest/status-ingester.ts';
import { schedule } from '../../products/flight-info/v2/example-schedule.ts';
import { publishText } from '../../support/tiny-world.ts';
import { flight, lockTable, message, noon, plan, planned, second, ingest } from './messages.ts';
import { formatOutcomes, listQuarantine, listStoredMessages } from './messages.ts';
import { db, searchFlights, useStatusWorld } from './status-world.ts';

useStatusWorld();
afterEach(() => publishText(db, schedule));

/** XX 101 leaves half an hour later. */
const retimed = schedule.replaceAll('11001100', '11301130');
/** XX 101 becomes XX 777. */
const renumbered = schedule.replaceAll('0101', '0777');
const xx777 = flight({ flightNumber: 777 });

/** An unscheduled transatlantic flight, from 12:00 UTC. */
const extra = plan({
  flightType: 'Unscheduled',
  departureAirport: 'LHR',
  arrivalAirport: 'JFK',
  departs: '2026-06-01T12:00Z',
  arrives: '2026-06-01T19:00Z',
});

/** Matches a message, loads a schedule, and stores the message then. */
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
const out = message({ id: 'out', facts: { actualOut: second('2026-06-01T10:35Z') } });

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

test('a first message looked up before a retime and stored after it is compared with the new times', async () => {
  await storeAfterLoad(out, retimed);
  expect(await departureOf()).toEqual(['00:05:00', undefined]);
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
  const described = message({ id: 'plan', flight: xx777, plan: extra, facts: { departureGate: 'A1' } });
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
  const recovery = message({ id: 'm', flight: flight({ flightNumber: 9101 }), plan: { ...extra, recovers } });
  expect(formatOutcomes(await ingest(db, [recovery]))).toEqual(['stored']);
  expect(JSON.stringify(await searchFlights('FlightNumber=9101'))).not.toContain('originalFlight');
  await publishText(db, renumbered);
  const [original] = await searchFlights('CarrierCode=XX&FlightNumber=777');
  const [match] = await searchFlights('FlightNumber=9101');
  expect(match?.originalFlight).toContain(`${original?.scheduleInstanceKey}`);
});
