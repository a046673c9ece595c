import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '../../../generated/flight-info/v2/types.gen.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import type { Database } from '../../../src/store/pool/database.ts';
import { toReportEntries } from '../../../src/jobs/status/ingest/report-results.ts';
import { schedule } from '../../products/flight-info/v2/example-schedule.ts';
import { publishText, serveTinyWorld, type TinyService } from '../../support/tiny-world.ts';
import {
  dumpStatuses,
  formatOutcomes,
  flight,
  deleteStatuses,
  listStoredMessages,
  message,
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
afterEach(() => deleteStatuses(db));

const searchFlights = async (query: string): Promise<FlightInstancePage['data']> => {
  await world.refresh();
  const response = await world.get(`/flight-instances?DepartureDateTime=2026-06-01&${query}&Content=Status`);
  const { data }: FlightInstancePage = await response.json();
  return data;
};
const formatInstance = ({ flightNumber, departure, arrival, statusDetails }: FlightInstance): string =>
  `${flightNumber} ${departure.airport.iata}-${arrival.airport.iata} ${departure.time.local} ${statusDetails?.[0]?.state}`;
const ga = async (): Promise<readonly string[]> => (await searchFlights('FlightType=GA')).map(formatInstance);

const filed = message({ id: 'filed', at: '2026-06-01T08:00Z', flight: planned, plan: plan() });
const off = message({
  id: 'off',
  at: '2026-06-01T10:06Z',
  flight: planned,
  facts: { actualOff: second('2026-06-01T10:05Z') },
});

test('a take-off before the plan of its flight has the same result as after it', async () => {
  expect(formatOutcomes(await ingest(db, [off]))).toEqual(['no-such-flight: WW 7 of 2026-06-01, OPO-LIS']);
  await ingest(db, [filed]);
  expect([await ga(), await listQuarantine(db)]).toEqual([['7 OPO-LIS 11:00 inAir'], []]);
  const offFirst = await dumpStatuses(db);
  await deleteStatuses(db);
  await ingest(db, [filed]);
  await ingest(db, [off]);
  expect(await dumpStatuses(db)).toBe(offFirst);
});

describe('an invalid plan', () => {
  test.each([
    ['that takes decades', { arrives: '2066-06-01T10:00Z' }, '2026-06-01', 'plan-of-no-flight: 21038400 minutes'],
    [
      'that arrives before it departs',
      { arrives: '2026-06-01T09:00Z' },
      '2026-06-01',
      'plan-of-no-flight: -60 minutes',
    ],
    ['of long ago', { departs: '1950-06-01T10:00Z', arrives: '' }, '1950-06-01', 'plan-too-far: 1950-06-01'],
    [
      'of more than 400 days ahead',
      { departs: '2027-07-07T10:00Z', arrives: '2027-07-07T11:00Z' },
      '2027-07-07',
      'plan-too-far: 2027-07-07',
    ],
  ])('%s waits in quarantine, and does not stop its batch', async (_, times, date, expected) => {
    const days = async () => db`select day, longest_days from expanded_day order by day`;
    const before = await days();
    const impossible = message({
      id: 'impossible',
      flight: { ...planned, flightNumber: 8, originDate: localDate(date) },
      plan: plan(times),
    });
    const outcomes = await ingest(db, [message({ id: 'gate', facts: { departureGate: 'B1' } }), impossible, filed]);
    expect(formatOutcomes(outcomes)).toEqual(['stored', expected, 'stored']);
    expect(await listQuarantine(db)).toEqual([`impossible: ${expected.slice(0, expected.indexOf(':'))}`]);
    expect(await listStoredMessages(db)).toEqual(['filed: WW7 OPO-LIS 06-01 11:00', 'gate: XX101 LHR-JFK 06-01 11:00']);
    expect(await days()).toEqual(before);
  });

  test('within 400 days is accepted', async () => {
    const ahead = message({
      id: 'ahead',
      flight: { ...planned, originDate: localDate('2027-07-05') },
      plan: plan({ departs: '2027-07-05T10:00Z', arrives: '2027-07-05T11:00Z' }),
    });
    expect(formatOutcomes(await ingest(db, [ahead]))).toEqual(['stored']);
  });
});

describe('a flight that is refiled to another airport', () => {
  const elsewhere = { ...planned, arrivalAirport: 'CDG' };
  const replan = (reference: typeof planned) =>
    message({
      id: 'anew',
      at: '2026-06-01T09:00Z',
      flight: reference,
      plan: plan({ arrivalAirport: 'CDG', arrives: '2026-06-01T12:30Z' }),
    });
  const unnamed = { ...planned, arrivalAirport: undefined };

  test('stays one flight with its status, found by its old and its new airports', async () => {
    await ingest(db, [filed]);
    await ingest(db, [message({ id: 'gate', flight: planned, facts: { departureGate: 'A1' } })]);
    expect(formatOutcomes(await ingest(db, [replan(unnamed)]))).toEqual(['stored']);
    expect(await ga()).toEqual(['7 OPO-CDG 11:00 Scheduled']);
    const outcomes = await ingest(db, [
      message({ id: 'old', at: '2026-06-01T10:01Z', flight: planned, facts: { registration: 'GABCD' } }),
      message({ id: 'new', at: '2026-06-01T10:02Z', flight: elsewhere, facts: { checkInCounter: '12' } }),
      { ...off, flight: unnamed },
    ]);
    expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored', 'stored']);
    const [match, ...others] = await searchFlights('FlightType=GA');
    expect([others, match && formatInstance(match)]).toEqual([[], '7 OPO-CDG 11:00 inAir']);
    expect(match?.statusDetails?.[0]).toMatchObject({
      departure: { gate: 'A1', checkInCounter: '12' },
      equipment: { aircraftRegistrationNumber: 'GABCD' },
      arrival: { airport: { iata: 'CDG' } },
    });
  });

  test('counts its facts for the flight although the plan is rejected, with a remark', async () => {
    await ingest(db, [filed]);
    const [outcome] = await ingest(db, [
      message({
        id: 'late',
        flight: planned,
        facts: { departureGate: 'G' },
        plan: plan({ departs: '2026-06-01T23:30Z', arrives: '2026-06-02T00:30Z' }),
      }),
    ]);
    expect(outcome).toEqual({
      kind: 'stored',
      contradictions: [],
      describesFlight: false,
      planError: 'plan-of-another-day',
    });
    expect(outcome && toReportEntries(outcome, 3)).toMatchObject([
      { severity: 'corrected', line: 3, field: 'plan', reason: 'plan-of-another-day' },
    ]);
    const [match] = await searchFlights('FlightType=GA');
    expect([match && formatInstance(match), match?.statusDetails?.[0]?.departure?.gate]).toEqual([
      '7 OPO-LIS 11:00 Scheduled',
      'G',
    ]);
  });

  test('also counts the facts of a plan that identifies its flight by a key alone', async () => {
    await ingest(db, [filed]);
    const [match] = await searchFlights('FlightType=GA');
    const key = match?.statusKey ?? '';
    const [outcome] = await ingest(db, [
      { ...off, flight: { by: 'statusKey', key, departureDate: planned.originDate }, plan: plan() },
    ]);
    expect(outcome).toMatchObject({ kind: 'stored', planError: 'no-such-flight' });
    expect(await ga()).toEqual(['7 OPO-LIS 11:00 inAir']);
  });
});

describe('a flight and its recovery under the same number', () => {
  const recovery = message({
    id: 'recovery',
    flight: flight({ suffix: 'R' }),
    plan: plan({
      flightType: 'Unscheduled',
      departureAirport: 'LHR',
      arrivalAirport: 'JFK',
      departs: '2026-06-01T15:00Z',
      arrives: '2026-06-01T22:00Z',
      recovers: flight(),
    }),
  });

  test.each([
    ['by departure airport alone', { arrivalAirport: undefined }],
    ['by arrival airport alone', { departureAirport: '', datedBy: 'utc' as const }],
    ['by both airports', {}],
  ])('are distinguished by suffix, %s', async (_, named) => {
    await ingest(db, [recovery]);
    const outcomes = await ingest(db, [
      message({ id: 'first', flight: flight(named), facts: { departureGate: 'A' } }),
      message({ id: 'second', flight: flight({ ...named, suffix: 'R' }), facts: { departureGate: 'B' } }),
    ]);
    expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored']);
    expect(await listStoredMessages(db)).toEqual([
      'first: XX101 LHR-JFK 06-01 11:00',
      'recovery: XX101 LHR-JFK 06-01 16:00',
      'second: XX101 LHR-JFK 06-01 16:00',
    ]);
  });
});

describe('one id for two flights in one batch', () => {
  const gate = (flightNumber: number) =>
    message({ id: 'same', flight: flight({ flightNumber }), facts: { departureGate: '1' } });

  test.each([
    ['with the known one first', [gate(101), gate(9998), gate(9997)]],
    ['with the known one last', [gate(9998), gate(9997), gate(101)]],
  ])('a message with the outcome quarantined is in quarantine, %s', async (_, batch) => {
    const outcomes = formatOutcomes(await ingest(db, batch));
    expect(outcomes.toSorted()).toEqual([
      'no-such-flight: XX 9997 of 2026-06-01, LHR-JFK',
      'no-such-flight: XX 9998 of 2026-06-01, LHR-JFK',
      'stored',
    ]);
    expect([await listStoredMessages(db), await listQuarantine(db)]).toEqual([
      ['same: XX101 LHR-JFK 06-01 11:00'],
      ['same: no-such-flight'],
    ]);
  });
});
