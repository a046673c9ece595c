/**
 * Measures schedule messages through `flightdata import schedule-messages -`: how many a minute, and the times of clients that read lists of flights
 * without messages and beside 1,000 a minute, in turn. BENCH_FLIGHTS_PER_DAY is about the number of legs of the schedule. BENCH_MESSAGES,
 * BENCH_ROUNDS, BENCH_SECONDS and BENCH_READS_PER_SECOND set the messages of the first part and the length and rate of the second.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { addDays, formatDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { startFeedImport } from '../faults/support/status-feed.ts';
import { createRandom } from '../lib/seeded-random.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf } from './figures.ts';
import { startService } from './service.ts';
import { openWorld, readWorldSize } from './world.ts';

const MESSAGES = Number(process.env['BENCH_MESSAGES'] ?? 3000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
const READS_PER_SECOND = Number(process.env['BENCH_READS_PER_SECOND'] ?? 50);
const MESSAGES_PER_MINUTE = 1000;
/** Flights that messages change. */
const FLIGHTS = 4000;

const world = await openWorld(readWorldSize());
const { db, url, today } = world;
type Flight = Readonly<Record<'designator' | 'departure', string>>;
const day = formatDate(addDays(today, 2));
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

/** Sends messages, `perMinute` or as fast as they are taken, and returns how many were stored in how many seconds. */
const sendMessages = async ({ count, perMinute }: { readonly count: number; readonly perMinute?: number }) => {
  const stored = { applied: 0, quarantined: 0, other: 0 };
  const feed = startFeedImport(
    'schedule-messages',
    { DATABASE_URL: url, HORIZON_DAYS: String(world.days) },
    (batch) => {
      const { applied = 0, quarantined = 0, duplicates = 0 }: Readonly<Record<string, number>> = batch;
      stored.applied += applied;
      stored.quarantined += quarantined;
      stored.other += duplicates;
    },
  );
  const startedAt = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    if (perMinute !== undefined) await delay(Math.max(0, startedAt + (sent * 60_000) / perMinute - performance.now()));
    feed.stdin.write(formatMessage());
  }
  feed.stdin.end();
  await feed.closed;
  if (feed.child.exitCode !== 0 && feed.child.exitCode !== 3) throw new Error(feed.errorOutput());
  return { ...stored, seconds: (performance.now() - startedAt) / 1000 };
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
        times.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(pending);
  return times;
};

await readLists();
const fast = await sendMessages({ count: MESSAGES });
const [calm, beside]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round += 1) {
  calm.push(...(await readLists()));
  const sending = sendMessages({
    count: Math.floor((MESSAGES_PER_MINUTE * SECONDS) / 60),
    perMinute: MESSAGES_PER_MINUTE,
  });
  // The command has connected when the readers start.
  await delay(1000);
  beside.push(...(await readLists()));
  await sending;
}
const [alone, together] = [quantilesOf(calm), quantilesOf(beside)];
printFigure('schedule-messages', [
  figure('legs of the schedule', world.filled.records, 'legs'),
  figure('messages stored', ((fast.applied + fast.quarantined) * 60) / fast.seconds, 'messages/min', { atLeast: 1000 }),
  figure('messages that changed nothing', fast.quarantined + fast.other, 'messages'),
  ...figuresOfTimes('a list of flights, without messages', alone),
  ...figuresOfTimes(`a list of flights, beside ${MESSAGES_PER_MINUTE} messages a minute`, together),
  figure('p99 beside messages to p99 without', together.p99 / alone.p99, 'ratio', { atMost: 1.2 }),
]);
await service.stop();
await world.leave();
