import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { addDays, formatDate } from '../../src/domain/time/dates.ts';
import { createRandom } from '../lib/seeded-random.ts';
import { COMMAND } from './service.ts';
import type { World } from './world.ts';

const TICK_MS = 50;

/** A stream of status messages beside another measurement. */
export type StatusTrickle = {
  /** Stops the stream and returns the messages stored per second. */
  readonly stop: () => Promise<number>;
};

type Flight = {
  readonly carrier: string;
  readonly flightNumber: number;
  readonly originDate: string;
  readonly departureAirport: string;
  readonly arrivalAirport: string;
};

/** Sends gate changes of flights of today and following days through `flightdata import status -` at a fixed rate. */
export const startStatusTrickle = async ({ db, url, today }: World, perSecond: number): Promise<StatusTrickle> => {
  const flights = await db<Flight[]>`
    select c.iata as carrier, flight_number as "flightNumber", departs_at::date::text as "originDate",
      d.iata as "departureAirport", a.iata as "arrivalAirport"
    from flight_instance i join carrier c on c.id = i.carrier join location d on d.id = i.departure join location a on a.id = i.arrival
    where departs_at >= ${formatDate(today)}::date and departs_at < ${formatDate(addDays(today, 3))}::date and flight_type = 'S'
    order by key_order limit 20000`;
  const chance = createRandom(5);
  const child = spawn(process.execPath, [COMMAND, 'import', 'status', '-'], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let stored = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said: { readonly acknowledged?: { readonly stored: number } } = JSON.parse(line);
    stored += said.acknowledged?.stored ?? 0;
  });
  const startedAt = performance.now();
  let sent = 0;
  const run = String(Date.now());
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    const lines: string[] = [];
    for (; sent < due; sent += 1) {
      const flight = chance.pick(flights);
      const departure = { gate: `${chance.pick(['A', 'B', 'C'])}${chance.integer(1, 99)}` };
      const observedAt = new Date().toISOString();
      lines.push(`${JSON.stringify({ messageId: `bench-${run}-${sent}`, observedAt, flight, departure })}\n`);
    }
    if (lines.length > 0) child.stdin.write(lines.join(''));
  }, TICK_MS);
  const stop = async (): Promise<number> => {
    clearInterval(timer);
    const seconds = (performance.now() - startedAt) / 1000;
    child.stdin.end();
    await once(child, 'close');
    return stored / seconds;
  };
  return { stop };
};
