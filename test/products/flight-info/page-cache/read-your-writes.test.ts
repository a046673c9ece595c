/*
 * Compares two servers with a page cache with one without, during writes of everything that pages depend on.
 * WRITES=1000 sets the number of random writes, WRITE_SEEDS=20 the number of seeds, MEANWHILE_WRITES the number of concurrent writes.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { buildLocalMinute, localDate } from '#domain/time/dates.ts';
import { isPageAffected, type PageChange } from '#domain/cache/page-invalidation.ts';
import { delayAtLeast } from '#lib/delay-at-least.ts';
import { listPageDependencies } from '#products/flight-info/v2/list-page-dependencies.ts';
import { serveStatuses, xx101 } from '../v2/status-service.ts';
import { startServer, type Server } from './caching-servers.ts';
import { randomWrites } from './random-writes.ts';

const WRITES = Number(process.env['WRITES'] ?? 20);
const SEEDS = Number(process.env['WRITE_SEEDS'] ?? 1);
const CONCURRENT_WRITES = Number(process.env['MEANWHILE_WRITES'] ?? 15);
const READERS = 4;
const MEGABYTE = 1 << 20;
/** The lease of the second server. */
const LEASE_MS = 40;

const world = await serveStatuses();
const caching = [await startServer(world, 4 * MEGABYTE), await startServer(world, 4 * MEGABYTE, LEASE_MS)] as const;
const uncached = await startServer(world, 0);
afterAll(async () => {
  for (const server of [...caching, uncached]) await server.stop();
  await world.drop();
});

const queries = [
  'DepartureDateTime=2026-06-01',
  'DepartureDateTime=2026-06-01/2026-06-03&Content=Status',
  'DepartureDateTime=2026-06-02&Content=Status',
  'DepartureDateTime=2026-06-02&DepartureAirport=LHR',
  'DepartureDateTime=2026-06-01/2026-06-03&DepartureAirport=LHR&ArrivalAirport=LAX&Content=Status',
  'DepartureDateTime=2026-06-01/2026-06-03&DepartureAirport=OPO',
  'DepartureDateTime=2026-06-01/2026-06-03&CarrierCode=YY&Content=Seats',
  'DepartureDateTime=2026-06-02&FlightNumber=101&Content=Status,Seats',
  'DepartureDateTime=2026-06-01T08:00/2026-06-01T12:00&Content=Status',
  'ArrivalDateTime=2026-06-02&ArrivalAirport=JFK&Content=Status',
  'ArrivalDateTime=2026-06-01',
  'DepartureDateTime=2026-06-01/2026-06-03&ArrivalAirport=LGW&IncludeDiverted=true&Content=Status',
  'DepartureDateTime=2026-06-01/2026-06-03&ArrivalAirport=LGW&ArrivalCountryCode=US&IncludeDiverted=true&Content=Status',
  'DepartureDateTime=2026-06-01/2026-06-03&AircraftRegistrationNumber=GZX1&Content=Status',
  'DepartureDateTime=2026-06-01/2026-06-03&Content=StatusHistory',
  'DepartureDateTime=2026-06-01/2026-06-03&FlightType=GA',
  'LatestDepartureDateTime=2026-06-01/2026-06-03&DepartureAirport=LHR',
  'LatestDepartureDateTime=2026-06-01T11:00/2026-06-01T18:00&DepartureAirport=LHR&Content=Status',
  'LatestArrivalDateTime=2026-06-02&ArrivalAirport=JFK&Content=Status',
  'DepartureDateTime=2026-06-01/2026-06-03&DepartureAirport=LHR&State=Canceled',
  'DepartureDateTime=2026-06-01/2026-06-03&State=Scheduled&Content=Status',
  'DepartureDateTime=2026-06-01/2026-06-03&DepartureCountryCode=GB&Codeshare=Operating&Content=Status',
  'DepartureDateTime=2026-06-01/2026-06-03&CarrierCode=XXX&CodeType=ICAO&ServiceType=Passenger',
  'DepartureDateTime=2026-06-01/2026-06-03&DepartureAirport=LHR&LegsOnly=true&Content=Status',
].map((query) => `/flight-instances?version=v2&Limit=7&${query}`);

/** Where in the list a page begins; what its pages contain depends on the others. */
const paging = ['After', 'If-None-Match'];

test('the queries of this test have every parameter of the operation', () => {
  const operation = catalog
    .flatMap(({ versions }) => versions)
    .filter(({ version }) => version === 'v2')
    .flatMap(({ operations }) => operations)
    .find(({ operationId }) => operationId === 'listFlightInstances');
  const used = new Set(queries.flatMap((path) => [...new URLSearchParams(path.split('?')[1]).keys()]));
  expect(operation?.parameters.filter((name) => !used.has(name) && !paging.includes(name))).toEqual([]);
});

