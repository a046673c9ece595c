import { expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { secondToMinute } from '#domain/status/instants.ts';
import { openDatabase } from '#store/pool/database.ts';
import type { MessageOutcome } from '#jobs/status/store/store-messages.ts';
import { createStatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import { flight, lockTable, message, noon, plan, planned, second, ingest } from '../messages.ts';
import { formatOutcomes, listQuarantine } from '../messages.ts';
import { db, searchFlights, searchPage, useStatusWorld, world } from '../status-world.ts';

useStatusWorld();

const nameOf = ({ carrier, flightNumber, departure, arrival }: FlightInstance): string =>
  `${carrier.iata ?? carrier.icao}${flightNumber} ${departure.airport.iata}-${arrival.airport.iata} ${departure.time.local}-${arrival.time.local}`;
const names = async (query: string): Promise<readonly string[]> => (await searchPage(query)).data.map(nameOf);
const searchGa = async (): Promise<FlightInstance | undefined> => (await searchFlights('FlightType=GA'))[0];
const june1 = 'DepartureDateTime=2026-06-01';
const ga = message({ id: 'plan', flight: planned, plan: plan() });
const out = message({ id: 'out', flight: planned, facts: { actualOut: second('2026-06-01T10:03Z') } });

test('an unscheduled flight without an arrival time gets one estimated from the distance', async () => {
  await ingest(db, [message({ id: 'plan', flight: planned, plan: plan({ arrives: '' }) })]);
  const match = await searchGa();
  expect([match?.elapsedTime, match?.arrival.time]).toEqual([0, { local: '11:51', utc: '10:51' }]);
  const arrived = { actualIn: second('2026-06-01T10:58Z') };
  await ingest(db, [message({ id: 'in', at: '2026-06-01T11:00Z', flight: planned, facts: arrived })]);
  expect((await searchGa())?.statusDetails?.[0]?.arrival?.actualTime).toEqual({ inGate: expect.anything() });
});

test('an unscheduled flight matches messages of the batch that describes it, with and without the arrival airport', async () => {
  const off = { actualOff: second('2026-06-01T10:10Z') };
  const unnamed = { ...planned, arrivalAirport: undefined };
  const outcomes = await ingest(db, [ga, out, message({ id: 'off', flight: unnamed, facts: off })]);
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored', 'stored']);
  expect((await searchGa())?.statusDetails?.[0]?.state).toBe('inAir');
});

const byKey = { by: 'statusKey' as const, key: 'ab'.repeat(32), departureDate: planned.originDate };
const nextDay = plan({ departs: '2026-06-02T10:00Z', arrives: '2026-06-02T11:00Z' });
const nextLocalDay = plan({ departs: '2026-06-01T23:30Z', arrives: '2026-06-02T00:30Z' });
const toZzz = plan({ arrivalAirport: 'ZZZ' });
test.each([
  ['at an unknown airport', { ...planned, arrivalAirport: 'ZZZ' }, toZzz, 'airport-unknown: ZZZ'],
  ['with a plan for another day than its reference', planned, nextDay, 'plan-of-another-day: 2026-06-02'],
  ['with a plan for another local day than its reference', planned, nextLocalDay, 'plan-of-another-day: 2026-06-02'],
  ['identified by a key alone', byKey, plan(), `no-such-flight: ${byKey.key}`],
])('an unscheduled flight %s goes to quarantine', async (_, reference, described, expected) => {
  const outcomes = await ingest(db, [message({ id: 'm', flight: reference, plan: described })]);
  expect(formatOutcomes(outcomes)).toEqual([expected]);
});

test('an unscheduled flight of an unknown carrier is stored', async () => {
  const unknown = message({ id: 'm', flight: { ...planned, carrier: 'ZZK' }, plan: plan() });
  expect(formatOutcomes(await (await createStatusIngester(db, undefined, noon)).ingest([unknown]))).toEqual(['stored']);
  expect(await names(`${june1}&FlightType=GA`)).toEqual(['ZZK7 OPO-LIS 11:00-12:00']);
  expect(await listQuarantine(db)).toEqual([]);
});

test.each([
  ['to another airport', { arrivalAirport: 'CDG' }, 'plan-of-another-route: OPO-LIS'],
  ['from another airport', { departureAirport: 'CDG' }, 'plan-of-another-route: OPO-LIS'],
])('a plan whose flight is named %s goes to quarantine', async (_, airports, expected) => {
  const outcomes = await ingest(db, [message({ id: 'm', flight: { ...planned, ...airports }, plan: plan() })]);
  expect([formatOutcomes(outcomes), await listQuarantine(db)]).toEqual([[expected], ['m: plan-of-another-route']]);
});

test('a plan whose flight is named by other codes of its airports creates it', async () => {
  const byIcao = { ...planned, departureAirport: 'LPPR', arrivalAirport: 'LPPT' };
  expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: byIcao, plan: plan() })]))).toEqual(['stored']);
});

test.each([
  ['after it', [1, 1]],
  ['in the same batch', [2]],
])(
  'a plan by date whose departure is more than 3 hours from that of its flight goes to quarantine, %s',
  async (_, sizes) => {
    const evening = plan({ departs: '2026-06-01T13:01Z', arrives: '2026-06-01T14:00Z' });
    const gate = { departureGate: 'B1' };
    const messages = [
      ga,
      message({ id: 'second', at: '2026-06-01T09:30Z', flight: planned, plan: evening, facts: gate }),
    ];
    const ingester = await createStatusIngester(db, undefined, noon);
    const outcomes: MessageOutcome[] = [];
    for (const size of sizes) outcomes.push(...(await ingester.ingest(messages.splice(0, size))));
    expect(formatOutcomes(outcomes)).toEqual(['stored', 'plan-of-second-flight: 2026-06-01T10:00Z']);
    expect(await listQuarantine(db)).toEqual(['second: plan-of-second-flight']);
    expect(await shownTimes()).toEqual(['WW7 OPO-LIS 11:00-12:00', undefined]);
  },
);

