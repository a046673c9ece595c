/**
 * Measures schedule messages through `flightdata import schedule-messages -`: how many a minute, and the times of clients that read lists of flights
 * without messages and beside 1,000 a minute, in turn. BENCH_FLIGHTS_PER_DAY is about the number of legs of the schedule. BENCH_MESSAGES,
 * BENCH_ROUNDS, BENCH_SECONDS and BENCH_READS_PER_SECOND set the messages of the first part and the length and rate of the second.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { addDays, formatDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { type Acknowledged, startFeedImport } from '../faults/support/status-feed.ts';
import { createRandom } from '../lib/seeded-random.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf } from './figures.ts';
import { startService } from './service.ts';
import { dayAt, openWorld, readWorldSize } from './world.ts';

const MESSAGES = Number(process.env['BENCH_MESSAGES'] ?? 3000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const READS_PER_SECOND = Number(process.env['BENCH_READS_PER_SECOND'] ?? 50);
const MESSAGES_PER_MINUTE = 1000;
/** Clients open their connections at the start of a round. */
const WARM_UP_MS = 1000;
/** Flights that messages change. */
const FLIGHTS = 4000;

const world = await openWorld(readWorldSize());
const { db, url, today } = world;
type Flight = Readonly<Record<'designator' | 'departure', string>>;
const day = formatDate(dayAt(world));
const flights = await db<Flight[]>`
  select distinct on (c.iata, flight_number) c.iata || flight_number as designator, d.iata as departure
  from flight_instance i join carrier c on c.id = i.carrier join location d on d.id = i.departure
  where departs_at::date = ${day} and flight_type = 'S' and not is_marketing and length(c.iata) = 2
  order by c.iata, flight_number limit ${FLIGHTS}`;
const reader = await createKey(db, { name: 'bench reader', products: ['flight-info'] });
const service = await startService(url);
const chance = createRandom(Date.now());

const formatSsimDate = (date: string): string => {
  const month = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'][
    Number(date.slice(5, 7)) - 1
  ];
  return `${date.slice(8)}${month ?? ''}${date.slice(2, 4)}`;
};
const flightDate = formatSsimDate(day);
const createdOn = formatSsimDate(formatDate(today)).slice(0, 5);

/** Another run on a kept database sends higher numbers. */
let written = Math.floor((Date.now() % 86_400_000) / 1000);
/** A third each: a cancellation of a date, new equipment of a date, and new equipment of a period. */
const formatMessage = (): string => {
  written += 1;
  const { designator } = chance.pick(flights);
  const equipment = `J 320 .Y${100 + (written % 100)}`;
  const [kind, ...lines] = chance.pick([
    ['ASM', 'CNL OPER', `${designator}/${flightDate}`, `SI ${written}`],
    ['ASM', 'EQT', `${designator}/${flightDate}`, equipment],
    ['SSM', 'EQT', designator, `${flightDate} ${formatSsimDate(formatDate(addDays(today, 5)))} 1234567`, equipment],
  ]);
  return [kind, 'LT', `${createdOn}${String(written).padStart(5, '0')}E001`, ...lines, '', ''].join('\n');
};

const stored = { applied: 0, others: 0 };
/** Runs for all measurements: the start of a process is not one of them. */
const feed = startFeedImport(
  'schedule-messages',
  { DATABASE_URL: url, HORIZON_DAYS: String(world.days) },
  {
    onAcknowledged: (batch) => {
      const { applied = 0, quarantined, duplicates }: Acknowledged & { readonly applied?: number } = batch;
      stored.applied += applied;
      stored.others += quarantined + duplicates;
    },
  },
);

/** Sends messages, `perMinute` or as fast as they are taken, waits until they are stored, and returns the seconds. */
const sendMessages = async (count: number, perMinute = Infinity): Promise<number> => {
  const due = stored.applied + stored.others + count;
  const startedAt = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    const waitMs = startedAt + (sent * 60_000) / perMinute - performance.now();
    if (waitMs > 0) await delay(waitMs);
    feed.stdin.write(formatMessage());
  }
  while (stored.applied + stored.others < due) {
    if (feed.child.exitCode !== null) throw new Error(feed.errorOutput());
    await delay(10);
  }
  return (performance.now() - startedAt) / 1000;
};

/** Reads lists of flights at a fixed rate, and returns the times from when each was due, milliseconds. */
const readLists = async (): Promise<readonly number[]> => {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < SECONDS * READS_PER_SECOND; index += 1) {
    const due = startedAt + (index * 1000) / READS_PER_SECOND;
    await delay(Math.max(0, due - performance.now()));
    const { departure } = chance.pick(flights);
    const path = `/flight-instances?version=v2&DepartureDateTime=${day}&DepartureAirport=${departure}&Content=Status&Limit=10`;
    pending.push(
      fetch(`${service.base}${path}`, { headers: { 'subscription-key': reader.key } }).then(async (response) => {
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`a list was answered with ${response.status}`);
        if (due - startedAt >= WARM_UP_MS) times.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(pending);
  return times;
};

await Promise.all([readLists(), sendMessages(100)]);
const seconds = await sendMessages(MESSAGES);
const [calm, beside]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round += 1) {
  calm.push(...(await readLists()));
  const sending = sendMessages(Math.floor((MESSAGES_PER_MINUTE * SECONDS) / 60), MESSAGES_PER_MINUTE);
  beside.push(...(await readLists()));
  await sending;
}
feed.stdin.end();
await feed.closed;
const [alone, together] = [quantilesOf(calm), quantilesOf(beside)];
printFigure('schedule-messages', [
  figure('legs of the schedule', world.filled.records, 'legs'),
  figure('messages stored', (MESSAGES * 60) / seconds, 'messages/min', { atLeast: 1000 }),
  figure('messages that changed nothing', stored.others, 'messages'),
  ...figuresOfTimes('a list of flights, without messages', alone),
  ...figuresOfTimes(`a list of flights, beside ${MESSAGES_PER_MINUTE} messages a minute`, together),
  figure('p99 beside messages to p99 without', together.p99 / alone.p99, 'ratio', { atMost: 1.2 }),
]);
await service.stop();
await world.leave();
