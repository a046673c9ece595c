import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { FlightInstancePage } from '../../../generated/flight-info/v2/types.gen.ts';
import type { FlightReference } from '../../../src/domain/status/message.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { matchBatch, storeMatched } from '../../../src/jobs/status/ingest/status-ingester.ts';
import { schedule } from '../../products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../support/tiny-world.ts';
import {
  formatOutcomes,
  flight,
  deleteStatuses,
  lockTable,
  listStoredMessages,
  message,
  noon,
  plan,
  planned,
  listQuarantine,
  second,
  ingest,
} from './messages.ts';

let world: TinyService;
let db: Database;
beforeAll(async () => {
  world = await serveTinyWorld();
  db = world.db;
  await publishText(db, schedule);
  await world.refresh();
});
afterAll(() => world.drop());
afterEach(async () => {
  await deleteStatuses(db);
  await publishText(db, schedule);
});

const searchFlights = async (query: string): Promise<FlightInstancePage['data']> => {
  await world.refresh();
  const response = await world.get(`/flight-instances?DepartureDateTime=2026-06-01&${query}&Content=Status`);
  const { data }: FlightInstancePage = await response.json();
  return data;
};

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

test('a load and a stream that both add the same airport do not deadlock', async () => {
  const lock = await lockTable(db, 'expanded_day', 'exclusive');
  const loading = publishText(db, schedule.replaceAll('CDG', 'SYD'));
  await lock.untilWaiting(1);
  // Without an ingester, which would retry after a deadlock that aborted its transaction.
  const ingested = ingest(db, [
    message({
      id: 'plan',
      flight: { ...planned, arrivalAirport: 'SYD' },
      plan: plan({ arrivalAirport: 'SYD', arrives: '2026-06-02T08:00Z' }),
    }),
  ]);
  await lock.untilWaiting(2);
  await lock.release();
  const [report, outcomes] = await Promise.all([loading, ingested]);
  expect([report.accepted['itineraries'], formatOutcomes(outcomes)]).toEqual([6, ['stored']]);
  expect(await listStoredMessages(db)).toEqual(['plan: WW7 OPO-SYD 06-01 11:00']);
});

test('a message looked up before a retime and stored after it is compared with the new times', async () => {
  const variation = async () => {
    const [match] = await searchFlights('CarrierCode=XX&FlightNumber=101');
    const { departure } = match?.statusDetails?.[0] ?? {};
    return [departure?.actualTime?.outGateVariation, departure?.gate];
  };
  await ingest(db, [message({ id: 'out', facts: { actualOut: second('2026-06-01T10:35Z') } })]);
  expect(await variation()).toEqual(['00:35:00', undefined]);
  const placed = await matchBatch(
    db,
    [message({ id: 'gate', at: '2026-06-01T10:40Z', facts: { departureGate: '7' } })],
    { masterDataIndex: await readMasterDataIndex(db) },
  );
  await publishText(db, retimed);
  await storeMatched(db, placed, { masterDataIndex: await readMasterDataIndex(db), clock: noon });
  expect(await variation()).toEqual(['00:05:00', '7']);
  await ingest(db, [message({ id: 'next', at: '2026-06-01T10:41Z', facts: { departureGate: '8' } })]);
  expect(await variation()).toEqual(['00:05:00', '8']);
});

test('a first message looked up before a retime and stored after it is compared with the new times', async () => {
  const placed = await matchBatch(db, [message({ id: 'out', facts: { actualOut: second('2026-06-01T10:35Z') } })], {
    masterDataIndex: await readMasterDataIndex(db),
  });
  await publishText(db, retimed);
  await storeMatched(db, placed, { masterDataIndex: await readMasterDataIndex(db), clock: noon });
  const [match] = await searchFlights('CarrierCode=XX&FlightNumber=101');
  expect(match?.statusDetails?.[0]?.departure?.actualTime?.outGateVariation).toBe('00:05:00');
});

