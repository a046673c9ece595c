import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstancePage, StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';
import type { StatusMessage } from '../../../../src/domain/status/message.ts';
import type { Database } from '../../../../src/store/pool/database.ts';
import { createStatusIngester } from '../../../../src/jobs/status/ingest/status-ingester.ts';
import { schedule } from '../../../products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../../support/tiny-world.ts';
import {
  dumpStatuses,
  formatOutcomes,
  flight,
  listStoredMessages,
  message,
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
afterEach(() => db`truncate flight_status, status_message, status_quarantine, flight_diversion`);

const searchFlights = async (query: string): Promise<FlightInstancePage['data']> => {
  const response = await world.get(`/flight-instances?${query}`);
  const { data }: FlightInstancePage = await response.json();
  return data;
};

/** The latest status of XX 101 on 1 June. */
const latest = async (): Promise<StatusDetails | undefined> => {
  const [flight] = await searchFlights('DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101&Content=Status');
  return flight?.statusDetails?.[0];
};

/** The messages of XX 101: late, out, off, a false landing that is withdrawn, diverted to Paris, on to New York. */
const history: readonly StatusMessage[] = [
  message({
    id: '1',
    at: '2026-06-01T08:00Z',
    facts: { estimatedOut: second('2026-06-01T10:20Z'), departureGate: 'A1' },
  }),
  message({ id: '2', at: '2026-06-01T09:00Z', facts: { departureGate: 'B2', registration: 'GXXAB' } }),
  message({ id: '3', at: '2026-06-01T10:22Z', facts: { actualOut: second('2026-06-01T10:21Z') } }),
  message({ id: '4', at: '2026-06-01T10:40Z', facts: { actualOff: second('2026-06-01T10:38Z') } }),
  message({ id: '5', at: '2026-06-01T11:00Z', facts: { actualOn: second('2026-06-01T10:59Z') } }),
  message({ id: '6', at: '2026-06-01T11:05Z', facts: { actualOn: null } }),
  message({ id: '7', at: '2026-06-01T11:30Z', landings: [{ id: '1', airport: 'CDG' }] }),
  message({
    id: '8',
    at: '2026-06-01T12:01Z',
    landings: [{ id: '1', actualOn: second('2026-06-01T12:00Z'), continues: true }],
  }),
  message({
    id: '9',
    at: '2026-06-01T14:01Z',
    landings: [{ id: '1', actualOut: second('2026-06-01T13:50Z'), actualOff: second('2026-06-01T14:00Z') }],
  }),
  message({
    id: 'a',
    at: '2026-06-01T21:01Z',
    facts: { actualOn: second('2026-06-01T21:00Z'), actualIn: second('2026-06-01T21:01Z') },
  }),
];

/** The same numbers in each run: a linear congruential generator. */
const shuffled = <T>(items: readonly T[], seed: number): readonly T[] => {
  let state = seed;
  return items
    .map((item) => ({ item, rank: (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
};

describe('messages may arrive in any order, in any batches, and repeatedly', () => {
  test('with the same outcome', async () => {
    await ingest(db, history);
    const whole = await dumpStatuses(db);
    expect(await latest()).toMatchObject({
      state: 'InGate',
      equipment: { aircraftRegistrationNumber: 'GXXAB' },
      departure: { gate: 'B2' },
      diversionAirport: { iata: 'CDG' },
      diversionType: 'TechnicalStop',
    });
    for (const seed of [1, 2, 3, 4, 5]) {
      await db`truncate flight_status, status_message, status_quarantine, flight_diversion`;
      const order = shuffled([...history, ...history], seed);
      const size = 1 + (seed % 4) * 2;
      const outcomes: string[] = [];
      for (let start = 0; start < order.length; start += size)
        outcomes.push(...formatOutcomes(await ingest(db, order.slice(start, start + size))));
      expect([seed, await dumpStatuses(db)]).toEqual([seed, whole]);
      expect(outcomes.filter((fate) => fate === 'stored')).toHaveLength(history.length);
      expect(outcomes.filter((fate) => fate === 'duplicate')).toHaveLength(history.length);
    }
  });

  test('a late message changes no newer facts and adds missing ones', async () => {
    const [first, , out] = history;
    if (!first || !out) throw new Error('the life has begun otherwise');
    await ingest(db, [out, message({ id: 'new', at: '2026-06-01T10:30Z', facts: { departureGate: 'C3' } })]);
    await ingest(db, [first]);
    expect(await latest()).toMatchObject({
      state: 'OutGate',
      updatedAt: '2026-06-01T10:30:00.000',
      departure: { gate: 'C3', estimatedTime: { outGate: { utc: '2026-06-01T10:20:00+00:00' } } },
    });
  });

  test('a duplicate in a batch is stored once', async () => {
    const [first] = history;
    if (!first) throw new Error('the life is empty');
    expect(formatOutcomes(await ingest(db, [first, first, first]))).toEqual(['stored', 'duplicate', 'duplicate']);
    expect(await listStoredMessages(db)).toEqual(['1: XX101 LHR-JFK 06-01 11:00']);
  });

  test('a repeated ID with other content has no effect', async () => {
    await ingest(db, [message({ id: 'm', facts: { departureGate: 'A1' } })]);
    expect(formatOutcomes(await ingest(db, [message({ id: 'm', facts: { departureGate: 'Z9' } })]))).toEqual([
      'duplicate',
    ]);
    expect((await latest())?.departure?.gate).toBe('A1');
  });

  test('a repeated message is in quarantine once', async () => {
    const unmatched = message({ id: 'm', flight: flight({ flightNumber: 999 }) });
    await ingest(db, [unmatched, unmatched]);
    await ingest(db, [unmatched]);
    expect(await listQuarantine(db)).toEqual(['m: no-such-flight']);
  });
});

test('ignores a time that contradicts newer ones, with a remark', async () => {
  await ingest(db, history.slice(2, 4));
  const [outcome] = await ingest(db, [
    message({ id: 'odd', at: '2026-06-01T10:23Z', facts: { actualOut: second('2026-06-01T10:45Z') } }),
  ]);
  expect(outcome).toEqual({ kind: 'stored', contradictions: ['actualOut'], describesFlight: false });
  expect(await latest()).toMatchObject({ state: 'inAir' });
});

test('a withdrawn diversion is no longer found', async () => {
  const diverted = 'ArrivalDateTime=2026-06-01&ArrivalAirport=CDG&IncludeDiverted=true&Content=Status&FlightNumber=101';
  await ingest(db, history.slice(0, 7));
  expect(await searchFlights(diverted)).toHaveLength(1);
  await ingest(db, [message({ id: 'back', at: '2026-06-01T11:40Z', landings: [{ id: '1', airport: null }] })]);
  expect(await searchFlights(diverted)).toEqual([]);
  expect((await latest())?.diversionAirport).toBeUndefined();
});

test('a changed diversion is found at its new airport only', async () => {
  const diverted = (airport: string) =>
    searchFlights(
      `ArrivalDateTime=2026-06-01&ArrivalAirport=${airport}&IncludeDiverted=true&Content=Status&FlightNumber=101`,
    );
  await ingest(db, history.slice(0, 7));
  await ingest(db, [message({ id: 'lis', at: '2026-06-01T11:40Z', landings: [{ id: '1', airport: 'LIS' }] })]);
  await world.refresh();
  expect([await diverted('CDG'), await diverted('LIS')].map(({ length }) => length)).toEqual([0, 1]);
});

test('a failed batch stores nothing', async () => {
  await ingest(db, history.slice(0, 2));
  const before = await dumpStatuses(db);
  const unmatched = message({ id: 'stray', flight: flight({ flightNumber: 999 }) });
  await db`alter table status_quarantine add constraint planted check (id <> 'stray')`;
  await expect(ingest(db, [...history, unmatched])).rejects.toThrow('planted');
  await db`alter table status_quarantine drop constraint planted`;
  expect(await dumpStatuses(db)).toBe(before);
  expect(formatOutcomes(await ingest(db, [...history, unmatched])).slice(0, 3)).toEqual([
    'duplicate',
    'duplicate',
    'stored',
  ]);
});

test('an empty batch does nothing', async () => {
  expect(await ingest(db, [])).toEqual([]);
});

describe('two concurrent ingesters', () => {
  test('lose and duplicate nothing of the same flights', async () => {
    const ofFlights = ['2026-06-01', '2026-06-02', '2026-06-03'].flatMap((date) =>
      history.map((one) => ({ ...one, id: `${date}-${one.id}`, flight: flight({ date }) })),
    );
    await ingest(db, ofFlights);
    const whole = await dumpStatuses(db);
    await db`truncate flight_status, status_message, status_quarantine, flight_diversion`;
    const ingesters = await Promise.all([createStatusIngester(db), createStatusIngester(db)]);
    const outcomes = await Promise.all(
      ingesters.flatMap((ingester, index) => {
        const order = shuffled(ofFlights, index + 11);
        const batches = Array.from({ length: 6 }, (_, part) => order.slice(part * 5, part * 5 + 5));
        return batches.map((batch) => ingester.ingest(batch));
      }),
    );
    expect(await dumpStatuses(db)).toBe(whole);
    expect(formatOutcomes(outcomes.flat()).filter((fate) => fate === 'stored')).toHaveLength(ofFlights.length);
  });

  test('process batches one after the other, and continue after a failed one', async () => {
    const ingester = await createStatusIngester(db);
    await db`alter table status_message add constraint planted check (id <> 'bad')`;
    const failed = ingester.ingest([message({ id: 'bad' })]);
    const next = ingester.ingest([message({ id: 'good' })]);
    await expect(failed).rejects.toThrow('planted');
    expect(formatOutcomes(await next)).toEqual(['stored']);
    await db`alter table status_message drop constraint planted`;
    expect(await listStoredMessages(db)).toEqual(['good: XX101 LHR-JFK 06-01 11:00']);
  });
});
