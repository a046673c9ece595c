import { expect, test } from 'vitest';
import type { FlightInstance, FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { addDays, formatDate, localDate, toUtcDate } from '#domain/time/dates.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { buildHistoryMessages } from '#demo/activity/demo-history.ts';
import { DEMO_KEY } from '#store/access/demo-key.ts';
import { ingestMessages } from '#jobs/status/ingest/status-ingester.ts';
import { DEMO_DAY, demoDatabase } from '#test/support/demo-database.ts';
import { createTestApp } from '#test/support/test-app.ts';

test('each flight of a past day has one message, with its arrival unless it was cancelled or diverted', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  const messages = buildHistoryMessages(toUtcDate(new Date('2026-11-10')), now.getTime() as UtcMillisecond);
  const ids = new Set(messages.map(({ id }) => id));
  expect([ids.size, ids.size > 1400, [...ids].every((id) => id.endsWith('/history'))]).toEqual([
    messages.length,
    true,
    true,
  ]);
  const unfinished = messages.filter(
    ({ facts: { cancelled, actualIn, actualOn }, landings }) =>
      cancelled !== true && landings.length === 0 && (actualIn ?? actualOn) === undefined,
  );
  expect(unfinished).toEqual([]);
});

/** Returns over HTTP the flights of messages as they are after these were ingested, all on one day of the demo world. */
const getFlights = async (
  messages: readonly StatusMessage[],
  clock: () => Date,
): Promise<readonly FlightInstance[]> => {
  const { sql, drop } = await demoDatabase();
  try {
    await ingestMessages(sql, messages, { masterDataIndex: await readMasterDataIndex(sql), clock });
    const app = await createTestApp(sql, { clock });
    const flights: FlightInstance[] = [];
    for (const { flight } of messages) {
      if (flight.by !== 'designator' || flight.originDate === undefined)
        throw new Error('no flight of the demo world is identified by a key');
      const { carrier, flightNumber, originDate, departureAirport, arrivalAirport } = flight;
      const query = `CarrierCode=${carrier}&FlightNumber=${flightNumber}&DepartureAirport=${departureAirport}&ArrivalAirport=${arrivalAirport}`;
      const path = `http://service.test/flight-instances?version=v2&Content=Status&DepartureDateTime=${formatDate(originDate)}&${query}`;
      const response = await app.request(path, { headers: { 'Subscription-Key': DEMO_KEY } });
      const { data }: FlightInstancePage = await response.json();
      flights.push(...data);
    }
    return flights;
  } finally {
    await drop();
  }
};

test('a past flight that ended at another airport has no facilities of its scheduled one; one that continued has them', async () => {
  const clock = (): Date => new Date(`${DEMO_DAY}T23:59:00Z`);
  const messages = buildHistoryMessages(addDays(localDate(DEMO_DAY), -1), clock().getTime() as UtcMillisecond);
  const flights = await getFlights(
    messages.filter(({ landings }) => landings.length > 0),
    clock,
  );
  const facilities = Map.groupBy(
    flights.map(({ arrival, statusDetails }) => {
      const { airport, actualTerminal, gate, stand, baggage } = statusDetails?.[0]?.arrival ?? {};
      const known = Object.entries({ actualTerminal, gate, stand, baggage }).filter(([, value]) => value !== undefined);
      return { isElsewhere: airport?.iata !== arrival.airport?.iata, names: known.map(([name]) => name).join(' ') };
    }),
    ({ isElsewhere }) => isElsewhere,
  );
  const listDistinct = (isElsewhere: boolean) => [...new Set(facilities.get(isElsewhere)?.map(({ names }) => names))];
  expect({ elsewhere: listDistinct(true), continued: listDistinct(false) }).toEqual({
    elsewhere: [''],
    continued: ['actualTerminal gate stand baggage'],
  });
});
