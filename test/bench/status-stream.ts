/** Measures status messages per second of `flightdata import status -`, and its memory. */
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { addDays, formatDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { figure, printFigure, type Figure } from './figures.ts';
import { readProcessUsage } from '../support/process-usage.ts';
import { startStatusImport, type Acknowledged } from '../faults/support/status-feed.ts';
import { openWorld } from './world.ts';

const FLIGHTS = Number(process.env['BENCH_STATUS_FLIGHTS'] ?? 20_000);

const flightsOf = async (db: Database, day: string): Promise<readonly FlightInstance[]> => {
  const rows = await db<{ doc: string }[]>`
    select doc from flight_instance
    where departs_at >= ${day}::date and departs_at < ${day}::date + 1 and flight_type = 'S' and not is_marketing
      and doc like '%"numberOfStops":0%'
    order by key_order limit ${FLIGHTS}`;
  return rows.map(({ doc }): FlightInstance => JSON.parse(doc));
};

const at = (minutes: number): string => new Date(minutes * 60_000).toISOString();

const minuteOf = ({ date, time }: FlightInstance['departure']): number =>
  Date.parse(`${date.utc}T${time.utc}Z`) / 60_000;

/** Returns the ten messages of a flight, with the minute of each. */
const lifeOf = (row: FlightInstance, index: number): readonly (readonly [minute: number, facts: object])[] => {
  const out = minuteOf(row.departure) + (index % 40);
  const arrived = minuteOf(row.arrival) + (index % 30);
  return [
    [out - 1500, { departure: { terminal: '1', checkInCounter: 'A1-A9' }, aircraft: { registration: `N${index}X` } }],
    [out - 180, { departure: { gate: `B${index % 60}`, estimated: { out: at(out - 3) } } }],
    [out - 60, { departure: { estimated: { out: at(out), off: at(out + 14) } }, arrival: { terminal: '2' } }],
    [out, { departure: { actual: { out: at(out) } } }],
    [out + 15, { departure: { actual: { off: at(out + 15) } }, arrival: { estimated: { on: at(arrived - 8) } } }],
    [out + 20, { arrival: { estimated: { on: at(arrived - 7), in: at(arrived + 1) } } }],
    [arrived - 30, { arrival: { gate: `C${index % 50}`, estimated: { in: at(arrived) } } }],
    [arrived - 6, { arrival: { actual: { on: at(arrived - 6) } } }],
    [arrived, { arrival: { actual: { in: at(arrived) } } }],
    [arrived + 5, { arrival: { baggage: String(index % 20) } }],
  ];
};

/** Formats the messages of all flights in time order, one per line. */
const linesOf = (flights: readonly FlightInstance[]): string =>
  flights
    .flatMap((row, index) =>
      lifeOf(row, index).map(([minute, facts], step) => {
        const flight = {
          carrier: row.carrier.iata ?? row.carrier.icao ?? '',
          flightNumber: row.flightNumber,
          originDate: row.departure.date.local,
          departureAirport: row.departure.airport.iata ?? '',
          arrivalAirport: row.arrival.airport.iata ?? '',
        };
        const message = { messageId: `bench-${index}-${step}`, observedAt: at(minute), flight, ...facts };
        return { minute, line: `${JSON.stringify(message)}\n` };
      }),
    )
    .toSorted((a, b) => a.minute - b.minute)
    .map(({ line }) => line)
    .join('');

const runStream = async (url: string, lines: string, today: string) => {
  const totals = { stored: 0, duplicates: 0, quarantined: 0 };
  const acknowledgements: { readonly at: number; readonly line: number }[] = [];
  const onAcknowledged = ({ line, stored, duplicates, quarantined }: Acknowledged): void => {
    acknowledgements.push({ at: performance.now(), line });
    totals.stored += stored;
    totals.duplicates += duplicates;
    totals.quarantined += quarantined;
  };
  // The flights are in the past: messages from the future would be rejected.
  const feed = startStatusImport({ DATABASE_URL: url, FLIGHTDATA_TODAY: today }, onAcknowledged);
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(readProcessUsage(feed.child.pid ?? 0).megabytes), 500);
  feed.stdin.end(lines, () => clearInterval(sampling));
  await feed.closed;
  // The first batch includes the process start, so time runs from its acknowledgement.
  const [first, last] = [acknowledgements[0], acknowledgements.at(-1)];
  if (!first || !last) throw new Error('nothing was acknowledged');
  const perSecond = ((last.line - first.line) / (last.at - first.at)) * 1000;
  return { ...totals, perSecond, memory };
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns bytes on disk per message: messages, latest statuses and events. */
const sizesOf = async (db: Database, messages: number): Promise<readonly Figure[]> => {
  const tables = { messages: 'status_message', 'latest statuses': 'flight_status', events: 'flight_event' };
  const figures: Figure[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const [row] = await db<{ bytes: number }[]>`select pg_total_relation_size(${table}::regclass)::float8 as bytes`;
    figures.push(figure(`disk for ${name}, a message`, (row?.bytes ?? NaN) / messages, 'bytes'));
  }
  return figures;
};

const world = await openWorld({ flightsPerDay: Math.ceil(FLIGHTS * 1.1), days: 2 });
try {
  const flights = await flightsOf(world.db, formatDate(world.today));
  const lines = linesOf(flights);
  const today = formatDate(addDays(world.today, 3));
  const fresh = await runStream(world.url, lines, today);
  const again = await runStream(world.url, lines, today);
  const third = Math.max(1, Math.floor(fresh.memory.length / 3));
  if (fresh.quarantined > 0) throw new Error(`${fresh.quarantined} messages went into quarantine`);
  printFigure('status', [
    figure(`messages stored, ten for each of ${flights.length} flights`, fresh.perSecond, 'messages/s', {
      atLeast: 5000,
    }),
    figure('duplicate messages', again.perSecond, 'messages/s'),
    figure('memory in the first third of the stream', mean(fresh.memory.slice(0, third)), 'MB'),
    figure('memory in the last third of the stream', mean(fresh.memory.slice(-third)), 'MB'),
    ...(await sizesOf(world.db, fresh.stored)),
  ]);
} finally {
  // The days of this world have statuses now.
  await world.db`drop table if exists public.bench_world`;
  await world.leave();
}
