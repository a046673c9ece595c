/**
 * Measures lists of flights beside a sender that describes flights on 1,015 days of the past, with an `observedAt` of the same time, alternating with
 * lists without that sender. BENCH_PLANS_ROUNDS, BENCH_PLANS_SECONDS, BENCH_PLANS_READERS and BENCH_PLANS_READS set the pairs of turns, their
 * length, the clients and the lists a second of a client.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { createRandom } from '../lib/seeded-random.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf } from './figures.ts';
import { startService } from './service.ts';
import { openWorld, readWorldSize } from './world.ts';

const ROUNDS = Number(process.env['BENCH_PLANS_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_PLANS_SECONDS'] ?? 15);
const READERS = Number(process.env['BENCH_PLANS_READERS'] ?? 4);
const READS = Number(process.env['BENCH_PLANS_READS'] ?? 25);
/** As in the attack that was found. */
const DAYS = 1015;
const FIRST_DAY = localDate('1951-01-01');

const world = await openWorld(readWorldSize());
const { db, url, today } = world;
const airports = await db<{ iata: string }[]>`
  select distinct d.iata from flight_instance i join location d on d.id = i.departure
  where departs_at >= ${formatDate(today)}::date and departs_at < ${formatDate(addDays(today, 1))}::date order by d.iata limit 50`;
const sender = await createKey(db, { name: 'bench sender', products: ['status-feed'] });
const reader = await createKey(db, { name: 'bench reader', products: ['flight-info'] });
const service = await startService(url);
const chance = createRandom(5);
const [{ iata: from } = { iata: '' }, { iata: to } = { iata: '' }] = airports;

const countRelations = async (): Promise<number> => {
  const [row] = await db<{ count: bigint }[]>`select count(*) from pg_class`;
  return Number(row?.count);
};

/** A request with a plan on each of the days; each round has flights of its own. */
const buildBody = (round: number): string =>
  Array.from({ length: DAYS }, (_, index) => {
    const day = formatDate(addDays(FIRST_DAY, index));
    const flight = { carrier: 'ZZJ', flightNumber: round + 1, originDate: day, departureAirport: from };
    const plan = { flightType: 'GA', departs: { airport: from, at: `${day}T12:00:00Z` }, arrives: { airport: to } };
    const message = { messageId: `plan-${round}-${index}`, observedAt: `${day}T10:00:00Z`, flight, plan };
    return `${JSON.stringify(message)}\n`;
  }).join('');

const requestTimes: number[] = [];
const responses = new Map<number, number>();
const attack = async (round: number, isOver: () => boolean): Promise<void> => {
  for (let request = 0; !isOver(); request += 1) {
    const startedAt = performance.now();
    const response = await fetch(`${service.base}/status-messages`, {
      method: 'POST',
      headers: { 'subscription-key': sender.key, 'content-type': 'application/x-ndjson' },
      body: buildBody(round * 100 + (request % 100)),
    });
    await response.arrayBuffer();
    requestTimes.push(performance.now() - startedAt);
    responses.set(response.status, (responses.get(response.status) ?? 0) + 1);
    await delay(200);
  }
};

const read = async (times: number[], isOver: () => boolean): Promise<void> => {
  const path = `/flight-instances?version=v2&DepartureDateTime=${formatDate(today)}&DepartureAirport=`;
  while (!isOver()) {
    const startedAt = performance.now();
    const response = await fetch(`${service.base}${path}${chance.pick(airports).iata}&Content=Status&Limit=10`, {
      headers: { 'subscription-key': reader.key },
    });
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    await delay(Math.max(0, 1000 / READS - (performance.now() - startedAt)));
  }
};

const alone: number[] = [];
const beside: number[] = [];
const relations = await countRelations();
const runTurn = async (round: number | undefined): Promise<void> => {
  let over = false;
  const isOver = (): boolean => over;
  const times = round === undefined ? alone : beside;
  const working = Promise.all([
    ...Array.from({ length: READERS }, () => read(times, isOver)),
    ...(round === undefined ? [] : [attack(round, isOver)]),
  ]);
  await delay(SECONDS * 1000);
  over = true;
  await working;
};
await runTurn(undefined);
alone.length = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  await runTurn(undefined);
  await runTurn(round);
}
printFigure('plans', [
  figure('relations that plans of the past add', (await countRelations()) - relations, 'relations', { atMost: 0 }),
  figure(`requests with plans on ${DAYS} days`, requestTimes.length, 'requests'),
  figure('the longest of them', Math.max(...requestTimes), 'ms'),
  figure('of them with an error', requestTimes.length - (responses.get(200) ?? 0), 'requests'),
  ...figuresOfTimes('a list, alone', quantilesOf(alone)),
  ...figuresOfTimes('a list beside them', quantilesOf(beside)),
]);
await service.stop();
await world.leave();
