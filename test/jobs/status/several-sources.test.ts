import { expect, test } from 'vitest';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { parseSourcePrecedence } from '#domain/status/source-precedence.ts';
import { createIngester } from '#jobs/status/ingest/status-ingester.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { formatOutcomes, message, noon } from './messages.ts';
import { db, searchFlights, searchPage, useStatusWorld, world } from './status-world.ts';

useStatusWorld();

type Members = { readonly source?: string; readonly [name: string]: unknown };

let count = 0;
/** Sends a message on XX 101 LHR-JFK of 1 June 2026, observed at a time of that day. */
const report = async (time: string, members: Members): Promise<void> => {
  count += 1;
  const flight = { carrier: 'XX', flightNumber: 101, originDate: '2026-06-01', departureAirport: 'LHR' };
  const body = JSON.stringify({ messageId: `m${count}`, observedAt: `2026-06-01T${time}:00Z`, flight, ...members });
  const headers = { 'subscription-key': TEST_KEY, 'content-type': 'application/x-ndjson' };
  const response = await world.send('/status-messages?version=v1', { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ stored: 1 });
};
const getStatus = async (): Promise<StatusDetails | undefined> =>
  (await searchFlights('FlightNumber=101'))[0]?.statusDetails?.[0];

test('a status names the public feeds of its values, each with its newest message about the flight', async () => {
  await report('08:00', { source: 'hkia', arrival: { gate: '7' } });
  await report('08:05', { source: 'avinor:OSL', departure: { gate: 'A1' } });
  await report('08:10', { source: 'avinor:OSL' });
  expect(await getStatus()).toMatchObject({
    departure: { gate: 'A1' },
    arrival: { gate: '7' },
    sources: [
      { name: 'avinor', confirmedAt: '2026-06-01T08:10:00.000Z' },
      { name: 'hkia', confirmedAt: '2026-06-01T08:00:00.000Z' },
    ],
  });
  const { data } = await searchPage('DepartureDateTime=2026-06-01&FlightNumber=101&Content=StatusHistory');
  expect(data[0]?.statusDetails?.map(({ sources = [] }) => sources.map(({ name }) => name))).toEqual([
    ['avinor', 'hkia'],
    ['avinor', 'hkia'],
    ['hkia'],
  ]);
});

test('a public feed is named that reports a flight without values', async () => {
  await report('08:00', { source: 'avinor' });
  expect((await getStatus())?.sources).toEqual([{ name: 'avinor', confirmedAt: '2026-06-01T08:00:00.000Z' }]);
  await report('08:10', { departure: { gate: 'B1' } });
  expect((await getStatus())?.sources).toBeUndefined();
});

test('a contracted source overrides public feeds, which are no longer named when no value is theirs', async () => {
  await report('08:00', { source: 'avinor', departure: { gate: 'A1', estimated: { out: '2026-06-01T10:30:00Z' } } });
  await report('07:00', { departure: { gate: 'B1' } });
  await report('08:10', { source: 'avinor', departure: { gate: 'A2' } });
  expect(await getStatus()).toMatchObject({
    departure: { gate: 'B1', estimatedTime: { outGateVariation: '00:30:00' } },
    sources: [{ name: 'avinor', confirmedAt: '2026-06-01T08:10:00.000Z' }],
  });
  await report('08:20', { departure: { estimated: { out: '2026-06-01T10:20:00Z' } } });
  const status = await getStatus();
  expect(status).toMatchObject({ departure: { gate: 'B1', estimatedTime: { outGateVariation: '00:20:00' } } });
  expect(status?.sources).toBeUndefined();
});

test('an actual time is not withdrawn by another source of a lower rank, and its estimate changes no state', async () => {
  await report('10:05', { departure: { actual: { out: '2026-06-01T10:02:00Z' } } });
  await report('10:10', {
    source: 'avinor',
    returnedToGate: true,
    departure: { estimated: { out: '2026-06-01T10:40:00Z' } },
  });
  const status = await getStatus();
  expect(status).toMatchObject({ state: 'OutGate', departure: { actualTime: { outGateVariation: '00:02:00' } } });
  expect(status?.departure?.estimatedTime).toBeUndefined();
});

test('the airport of a source counts at its own end', async () => {
  await report('08:00', { source: 'avinor:LHR', departure: { gate: 'A1' }, arrival: { gate: '1' } });
  await report('08:05', { source: 'hkia:JFK', departure: { gate: 'A2' }, arrival: { gate: '2' } });
  await report('08:10', { source: 'avinor:EGLL', departure: { gate: 'A3' }, arrival: { gate: '3' } });
  expect(await getStatus()).toMatchObject({ departure: { gate: 'A3' }, arrival: { gate: '2' } });
});

test('the configured order counts for messages from then on', async () => {
  const precedence = parseSourcePrecedence('avinor *');
  const ingester = await createIngester(db, { clock: noon, precedence });
  const outcomes = await ingester.ingest([
    message({ id: 'open', source: 'avinor', facts: { departureGate: 'A1' } }),
    message({ id: 'contracted', at: '2026-06-01T09:10Z', facts: { departureGate: 'B1' } }),
  ]);
  expect(formatOutcomes(outcomes)).toEqual(['stored', 'stored']);
  expect(await getStatus()).toMatchObject({ departure: { gate: 'A1' }, sources: [{ name: 'avinor' }] });
});
