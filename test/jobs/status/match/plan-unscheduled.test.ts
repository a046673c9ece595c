import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '../../../../generated/flight-info/v2/types.gen.ts';
import { openDatabase, type Database } from '../../../../src/store/pool/database.ts';
import { createStatusIngester } from '../../../../src/jobs/status/ingest/status-ingester.ts';
import { schedule } from '../../../products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';
import {
  formatOutcomes,
  flight,
  deleteStatuses,
  lockTable,
  listStoredMessages,
  message,
  plan,
  planned,
  listQuarantine,
  second,
  ingest,
} from '../messages.ts';

let world: TinyService;
let db: Database;
beforeAll(async () => {
  world = await serveTinyWorld();
  db = world.db;
  await publishText(db, schedule);
  await world.refresh();
});
afterAll(() => world.drop());
afterEach(() => deleteStatuses(db));

const page = async (query: string): Promise<FlightInstancePage> => {
  await world.refresh();
  const response = await world.get(`/flight-instances?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  const page: FlightInstancePage = await response.json();
  return page;
};
const nameOf = ({ carrier, flightNumber, departure, arrival }: FlightInstance): string =>
  `${carrier.iata ?? carrier.icao}${flightNumber} ${departure.airport.iata}-${arrival.airport.iata} ${departure.time.local}-${arrival.time.local}`;
const names = async (query: string): Promise<readonly string[]> => (await page(query)).data.map(nameOf);

const june1 = 'DepartureDateTime=2026-06-01';
const ga = message({ id: 'plan', flight: planned, plan: plan() });

describe('an unscheduled flight', () => {
  test('is shown as its message describes it', async () => {
    const [outcome] = await ingest(db, [ga]);
    expect(outcome).toEqual({ kind: 'stored', contradictions: [], describesFlight: true });
    const { data } = await page(`${june1}&FlightType=GA&Content=Status`);
    expect(data).toEqual([
      {
        carrier: { iata: 'WW' },
        flightNumber: 7,
        flightType: 'GA',
        departure: {
          airport: { iata: 'OPO', icao: 'LPPR' },
          country: { code: 'PT' },
          date: { local: '2026-06-01', utc: '2026-06-01' },
          time: { local: '11:00', utc: '10:00' },
        },
        arrival: {
          airport: { iata: 'LIS', icao: 'LPPT' },
          country: { code: 'PT' },
          date: { local: '2026-06-01', utc: '2026-06-01' },
          time: { local: '12:00', utc: '11:00' },
        },
        elapsedTime: 60,
        aircraftType: { icao: 'C56X' },
        serviceType: { iata: 'D' },
        segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
        distance: expect.anything(),
        codeshare: { jointOperationAirlineDesignators: [], marketingFlights: [] },
        statusKey: expect.stringMatching(/^[0-9a-f]{64}$/),
        statusDetails: [expect.objectContaining({ state: 'Scheduled' })],
      },
    ]);
  });

  test('appears in searches and their counts, by every filter', async () => {
    const queries = [
      june1,
      `${june1}T10:00/2026-06-01T12:00`,
      `${june1}&DepartureAirport=OPO`,
      'ArrivalDateTime=2026-06-01',
    ];
    const before = await Promise.all(queries.map(async (query) => (await page(query)).paging.totalCount));
    await ingest(db, [ga]);
    const after = await Promise.all(queries.map(async (query) => (await page(query)).paging.totalCount));
    expect(after).toEqual(before.map((count) => count + 1));
    for (const query of queries) {
      const { data, paging } = await page(`${query}&Limit=100`);
      expect([query, data.length]).toEqual([query, paging.totalCount]);
      expect(data.map(nameOf)).toContain('WW7 OPO-LIS 11:00-12:00');
    }
  });

  test('is filtered by its type', async () => {
    const charter = message({
      id: 'charter',
      flight: { ...planned, flightNumber: 8 },
      plan: plan({ flightType: 'Unscheduled', serviceType: 'C' }),
    });
    await ingest(db, [ga, charter]);
    const filtered = async (types: string) => names(`${june1}&FlightType=${types}&DepartureAirport=OPO`);
    expect(await filtered('GA')).toEqual(['WW7 OPO-LIS 11:00-12:00']);
    expect(await filtered('Unscheduled')).toEqual(['WW8 OPO-LIS 11:00-12:00']);
    expect(await filtered('Scheduled')).toEqual([]);
    expect(await names(`${june1}&ServiceType=D`)).toEqual(['WW7 OPO-LIS 11:00-12:00']);
    expect((await page(`${june1}&FlightType=Scheduled`)).paging.totalCount).toBe(8);
  });

  test('without an arrival time gets one estimated from the distance', async () => {
    await ingest(db, [message({ id: 'plan', flight: planned, plan: plan({ arrives: '' }) })]);
    const [match] = (await page(`${june1}&FlightType=GA&Content=Status`)).data;
    expect([match?.elapsedTime, match?.arrival.time]).toEqual([0, { local: '11:51', utc: '10:51' }]);
    await ingest(db, [
      message({ id: 'in', at: '2026-06-01T11:00Z', flight: planned, facts: { actualIn: second('2026-06-01T10:58Z') } }),
    ]);
    const [flown] = (await page(`${june1}&FlightType=GA&Content=Status`)).data;
    expect(flown?.statusDetails?.[0]?.arrival?.actualTime).toEqual({ inGate: expect.anything() });
  });

  test('matches messages of the batch that describes it, with and without the arrival airport', async () => {
    const outcomes = await ingest(db, [
      ga,
      message({ id: 'out', flight: planned, facts: { actualOut: second('2026-06-01T10:03Z') } }),
      message({
        id: 'off',
        flight: { ...planned, arrivalAirport: undefined },
        facts: { actualOff: second('2026-06-01T10:10Z') },
      }),
    ]);
    expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored', 'stored']);
    const [match] = (await page(`${june1}&FlightType=GA&Content=Status`)).data;
    expect(match?.statusDetails?.[0]?.state).toBe('inAir');
  });

  test('at an unknown airport goes to quarantine', async () => {
    const nowhere = { ...planned, arrivalAirport: 'ZZZ' };
    const outcomes = await ingest(db, [message({ id: 'm', flight: nowhere, plan: plan({ arrivalAirport: 'ZZZ' }) })]);
    expect(formatOutcomes(outcomes)).toEqual(['airport-unknown: ZZZ']);
  });

  test('with a plan for another local day than its reference goes to quarantine', async () => {
    const late = plan({ departs: '2026-06-02T10:00Z', arrives: '2026-06-02T11:00Z' });
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: planned, plan: late })]))).toEqual([
      'plan-of-another-day: 2026-06-02',
    ]);
    const evening = plan({ departs: '2026-06-01T23:30Z', arrives: '2026-06-02T00:30Z' });
    expect(formatOutcomes(await ingest(db, [message({ id: 'n', flight: planned, plan: evening })]))).toEqual([
      'plan-of-another-day: 2026-06-02',
    ]);
  });

  test('identified by a key alone cannot be created', async () => {
    const byKey = { by: 'statusKey' as const, key: 'ab'.repeat(32), departureDate: planned.originDate };
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: byKey, plan: plan() })]))).toEqual([
      `no-such-flight: ${'ab'.repeat(32)}`,
    ]);
  });

  test('of an unknown carrier is stored by an ingester, which adds the carrier, and goes to quarantine without one', async () => {
    const unknown = { ...planned, carrier: 'ZZJ' };
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', flight: unknown, plan: plan() })]))).toEqual([
      'carrier-unknown: ZZJ',
    ]);
    const ingester = await createStatusIngester(db);
    expect(formatOutcomes(await ingester.ingest([message({ id: 'm', flight: unknown, plan: plan() })]))).toEqual([
      'stored',
    ]);
    expect(await names(`${june1}&FlightType=GA`)).toEqual(['ZZJ7 OPO-LIS 11:00-12:00']);
    expect(await listQuarantine(db)).toEqual([]);
  });
});

describe('the newest plan of a flight applies', () => {
  const older = ga;
  const newer = message({
    id: 'newer',
    at: '2026-06-01T09:30Z',
    flight: planned,
    plan: plan({ departs: '2026-06-01T12:00Z', arrives: '2026-06-01T13:10Z' }),
    facts: { estimatedOut: second('2026-06-01T12:05Z') },
  });

  const shownTimes = async (): Promise<readonly unknown[]> => {
    const { data } = await page(`${june1}&FlightType=GA&Content=Status`);
    return data.flatMap((one) => [nameOf(one), one.statusDetails?.[0]?.departure?.estimatedTime?.outGateVariation]);
  };

  test.each([
    ['one after the other', [[older], [newer]]],
    ['the newer first', [[newer], [older]]],
    ['in one batch', [[older, newer]]],
    ['in one batch, the newer first', [[newer, older]]],
  ])('%s', async (_, batches) => {
    for (const batch of batches) await ingest(db, batch);
    expect(await shownTimes()).toEqual(['WW7 OPO-LIS 13:00-14:10', '00:05:00']);
  });

  test.each([
    ['the newer first', newer, older],
    ['the older first', older, newer],
  ])('through two ingesters that match the flight at the same time, %s', async (_, first, second) => {
    const pools = [1, 2].map(() => openDatabase({ url: world.url, applicationName: 'flightdata-test', max: 4 }));
    const lock = await lockTable(db, 'flight_status', 'exclusive');
    const ingested: Promise<unknown>[] = [];
    for (const [index, pool] of pools.entries()) {
      ingested.push(ingest(pool, [index === 0 ? first : second]));
      await lock.untilWaiting(index + 1);
    }
    await lock.release();
    await Promise.all(ingested);
    await Promise.all(pools.map((pool) => pool.end()));
    expect(await shownTimes()).toEqual(['WW7 OPO-LIS 13:00-14:10', '00:05:00']);
  });
});

describe('a plan of a scheduled flight', () => {
  test('is ignored, but its facts count', async () => {
    const before = await names(june1);
    await ingest(db, [
      message({
        id: 'm',
        plan: plan({
          departureAirport: 'LHR',
          arrivalAirport: 'JFK',
          departs: '2026-06-01T12:00Z',
          arrives: '2026-06-01T20:00Z',
        }),
        facts: { departureGate: 'B32' },
      }),
    ]);
    expect(await names(june1)).toEqual(before);
    const [match] = (await page(`${june1}&CarrierCode=XX&FlightNumber=101&Content=Status`)).data;
    expect([match?.departure.time.local, match?.flightType, match?.statusDetails?.[0]?.departure?.gate]).toEqual([
      '11:00',
      'Scheduled',
      'B32',
    ]);
  });
});

describe('a recovery flight', () => {
  const recovery = (recovers = flight()) =>
    message({
      id: 'm',
      flight: flight({ flightNumber: 9101, departureAirport: 'CDG' }),
      plan: plan({
        flightType: 'Unscheduled',
        departureAirport: 'CDG',
        arrivalAirport: 'JFK',
        departs: '2026-06-01T16:00Z',
        arrives: '2026-06-01T23:30Z',
        serviceType: '',
        recovers,
      }),
    });
  const searchRecovery = async () => {
    const { data } = await page(`${june1}&FlightType=Unscheduled&Content=Status`);
    return data[0];
  };

  test('links to the flight it recovers, and has its service type', async () => {
    await ingest(db, [recovery()]);
    const [original] = (await page(`${june1}&CarrierCode=XX&FlightNumber=101`)).data;
    const match = await searchRecovery();
    expect(match?.serviceType).toEqual({ iata: 'J' });
    expect(match?.statusDetails?.[0]?.irregularOperationType).toBe('Recovery');
    expect(JSON.stringify(match)).toContain(`${original?.scheduleInstanceKey}`);
  });

  test('of a cargo flight is a cargo flight', async () => {
    await ingest(db, [recovery(flight({ flightNumber: 501, arrivalAirport: 'CDG' }))]);
    expect((await searchRecovery())?.serviceType).toEqual({ iata: 'F' });
  });

  test('of an unknown flight is a passenger flight without a link', async () => {
    await ingest(db, [recovery(flight({ flightNumber: 999 }))]);
    const match = await searchRecovery();
    expect(match?.serviceType).toEqual({ iata: 'J' });
    expect(JSON.stringify(match)).not.toContain('originalFlight');
  });
});

test('a message on a flight that is described later waits in quarantine until then', async () => {
  await ingest(db, [message({ id: 'out', flight: planned, facts: { actualOut: second('2026-06-01T10:03Z') } })]);
  expect(await listQuarantine(db)).toEqual(['out: no-such-flight']);
  await ingest(db, [ga]);
  expect([await listStoredMessages(db), await listQuarantine(db)]).toEqual([
    ['out: WW7 OPO-LIS 06-01 11:00', 'plan: WW7 OPO-LIS 06-01 11:00'],
    [],
  ]);
});
