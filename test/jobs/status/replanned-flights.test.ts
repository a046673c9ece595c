import { expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { localDate } from '#domain/time/dates.ts';
import { toReportEntries } from '#jobs/status/ingest/report-results.ts';
import { dumpStatuses, flight, deleteStatuses, message, plan, planned, second, ingest } from './messages.ts';
import { formatOutcomes, listQuarantine, listStoredMessages } from './messages.ts';
import { db, searchFlights, useStatusWorld } from './status-world.ts';

useStatusWorld();

const formatInstance = ({ flightNumber, departure, arrival, statusDetails }: FlightInstance): string =>
  `${flightNumber} ${departure.airport.iata}-${arrival.airport.iata} ${departure.time.local} ${statusDetails?.[0]?.state}`;
const ga = async (): Promise<readonly string[]> => (await searchFlights('FlightType=GA')).map(formatInstance);
const filed = message({ id: 'filed', at: '2026-06-01T08:00Z', flight: planned, plan: plan() });
const airborne = { actualOff: second('2026-06-01T10:05Z') };
const off = message({ id: 'off', at: '2026-06-01T10:06Z', flight: planned, facts: airborne });

test('a take-off before the plan of its flight has the same result as after it', async () => {
  expect(formatOutcomes(await ingest(db, [off]))).toEqual(['no-such-flight: WW 7 of 2026-06-01, OPO-LIS']);
  expect(await ingest(db, [filed])).toEqual([{ kind: 'stored', contradictions: [], describesFlight: true }]);
  expect([await ga(), await listQuarantine(db)]).toEqual([['7 OPO-LIS 11:00 inAir'], []]);
  const offFirst = await dumpStatuses(db);
  await deleteStatuses(db);
  await ingest(db, [filed]);
  await ingest(db, [off]);
  expect(await dumpStatuses(db)).toBe(offFirst);
});

test.each([
  ['that takes decades', '2026-06-01T10:00Z', '2066-06-01T10:00Z', 'plan-of-no-flight: 21038400 minutes'],
  ['that arrives before it departs', '2026-06-01T10:00Z', '2026-06-01T09:00Z', 'plan-of-no-flight: -60 minutes'],
  ['of long ago', '1950-06-01T10:00Z', '', 'plan-too-far: 1950-06-01'],
  ['of more than 60 days ahead', '2026-08-01T10:00Z', '2026-08-01T11:00Z', 'plan-too-far: 2026-08-01'],
])('an invalid plan %s waits in quarantine, and does not stop its batch', async (_, departs, arrives, expected) => {
  const days = async () => db`select day, longest_days from expanded_day order by day`;
  const before = await days();
  const reference = { ...planned, flightNumber: 8, originDate: localDate(departs.slice(0, 10)) };
  const impossible = message({ id: 'impossible', flight: reference, plan: plan({ departs, arrives }) });
  const outcomes = await ingest(db, [message({ id: 'gate', facts: { departureGate: 'B1' } }), impossible, filed]);
  expect(formatOutcomes(outcomes)).toEqual(['stored', expected, 'stored']);
  expect(await listQuarantine(db)).toEqual([`impossible: ${expected.slice(0, expected.indexOf(':'))}`]);
  expect(await listStoredMessages(db)).toEqual(['filed: WW7 OPO-LIS 06-01 11:00', 'gate: XX101 LHR-JFK 06-01 11:00']);
  expect(await days()).toEqual(before);
});

test('a plan within the days that plans can create adds its day', async () => {
  const ahead = plan({ departs: '2026-07-31T10:00Z', arrives: '2026-07-31T11:00Z' });
  const reference = { ...planned, originDate: localDate('2026-07-31') };
  const outcomes = await ingest(db, [message({ id: 'ahead', flight: reference, plan: ahead })]);
  expect(formatOutcomes(outcomes)).toEqual(['stored']);
});

const elsewhere = { ...planned, arrivalAirport: 'CDG' };
const unnamed = { ...planned, arrivalAirport: undefined };
const toParis = plan({ arrivalAirport: 'CDG', arrives: '2026-06-01T12:30Z' });

test('a flight that is filed again to another airport stays one flight with its status, found by its old and its new airports', async () => {
  await ingest(db, [filed]);
  await ingest(db, [message({ id: 'gate', flight: planned, facts: { departureGate: 'A1' } })]);
  const replan = message({ id: 'again', at: '2026-06-01T09:00Z', flight: unnamed, plan: toParis });
  expect(formatOutcomes(await ingest(db, [replan]))).toEqual(['stored']);
  expect(await ga()).toEqual(['7 OPO-CDG 11:00 Scheduled']);
  const outcomes = await ingest(db, [
    message({ id: 'old', at: '2026-06-01T10:01Z', flight: planned, facts: { registration: 'GABCD' } }),
    message({ id: 'new', at: '2026-06-01T10:02Z', flight: elsewhere, facts: { checkInCounter: '12' } }),
    { ...off, flight: unnamed },
  ]);
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored', 'stored']);
  const flights = await searchFlights('FlightType=GA');
  expect(flights.map(formatInstance)).toEqual(['7 OPO-CDG 11:00 inAir']);
  expect(flights[0]?.statusDetails?.[0]).toMatchObject({
    departure: { gate: 'A1', checkInCounter: '12' },
    equipment: { aircraftRegistrationNumber: 'GABCD' },
    arrival: { airport: { iata: 'CDG' } },
  });
});

test('the facts of a rejected plan count for its flight, with a remark', async () => {
  await ingest(db, [filed]);
  const late = plan({ departs: '2026-06-01T23:30Z', arrives: '2026-06-02T00:30Z' });
  const [outcome] = await ingest(db, [
    message({ id: 'late', flight: planned, facts: { departureGate: 'G' }, plan: late }),
  ]);
  const planError = 'plan-of-another-day';
  expect(outcome).toEqual({ kind: 'stored', contradictions: [], describesFlight: false, planError });
  expect(outcome && toReportEntries(outcome, 3)).toMatchObject([
    { severity: 'corrected', line: 3, field: 'plan', reason: planError },
  ]);
  const [match] = await searchFlights('FlightType=GA');
  expect([match && formatInstance(match), match?.statusDetails?.[0]?.departure?.gate]).toEqual([
    '7 OPO-LIS 11:00 Scheduled',
    'G',
  ]);
});

test('the facts of a rejected plan count for a flight that it identifies by key alone', async () => {
  await ingest(db, [filed]);
  const [match] = await searchFlights('FlightType=GA');
  const byKey = { by: 'statusKey' as const, key: match?.statusKey ?? '', departureDate: planned.originDate };
  const [outcome] = await ingest(db, [{ ...off, flight: byKey, plan: plan() }]);
  expect(outcome).toMatchObject({ kind: 'stored', planError: 'no-such-flight' });
  expect(await ga()).toEqual(['7 OPO-LIS 11:00 inAir']);
});

test.each([
  ['by departure airport alone', { arrivalAirport: undefined }],
  ['by arrival airport alone', { departureAirport: '', datedBy: 'utc' as const }],
  ['by both airports', {}],
])('a flight and its recovery under the same number are distinguished by suffix, %s', async (_, named) => {
  const way = { departureAirport: 'LHR', arrivalAirport: 'JFK' };
  const times = { departs: '2026-06-01T15:00Z', arrives: '2026-06-01T22:00Z' };
  const recovery = plan({ flightType: 'Unscheduled', ...way, ...times, recovers: flight() });
  await ingest(db, [message({ id: 'recovery', flight: flight({ suffix: 'R' }), plan: recovery })]);
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

const gate = (flightNumber: number) =>
  message({ id: 'same', flight: flight({ flightNumber }), facts: { departureGate: '1' } });

test.each([
  ['with the known one first', [gate(101), gate(9998), gate(9997)]],
  ['with the known one last', [gate(9998), gate(9997), gate(101)]],
])(
  'of messages with one ID for several flights in a batch, one is stored and one is in quarantine, %s',
  async (_, batch) => {
    expect(formatOutcomes(await ingest(db, batch)).toSorted()).toEqual([
      'no-such-flight: XX 9997 of 2026-06-01, LHR-JFK',
      'no-such-flight: XX 9998 of 2026-06-01, LHR-JFK',
      'stored',
    ]);
    const stored = ['same: XX101 LHR-JFK 06-01 11:00'];
    expect([await listStoredMessages(db), await listQuarantine(db)]).toEqual([stored, ['same: no-such-flight']]);
  },
);
