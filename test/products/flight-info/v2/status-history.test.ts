import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveStatuses, xx101, type StatusService, type ReportedFacts } from './status-service.ts';

let world: StatusService;

const estimate: ReportedFacts = ['2026-06-01T09:00:00Z', { departure: { estimated: { out: '2026-06-01T10:00:00Z' } } }];
const out: ReportedFacts = ['2026-06-01T10:05:30.120Z', { departure: { actual: { out: '2026-06-01T10:05:00Z' } } }];
const back: ReportedFacts = ['2026-06-01T10:20:00Z', { returnedToGate: true }];
const cancelled: ReportedFacts = ['2026-06-01T11:00:00Z', { cancelled: true }];

beforeAll(async () => {
  world = await serveStatuses();
  // The messages arrive in another order than their source times.
  await world.report(xx101(), out, cancelled);
  await world.report(xx101(), back);
  await world.report(xx101(), estimate);
});
afterAll(() => world.drop());

const of101 = 'DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101';

const ends = {
  departure: { airport: { iata: 'LHR', icao: 'EGLL' }, country: { code: 'GB' } },
  arrival: { airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' }, country: { code: 'US' } },
};
const estimatedTime = {
  outGateTimeliness: 'OnTime',
  outGateVariation: '00:00:00',
  outGate: { local: '2026-06-01T11:00:00+01:00', utc: '2026-06-01T10:00:00+00:00' },
};
const estimated = { ...ends, departure: { estimatedTime, ...ends.departure } };
const history = [
  { state: 'Canceled', updatedAt: '2026-06-01T11:00:00.000', ...estimated },
  { state: 'Scheduled', updatedAt: '2026-06-01T10:20:00.000', ...estimated },
  {
    state: 'OutGate',
    updatedAt: '2026-06-01T10:05:30.120',
    departure: {
      estimatedTime,
      actualTime: {
        outGateTimeliness: 'Delayed',
        outGateVariation: '00:05:00',
        outGate: { local: '2026-06-01T11:05:00+01:00', utc: '2026-06-01T10:05:00+00:00' },
      },
      ...ends.departure,
    },
    arrival: ends.arrival,
  },
  { state: 'Scheduled', updatedAt: '2026-06-01T09:00:00.000', ...estimated },
];

test('StatusHistory is every status of the flight, newest first by the time at the source', async () => {
  const plain = await world.getOnly(of101);
  expect(await world.getOnly(`${of101}&Content=StatusHistory`)).toEqual({ ...plain, statusDetails: history });
});

test('Status is the newest of them, also when other messages arrived after it', async () => {
  expect((await world.getOnly(`${of101}&Content=Status`)).statusDetails).toEqual(history.slice(0, 1));
});

test.each(['Status,StatusHistory', 'StatusHistory,Status', 'statushistory,STATUS'])(
  'both together are the complete history: Content=%s',
  async (content) => {
    expect((await world.getOnly(`${of101}&Content=${content}`)).statusDetails).toEqual(history);
  },
);

test('a flight without observations has no history', async () => {
  const flight = await world.getOnly(
    'DepartureDateTime=2026-06-02&CarrierCode=XX&FlightNumber=101&Content=StatusHistory',
  );
  expect(flight.statusDetails).toEqual([]);
  expect((await world.getSingle(flight, '&Content=StatusHistory')).statusDetails).toEqual([]);
});

test('on the single flight StatusHistory replaces the latest status by all, and changes nothing else', async () => {
  const row = await world.getOnly(of101);
  const plain = await world.getSingle(row);
  expect(plain.statusDetails).toEqual(history.slice(0, 1));
  expect(await world.getSingle(row, '&Content=StatusHistory')).toEqual({ ...plain, statusDetails: history });
  expect(await world.getSingle(row, '&Content=Status,StatusHistory')).toEqual({ ...plain, statusDetails: history });
});

test('a marketing flight has the history of its operating flight', async () => {
  const marketing = await world.getOnly('DepartureDateTime=2026-06-01&FlightNumber=5101&Content=StatusHistory');
  expect(marketing.statusDetails).toEqual(history);
});
