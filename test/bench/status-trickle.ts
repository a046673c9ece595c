import { addDays, formatDate } from '#domain/time/dates.ts';
import { createRandom } from '../lib/seeded-random.ts';
import { startStatusImport } from '../faults/support/status-feed.ts';
import type { World } from './world.ts';

const TICK_MS = 50;

/** A flight as its messages name it, and its scheduled departure. */
type TrickledFlight = { readonly flight: object; readonly out: string };

/**
 * Sends gate changes of flights of today and following days through `flightdata import status -` at a fixed rate, beside another measurement; with
 * `isLate`, estimates of up to four hours after schedule too.
 */
export const startStatusTrickle = async (
  { db, url, today }: Pick<World, 'db' | 'url' | 'today'>,
  perSecond: number,
  { isLate = false } = {},
) => {
  const rows = await db`
    select c.iata as carrier, flight_number as "flightNumber", departs_at::date::text as "originDate",
      d.iata as "departureAirport", a.iata as "arrivalAirport",
      doc::json #>> '{departure,date,utc}' || 'T' || (doc::json #>> '{departure,time,utc}') || 'Z' as out
    from flight_instance i join carrier c on c.id = i.carrier join location d on d.id = i.departure join location a on a.id = i.arrival
    where departs_at >= ${formatDate(today)}::date and departs_at < ${formatDate(addDays(today, 3))}::date and flight_type = 'S' and c.iata <> ''
    order by key_order limit 20000`;
  const flights = rows.map(({ out, ...flight }): TrickledFlight => ({ flight, out: String(out) }));
  const chance = createRandom(5);
  let stored = 0;
  const feed = startStatusImport({ DATABASE_URL: url }, (batch) => (stored += batch.stored));
  const startedAt = performance.now();
  let sent = 0;
  const run = String(Date.now());
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    const lines: string[] = [];
    for (; sent < due; sent += 1) {
      const { flight, out } = chance.pick(flights);
      const gate = `${chance.pick(['A', 'B', 'C'])}${chance.integer(1, 99)}`;
      const late = isLate
        ? { out: new Date(Date.parse(out) + chance.integer(0, 240) * 60_000).toISOString() }
        : undefined;
      const departure = { gate, ...(late && { estimated: late }) };
      const observedAt = new Date().toISOString();
      lines.push(`${JSON.stringify({ messageId: `bench-${run}-${sent}`, observedAt, flight, departure })}\n`);
    }
    if (lines.length > 0) feed.stdin.write(lines.join(''));
  }, TICK_MS);
  /** Stops the stream and returns the messages stored per second. */
  const stop = async (): Promise<number> => {
    clearInterval(timer);
    const seconds = (performance.now() - startedAt) / 1000;
    feed.stdin.end();
    await feed.closed;
    return stored / seconds;
  };
  return { stop };
};
