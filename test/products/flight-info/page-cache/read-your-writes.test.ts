/*
 * Compares two servers with a page cache with one without, during random writes of everything that pages depend on.
 * WRITES=1000 sets the number of writes, WRITE_SEEDS=20 the number of seeds.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishText } from '../../../support/tiny-world.ts';
import { serveStatuses, xx101, type StatusService } from '../v2/status-service.ts';
import { schedule } from '../v2/example-schedule.ts';
import { startServer, type Server } from './caching-servers.ts';
import { createRandom, randomWrites } from './random-writes.ts';

const WRITES = Number(process.env['WRITES'] ?? 20);
const SEEDS = Number(process.env['WRITE_SEEDS'] ?? 1);
const MEGABYTE = 1 << 20;

let world: StatusService;
let caching: readonly Server[];
let uncached: Server;
beforeEach(async () => {
  world = await serveStatuses();
  caching = [await startServer(world, 4 * MEGABYTE), await startServer(world, 4 * MEGABYTE)];
  uncached = await startServer(world, 0);
});
afterEach(async () => {
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
  'DepartureDateTime=2026-06-01/2026-06-03&AircraftRegistrationNumber=GZX1&Content=Status',
  'DepartureDateTime=2026-06-01/2026-06-03&Content=StatusHistory',
  'DepartureDateTime=2026-06-01/2026-06-03&FlightType=GA',
].map((query) => `/flight-instances?version=v2&Limit=7&${query}`);

const unscheduledFlight = [
  { carrier: 'XX', flightNumber: 700, originDate: '2026-06-02', departureAirport: 'LHR', arrivalAirport: 'CDG' },
  [
    '2026-05-31T00:01:00Z',
    {
      plan: {
        flightType: 'GA',
        departs: { airport: 'LHR', at: '2026-06-02T04:00:00Z' },
        arrives: { airport: 'CDG', at: '2026-06-02T05:00:00Z' },
      },
    },
  ],
] as const;

const fetchText = async ({ get }: Server, path: string): Promise<string> => {
  const response = await get(path);
  return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
};

/** Lists the responses of caching servers that differ from the uncached one after each write. */
const listStale = async (seed: number, writes: number): Promise<readonly string[]> => {
  const next = randomWrites({ world, db: world.db, random: createRandom(seed) });
  const stale: string[] = [];
  for (let written = 0; written < writes; written += 1) {
    const { name, run } = next();
    await run();
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
  for (let seed = 1; seed <= SEEDS; seed += 1) expect(await listStale(seed, WRITES)).toEqual([]);
  const counts = caching.map(({ counts: { hit, miss } }) => hit / (hit + miss));
  console.log(
    `pages that were kept and given again after ${SEEDS} x ${WRITES} writes: ${counts.map((share) => share.toFixed(2)).join(', ')} of all`,
  );
  // With fewer hits the test would prove nothing.
  for (const share of counts) expect(share).toBeGreaterThan(0.25);
});

/** Writes that one trigger reports, and a page that each affects. */
const triggers: readonly (readonly [
  table: string,
  trigger: string,
  path: string | undefined,
  write: () => Promise<void>,
])[] = [
  [
    'flight_status',
    'page_updated',
    queries[1],
    () => world.report(xx101(), ['2026-05-31T00:01:00Z', { departure: { gate: 'A1' } }]),
  ],
  ['flight_instance', 'page_inserted', queries[3], () => world.report(...unscheduledFlight)],
  [
    'expanded_day',
    'page_updated',
    queries[3],
    async () => void (await publishText(world.db, schedule.replaceAll('1100', '1130'))),
  ],
];

test('the test detects a write without its trigger', { timeout: 60_000 }, async () => {
  const [server = uncached] = caching;
  // The first message of a flight inserts its status, which another trigger reports.
  await world.report(xx101(), ['2026-05-31T00:00:00Z', { departure: { gate: 'A0' } }]);
  for (const [table, trigger, path = '', write] of triggers) {
    for (let times = 0; times < 3; times += 1) await fetchText(server, path);
    await world.db.unsafe(`alter table ${table} disable trigger ${trigger}`);
    await write();
    expect([table, (await fetchText(server, path)) === (await fetchText(uncached, path))]).toEqual([table, false]);
    await world.db.unsafe(`alter table ${table} enable trigger ${trigger}`);
  }
});
