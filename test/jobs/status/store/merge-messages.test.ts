import { afterAll, expect, test } from 'vitest';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { serveStatuses, xx101 } from '#test/products/flight-info/v2/status-service.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';

const world = await serveStatuses();
afterAll(world.drop);

const firstAt = Date.parse('2026-06-01T06:00:00Z');
/** A message observed this many seconds after the first one. */
const formatMessage = (second: number, facts: object, id = `m${second}`): string => {
  const observedAt = new Date(firstAt + second * 1000).toISOString();
  return JSON.stringify({ messageId: id, observedAt, flight: xx101(), ...facts });
};

const send = async (lines: readonly string[]): Promise<unknown> => {
  const response = await world.send('/status-messages', {
    method: 'POST',
    headers: { 'subscription-key': TEST_KEY, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  return response.json();
};

const getHistory = async (): Promise<readonly StatusDetails[]> => {
  const { statusDetails = [] } = await world.getOnly(
    'DepartureDateTime=2026-06-01&CarrierCode=XX&FlightNumber=101&Content=StatusHistory',
  );
  return statusDetails;
};

const countStored = async (): Promise<number> => {
  const [row] = await world.db<{ count: number }[]>`select count(*)::int as count from status_message`;
  return row?.count ?? 0;
};

/** Gates and registrations of statuses, newest first. */
const toShown = (history: readonly StatusDetails[]) =>
  history.map(({ departure, equipment }) => [departure?.gate, equipment?.aircraftRegistrationNumber]);

test('a flight keeps its newest 1,000 messages and the facts of the others when it gets more than 2,000', async () => {
  const gates = Array.from({ length: 2000 }, (_, index) => formatMessage(index, { departure: { gate: `A${index}` } }));
  await send([formatMessage(0, { aircraft: { registration: 'G-XXAA' } }, 'first'), ...gates.slice(0, -1)]);
  const before = await getHistory();
  expect([before.length, await countStored()]).toEqual([2000, 2000]);

  expect(await send([gates.at(-1) ?? ''])).toMatchObject({ stored: 1 });
  expect(await countStored()).toBe(1001);
  const history = await getHistory();
  expect(toShown(history)).toEqual(Array.from({ length: 1000 }, (_, index) => [`A${1999 - index}`, 'GXXAA']));
  expect(history.slice(1)).toEqual(before.slice(0, 999));

  // Late: older than all that is kept.
  await send([
    formatMessage(1, { departure: { gate: 'LATE' } }, 'late gate'),
    formatMessage(1, { departure: { stand: '7' } }, 'late stand'),
  ]);
  const [newest] = await getHistory();
  expect([newest?.departure?.gate, newest?.departure?.stand]).toEqual(['A1999', '7']);
});