const fetchText = async ({ get }: Server, path: string): Promise<string> => {
  const response = await get(path);
  return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
};

const reportGate = (at: string, gate: string): Promise<void> => world.report(xx101(), [at, { departure: { gate } }]);

test('a response contains at least the statuses reported before the request', { timeout: 600_000 }, async () => {
  const path = '/flight-instances?version=v2&DepartureDateTime=2026-06-01&DepartureAirport=LHR&Content=Status';
  const gateIn = (text: string): number => Number(/"gate":"G(\d+)"/.exec(text)?.[1] ?? -1);
  // A server without a lease serves each commit at once, one with a lease each that was reported, a lease after its commit.
  let [committed, reported] = [-1, -1];
  let isWriting = true;
  const stale: string[] = [];
  const read = async ({ get }: Server, getExpected: () => number): Promise<void> => {
    while (isWriting) {
      // A page on a lease is served without waiting: other work needs a turn of the event loop.
      await nextTurn();
      const atLeast = getExpected();
      const text = await (await get(path)).text();
      if (gateIn(text) < atLeast) stale.push(`gate G${atLeast} was reported: ${text}`);
    }
  };
  const readers = Array.from({ length: READERS }, () => [
    read(caching[0], () => committed),
    read(caching[1], () => reported),
  ]).flat();
  for (let written = 0; written < CONCURRENT_WRITES; written += 1) {
    await reportGate(new Date(Date.UTC(2026, 4, 31, 1, 0, written)).toISOString(), `G${written}`);
    committed = written;
    await delayAtLeast(LEASE_MS);
    reported = written;
  }
  isWriting = false;
  await Promise.all(readers);
  expect(stale).toEqual([]);
  expect(caching[0].counts.hits + caching[1].counts.hits).toBeGreaterThan(0);
});

/** Lists the responses of caching servers that differ from the uncached one after each write. */
const listStale = async (seed: number): Promise<readonly string[]> => {
  const next = randomWrites(world, seed);
  const stale: string[] = [];
  for (let written = 0; written < WRITES; written += 1) {
    const { name, run } = next();
    await run();
    await delayAtLeast(LEASE_MS);
    // Unscheduled flights and schedules can add codes to master data.
    if (/unscheduled|schedule/.test(name)) for (const server of [...caching, uncached]) await server.refresh();
    for (const path of queries) {
      const expected = await fetchText(uncached, path);
      for (const server of caching)
        if ((await fetchText(server, path)) !== expected)
          stale.push(`seed ${seed}, write ${written} (${name}): ${path}`);
    }
  }
  return stale;
};

test('after every write all pages of all servers equal those without a cache', { timeout: 600_000 }, async () => {
  for (const { counts } of caching) [counts.hits, counts.misses] = [0, 0];
  for (let seed = 1; seed <= SEEDS; seed += 1) expect(await listStale(seed)).toEqual([]);
  // With fewer hits the test would prove nothing.
  for (const { counts } of caching) expect(counts.hits / (counts.hits + counts.misses)).toBeGreaterThan(0.25);
});

test('a server that cannot read page changes returns 503 and no cached page', async () => {
  const [server] = caching;
  const [path = ''] = queries;
  for (let times = 0; times < 3; times += 1) await server.get(path);
  const hitsBefore = server.counts.hits;
  await server.changesDb.end({ timeout: 1 });
  const response = await server.get(path);
  expect([response.status, response.headers.get('retry-after'), server.counts.hits]).toEqual([503, '5', hitsBefore]);
});

test('a page for up to 256 airports depends on these only, one for more on all', () => {
  const day = localDate('2026-06-01');
  const change: PageChange = { kind: 'row', day, flight: 'x', carrier: 1, departure: 2, arrival: 9999 };
  /** Returns whether the change invalidates a page filtered by this many arrival airports, 9999 not among them. */
  const isInvalidated = (airports: number): boolean => {
    const contents = listPageDependencies([], {
      query: { DepartureDateTime: '2026-06-01', IncludeDiverted: false, Limit: 10, version: 'v2' },
      filter: {
        departs: { from: buildLocalMinute(day, 0), to: buildLocalMinute(day, 1439) },
        arrivals: Array.from({ length: airports }, (_, airport) => airport),
      },
      content: { status: undefined, withSeats: false, withMap: false },
    });
    return contents === undefined || isPageAffected(contents, change);
  };
  expect([1, 256, 257, 3000].map(isInvalidated)).toEqual([false, false, true, true]);
});
