/**
 * Measures status messages per second over HTTP: 8 connections send requests of 100 messages, beside 4 clients that each read 50 lists of flights a
 * second. BENCH_FEED_SECONDS, BENCH_FEED_BATCH, BENCH_FEED_CONNECTIONS, BENCH_FEED_READERS and BENCH_FEED_READS set the length, the messages of a
 * request, the clients and the lists a second of a client.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { addDays, formatDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { createRandom } from '../lib/seeded-random.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf } from './figures.ts';
import { readProcessUsage } from '../support/process-usage.ts';
import { startService } from './service.ts';
import { openWorld, readWorldSize } from './world.ts';

const CONNECTIONS = Number(process.env['BENCH_FEED_CONNECTIONS'] ?? 8);
const READERS = Number(process.env['BENCH_FEED_READERS'] ?? 4);
const READS = Number(process.env['BENCH_FEED_READS'] ?? 50);
const SECONDS = Number(process.env['BENCH_FEED_SECONDS'] ?? 20);
const BATCH = Number(process.env['BENCH_FEED_BATCH'] ?? 100);
/** Flights of a connection: each is an airport or a handling agent with its own. */
const FLIGHTS = 400;

const world = await openWorld(readWorldSize());
const { db, url, today } = world;
const flights = await db`
  select c.iata as carrier, flight_number as "flightNumber", departs_at::date::text as "originDate",
    d.iata as "departureAirport", a.iata as "arrivalAirport"
  from flight_instance i join carrier c on c.id = i.carrier join location d on d.id = i.departure join location a on a.id = i.arrival
  where departs_at >= ${formatDate(today)}::date and departs_at < ${formatDate(addDays(today, 3))}::date and flight_type = 'S' and c.iata <> ''
  order by key_order limit ${CONNECTIONS * FLIGHTS}`;
const sender = await createKey(db, { name: 'bench sender', products: ['status-feed'] });
const reader = await createKey(db, { name: 'bench reader', products: ['flight-info'] });
const service = await startService(url);
const chance = createRandom(5);
const run = String(Date.now());

let [messages, stored, failed, isOver] = [0, 0, 0, false];
const times: number[] = [];
const readTimes: number[] = [];

const buildBody = (ofConnection: readonly object[]): string =>
  Array.from({ length: BATCH }, () => {
    messages += 1;
    const departure = { gate: `${chance.pick(['A', 'B', 'C'])}${chance.integer(1, 99)}` };
    const message = {
      messageId: `feed-${run}-${messages}`,
      observedAt: new Date().toISOString(),
      flight: chance.pick(ofConnection),
      departure,
    };
    return `${JSON.stringify(message)}\n`;
  }).join('');

const send = async (connection: number): Promise<void> => {
  const headers = { 'subscription-key': sender.key, 'content-type': 'application/x-ndjson' };
  const ofConnection = flights.slice(connection * FLIGHTS, (connection + 1) * FLIGHTS);
  while (!isOver) {
    const body = buildBody(ofConnection);
    const startedAt = performance.now();
    const response = await fetch(`${service.base}/status-messages`, {
      method: 'POST',
      headers,
      body,
    });
    const report: { stored?: number } = await response.json();
    times.push(performance.now() - startedAt);
    if (response.ok) stored += report.stored ?? 0;
    else failed += 1;
  }
};

const read = async (): Promise<void> => {
  const path = `/flight-instances?version=v2&DepartureDateTime=${formatDate(today)}&DepartureAirport=`;
  while (!isOver) {
    const { departureAirport } = chance.pick(flights);
    const startedAt = performance.now();
    const response = await fetch(`${service.base}${path}${departureAirport}&Content=Status&Limit=10`, {
      headers: { 'subscription-key': reader.key },
    });
    await response.arrayBuffer();
    readTimes.push(performance.now() - startedAt);
    await delay(1000 / READS - (performance.now() - startedAt));
  }
};

const readSeconds = (): number => readProcessUsage(service.pid ?? 0).processorSeconds;
const usedBefore = readSeconds();
const startedAt = performance.now();
const working = Promise.all([
  ...Array.from({ length: CONNECTIONS }, (_, connection) => send(connection)),
  ...Array.from({ length: READERS }, read),
]);
setTimeout(() => (isOver = true), SECONDS * 1000);
await working;
const seconds = (performance.now() - startedAt) / 1000;
const used = readSeconds() - usedBefore;
printFigure('feed', [
  figure('processor time of the server, a message, with the events and the reads', (used * 1000) / stored, 'ms'),
  figure(`messages stored, ${CONNECTIONS} connections, ${BATCH} a request`, stored / seconds, 'messages/s', {
    atLeast: 2000,
  }),
  figure('lists of flights read beside them', readTimes.length / seconds, 'requests/s'),
  ...figuresOfTimes('a request', quantilesOf(times)),
  ...figuresOfTimes('a list', quantilesOf(readTimes)),
  figure('requests that failed', failed, 'requests', { atMost: 0 }),
]);
await service.stop();
await world.leave();
