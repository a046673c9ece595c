/*
 * Two servers that keep pages against one that does not, while everything is written that can change what pages show. WRITES=1000 writes so
 * often, WRITE_SEEDS=20 from so many seeds.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishText } from '../../../support/tiny-world.ts';
import { serveObserved, xx101, type Observed } from '../v2/observed-world.ts';
import { schedule } from '../v2/world.ts';
import { serveAgain, type Server } from './caching-servers.ts';
import { randomFrom, randomWrites } from './random-writes.ts';

const WRITES = Number(process.env['WRITES'] ?? 20);
const SEEDS = Number(process.env['WRITE_SEEDS'] ?? 1);
const MEGABYTE = 1 << 20;

let world: Observed;
let keeping: readonly Server[];
let plain: Server;
beforeEach(async () => {
  world = await serveObserved();
  keeping = [await serveAgain(world, 4 * MEGABYTE), await serveAgain(world, 4 * MEGABYTE)];
  plain = await serveAgain(world, 0);
});
afterEach(async () => {
  for (const server of [...keeping, plain]) await server.stop();
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

const strayFlight = [
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

const answerOf = async ({ get }: Server, path: string): Promise<string> => {
  const response = await get(path);
  return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
};

/** How many answers of the servers that keep pages were not what is true after each write. */
const staleAnswers = async (seed: number, writes: number): Promise<readonly string[]> => {
  const next = randomWrites({ world, db: world.db, random: randomFrom(seed) });
  const stale: string[] = [];
  for (let written = 0; written < writes; written += 1) {
    const { name, run } = next();
    await run();
    // Codes mean what flights point at, and new ones may have come.
    if (/unscheduled|schedule/.test(name)) for (const server of [...keeping, plain]) await server.refresh();
    for (const path of queries) {
      const wanted = await answerOf(plain, path);
      for (const server of keeping)
        if ((await answerOf(server, path)) !== wanted) stale.push(`seed ${seed}, write ${written} (${name}): ${path}`);
    }
  }
  return stale;
};

test(
  'after every write every page of every server is as it would be if none were kept',
  { timeout: 600_000 },
  async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) expect(await staleAnswers(seed, WRITES)).toEqual([]);
    const counts = keeping.map(({ counts: { hit, miss } }) => hit / (hit + miss));
    console.log(
      `pages that were kept and given again after ${SEEDS} x ${WRITES} writes: ${counts.map((share) => share.toFixed(2)).join(', ')} of all`,
    );
    // Otherwise it shows nothing.
    for (const share of counts) expect(share).toBeGreaterThan(0.25);
  },
);

/** Writes of which one trigger tells, and a page that shows each. */
const told: readonly (readonly [
  table: string,
  trigger: string,
  path: string | undefined,
  write: () => Promise<void>,
])[] = [
  [
    'flight_status',
    'page_updated',
    queries[1],
    () => world.tell(xx101(), ['2026-05-31T00:01:00Z', { departure: { gate: 'A1' } }]),
  ],
  ['flight_instance', 'page_inserted', queries[3], () => world.tell(...strayFlight)],
  [
    'expanded_day',
    'page_updated',
    queries[3],
    async () => void (await publishText(world.db, schedule.replaceAll('1100', '1130'))),
  ],
];

test('a write that did not say what it changes would be found here', { timeout: 60_000 }, async () => {
  const [server = plain] = keeping;
  // The first message of a flight makes its status, and that is told by itself.
  await world.tell(xx101(), ['2026-05-31T00:00:00Z', { departure: { gate: 'A0' } }]);
  for (const [table, trigger, path = '', write] of told) {
    for (let times = 0; times < 3; times += 1) await answerOf(server, path);
    await world.db.unsafe(`alter table ${table} disable trigger ${trigger}`);
    await write();
    expect([table, (await answerOf(server, path)) === (await answerOf(plain, path))]).toEqual([table, false]);
    await world.db.unsafe(`alter table ${table} enable trigger ${trigger}`);
  }
});