test('a concurrent load of connecting times does not hide a schedule load from a message matched before it', async () => {
  // They begin after the schedule and end before it, so theirs is the load with the greater number.
  await db`
    insert into load (id, kind, source, sha256, carriers, report) overriding system value
    select max(id) + 1000, 'mct', '', '', '{}', '{}' from load`;
  const placed = await matchBatch(db, [message({ id: 'out', facts: { actualOut: second('2026-06-01T10:35Z') } })], {
    masterDataIndex: await readMasterDataIndex(db),
  });
  await publishText(db, retimed);
  await storeMatched(db, placed, { masterDataIndex: await readMasterDataIndex(db), clock: noon });
  const [match] = await searchFlights('CarrierCode=XX&FlightNumber=101');
  expect(match?.statusDetails?.[0]?.departure?.actualTime?.outGateVariation).toBe('00:05:00');
});

test('a plan matched before a load that contains its flight, and stored after it, creates no second flight', async () => {
  const described = message({ id: 'plan', flight: xx777, plan: extra, facts: { departureGate: 'A1' } });
  const placed = await matchBatch(db, [described], { masterDataIndex: await readMasterDataIndex(db) });
  await publishText(db, renumbered);
  expect(
    formatOutcomes(await storeMatched(db, placed, { masterDataIndex: await readMasterDataIndex(db), clock: noon })),
  ).toEqual(['stored']);
  const match = await searchFlights('CarrierCode=XX&FlightNumber=777');
  expect(
    match.map(({ flightType, departure, statusDetails }) => [
      flightType,
      departure.time.local,
      statusDetails?.[0]?.departure?.gate,
    ]),
  ).toEqual([['Scheduled', '11:00', 'A1']]);
});

test.each<readonly [string, FlightReference]>([
  ['with both airports', xx777],
  ['without its arrival airport', { ...xx777, arrivalAirport: undefined }],
])('a recovery reported first is linked to its original by the schedule, named %s', async (_, recovers) => {
  const recovery = message({ id: 'm', flight: flight({ flightNumber: 9101 }), plan: { ...extra, recovers } });
  expect(formatOutcomes(await ingest(db, [recovery]))).toEqual(['stored']);
  expect(JSON.stringify(await searchFlights('FlightNumber=9101'))).not.toContain('originalFlight');
  await publishText(db, renumbered);
  const [original] = await searchFlights('CarrierCode=XX&FlightNumber=777');
  const [match] = await searchFlights('FlightNumber=9101');
  expect(match?.originalFlight).toContain(`${original?.scheduleInstanceKey}`);
});

test.each(['scheduleInstanceKey', 'statusKey'] as const)(
  'a recovery reported first is linked to its original by the schedule, named by %s',
  async (by) => {
    await publishText(db, renumbered);
    const [original] = await searchFlights('CarrierCode=XX&FlightNumber=777');
    await publishText(db, schedule);
    const recovers = { by, key: original?.[by] ?? '', departureDate: xx777.originDate };
    await ingest(db, [message({ id: 'm', flight: flight({ flightNumber: 9101 }), plan: { ...extra, recovers } })]);
    expect(JSON.stringify(await searchFlights('FlightNumber=9101'))).not.toContain('originalFlight');
    await publishText(db, renumbered);
    const [match] = await searchFlights('FlightNumber=9101');
    expect(match?.originalFlight).toContain(`${original?.scheduleInstanceKey}`);
  },
);

test('a message matched before the load of its flight is stored with that flight', async () => {
  const placed = await matchBatch(db, [message({ id: 'm', flight: xx777 })], {
    masterDataIndex: await readMasterDataIndex(db),
  });
  await publishText(db, renumbered);
  await storeMatched(db, placed, { masterDataIndex: await readMasterDataIndex(db), clock: noon });
  expect([await listQuarantine(db), await listStoredMessages(db)]).toEqual([[], ['m: XX777 LHR-JFK 06-01 11:00']]);
});