test('a plan retimes its flight by any time if it names the scheduled time', async () => {
  const evening = plan({ departs: '2026-06-01T19:00Z', arrives: '2026-06-01T20:00Z' });
  const reference = { ...planned, scheduledOut: secondToMinute(second('2026-06-01T10:00Z')) };
  await ingest(db, [ga]);
  await ingest(db, [message({ id: 'retimed', at: '2026-06-01T09:30Z', flight: reference, plan: evening })]);
  expect(await shownTimes()).toEqual(['WW7 OPO-LIS 20:00-21:00', undefined]);
});

test('a message of a second departure waits in quarantine for its plan', async () => {
  const evening = { ...planned, scheduledOut: secondToMinute(second('2026-06-01T19:00Z')) };
  await ingest(db, [ga]);
  const [early] = await ingest(db, [message({ id: 'gate', flight: evening, facts: { departureGate: 'B1' } })]);
  expect(early).toMatchObject({ kind: 'quarantined', reason: 'contradictory-flight' });
  const secondPlan = plan({ departs: '2026-06-01T19:00Z', arrives: '2026-06-01T20:00Z' });
  await ingest(db, [message({ id: 'second', flight: evening, plan: secondPlan })]);
  expect(await listQuarantine(db)).toEqual([]);
  expect(await names(`${june1}&FlightType=GA`)).toEqual(['WW7 OPO-LIS 11:00-12:00', 'WW7 OPO-LIS 20:00-21:00']);
  const gates = (await searchFlights('FlightType=GA')).map(({ statusDetails }) => statusDetails?.[0]?.departure?.gate);
  expect(gates).toEqual([undefined, 'B1']);
});

const older = ga;
const newer = message({
  id: 'newer',
  at: '2026-06-01T09:30Z',
  flight: planned,
  plan: plan({ departs: '2026-06-01T12:00Z', arrives: '2026-06-01T13:10Z' }),
  facts: { estimatedOut: second('2026-06-01T12:05Z') },
});
const shownTimes = async (): Promise<readonly unknown[]> =>
  (await searchFlights('FlightType=GA')).flatMap((one) => [
    nameOf(one),
    one.statusDetails?.[0]?.departure?.estimatedTime?.outGateVariation,
  ]);

test.each([
  ['one after the other', [[older], [newer]]],
  ['the newer first', [[newer], [older]]],
  ['in one batch', [[older, newer]]],
  ['in one batch, the newer first', [[newer, older]]],
])('the newest plan of a flight applies %s', async (_, batches) => {
  for (const batch of batches) await ingest(db, batch);
  expect(await shownTimes()).toEqual(['WW7 OPO-LIS 13:00-14:10', '00:05:00']);
});

test.each([
  ['the newer first', newer, older],
  ['the older first', older, newer],
])(
  'the newest plan of a flight applies through two ingesters that match the flight at the same time, %s',
  async (_, ...messages) => {
    const pools = [1, 2].map(() => openDatabase({ url: world.url, applicationName: 'flightdata-test', max: 4 }));
    const lock = await lockTable(db, 'flight_status', 'exclusive');
    const ingested: Promise<unknown>[] = [];
    for (const [index, pool] of pools.entries()) {
      ingested.push(ingest(pool, messages.slice(index, index + 1)));
      await lock.untilWaiting(index + 1);
    }
    await lock.release();
    await Promise.all(ingested);
    await Promise.all(pools.map((pool) => pool.end()));
    expect(await shownTimes()).toEqual(['WW7 OPO-LIS 13:00-14:10', '00:05:00']);
  },
);

test('a plan of a scheduled flight is ignored, but its facts count', async () => {
  const before = await names(june1);
  const way = { departureAirport: 'LHR', arrivalAirport: 'JFK' };
  const other = plan({ ...way, departs: '2026-06-01T12:00Z', arrives: '2026-06-01T20:00Z' });
  await ingest(db, [message({ id: 'm', plan: other, facts: { departureGate: 'B32' } })]);
  expect(await names(june1)).toEqual(before);
  const [match] = await searchFlights('CarrierCode=XX&FlightNumber=101');
  const shown = [match?.departure.time.local, match?.flightType, match?.statusDetails?.[0]?.departure?.gate];
  expect(shown).toEqual(['11:00', 'Scheduled', 'B32']);
});

const recover = async (members: Parameters<typeof flight>[0]): Promise<FlightInstance | undefined> => {
  const way = { departureAirport: 'CDG', arrivalAirport: 'JFK' };
  const times = { departs: '2026-06-01T16:00Z', arrives: '2026-06-01T23:30Z' };
  const recovery = { ...way, ...times, serviceType: '', recovers: flight(members) };
  const described = plan({ flightType: 'Unscheduled', ...recovery });
  await ingest(db, [message({ id: 'm', flight: flight({ flightNumber: 9101, ...way }), plan: described })]);
  return (await searchFlights('FlightType=Unscheduled'))[0];
};

test('a recovery flight of a cargo flight is a cargo flight', async () => {
  expect((await recover({ flightNumber: 501, arrivalAirport: 'CDG' }))?.serviceType).toEqual({ iata: 'F' });
});

test('a recovery flight of an unknown flight is a passenger flight without a link', async () => {
  const match = await recover({ flightNumber: 999 });
  expect(match?.serviceType).toEqual({ iata: 'J' });
  expect(JSON.stringify(match)).not.toContain('originalFlight');
});
