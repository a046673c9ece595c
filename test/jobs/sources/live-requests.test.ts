import { beforeEach, expect, test } from 'vitest';
import { countRequestsPerHour, parseFollowedSources, planRequests } from '#jobs/sources/live-registry.ts';
import { startReplayServer, type ReplayAnswer } from '#test/support/sources/replay-server.ts';
import { writeAvinor, writeHkia } from '#test/feeds/live/live-inputs.ts';
import { db, useDatabase } from '../job-database.ts';
import {
  createFollower,
  followUntil,
  readIndex,
  saveLiveMasterData,
  TestClock,
  type LiveTestWorld,
} from './live-world.ts';

const HOUR_MS = 3_600_000;
const START = '2026-10-07T12:00:00.000Z';
const AIRPORTS = 'avinor:OSL,BGO,TRD,BOO,TOS,SVG,KRS,AES hkia';

const clock = new TestClock(START);
const replay = await startReplayServer(clock.get);
let world: LiveTestWorld;

useDatabase({
  prepare: async (sql) => saveLiveMasterData(sql),
  reset: async (sql) => {
    await sql`truncate live_request, live_row, live_count`;
    await sql`update live_follower set worker = null, claimed_until = null`;
  },
});

/** An answer without rows, as each source has it. */
const answerEmpty = (url: URL): ReplayAnswer => {
  const airport = url.searchParams.get('airport');
  if (airport !== null) return { body: writeAvinor(airport, [], { lastUpdate: clock.get().toISOString() }) };
  const [arrival, cargo] = ['arrival', 'cargo'].map((name) => url.searchParams.get(name) === 'true');
  return {
    body: writeHkia({ [url.searchParams.get('date') ?? '']: [] }, { arrival: arrival === true, cargo: cargo === true }),
  };
};

beforeEach(async () => {
  clock.set(START);
  replay.requests.length = 0;
  replay.respond = answerEmpty;
  world = { db, clock, replay, masterDataIndex: await readIndex(db) };
});

const countByHost = (fromMs = 0): Readonly<Record<string, number>> => {
  const hosts = replay.requests.filter(({ at }) => at >= fromMs).map(({ url }) => url.pathname.split('/')[1] ?? '');
  return Object.fromEntries([...Map.groupBy(hosts, (host) => host)].map(([host, all]) => [host, all.length]));
};
const [avinor, hkia] = ['asrv.avinor.no', 'www.hongkongairport.com'];
const limits = Object.fromEntries(
  parseFollowedSources(AIRPORTS).map((one) => [one.source.name, countRequestsPerHour(planRequests(one))]),
);
const assertWithinLimits = (counts: Readonly<Record<string, number>>): void => {
  expect(counts[avinor]).toBeLessThanOrEqual(limits['avinor'] ?? 0);
  expect(counts[hkia]).toBeLessThanOrEqual(limits['hkia'] ?? 0);
};

/** The least time between two requests of one address, apart from the time of the last answer, milliseconds. */
const findLeastGap = (host: string): number => {
  const own = replay.requests.filter(({ url }) => url.pathname.includes(host));
  const keyOf = ({ url }: (typeof own)[number]): string => url.search.replace(/&lastUpdate=.*/, '');
  const gaps = [...Map.groupBy(own, keyOf).values()].flatMap((same) =>
    same.slice(1).map(({ at }, index) => at - (same[index]?.at ?? 0)),
  );
  return Math.min(...gaps);
};

test('in an hour, a source receives as many requests as the registry allows, and no airport more than one in 3 minutes', async () => {
  const follower = await createFollower(world, AIRPORTS);
  await followUntil(follower, clock, new Date(Date.parse(START) + HOUR_MS - 1));
  expect(countByHost()).toEqual({ [avinor]: 160, [hkia]: 92 });
  expect(limits).toEqual({ avinor: 160, hkia: 92 });
  expect([avinor, hkia].map((host) => findLeastGap(host ?? ''))).toEqual([180_000, 180_000]);
});

test('at the start, requests to a host follow one another with a pause', async () => {
  const follower = await createFollower(world, AIRPORTS);
  await follower.run();
  expect(countByHost()).toEqual({ [avinor]: 1, [hkia]: 1 });
  await followUntil(follower, clock, '2026-10-07T12:00:16Z');
  expect(countByHost()).toEqual({ [avinor]: 4, [hkia]: 4 });
});

test('100 restarts send no request more', async () => {
  for (let restart = 0; restart < 100; restart += 1) {
    const follower = await createFollower(world, AIRPORTS);
    await followUntil(follower, clock, new Date(clock.get().getTime() + 2000));
    await follower.close();
  }
  const byMinutes = countByHost();
  expect(byMinutes[avinor]).toBeLessThanOrEqual(16);
  expect([avinor, hkia].map((host) => findLeastGap(host ?? ''))).toEqual([
    expect.toSatisfy((gap: number) => gap >= 180_000),
    expect.toSatisfy((gap: number) => gap >= 180_000),
  ]);
});

test('with three servers one follows; if all believe that they do, a source still receives no request more', async () => {
  const [first, second] = await Promise.all([createFollower(world, 'hkia'), createFollower(world, 'hkia')]);
  expect([await first.run(), await second.run()]).toEqual([
    expect.objectContaining({ nextInMs: expect.any(Number) }),
    'standby',
  ]);
  await first.close();
  const servers = await Promise.all([1, 2, 3].map(() => createFollower(world, AIRPORTS, { leaseMs: 0 })));
  const end = clock.get().getTime() + HOUR_MS - 1;
  while (clock.get().getTime() < end) {
    await Promise.all(servers.map((server) => server.run()));
    clock.advance(2000);
  }
  assertWithinLimits(countByHost());
  expect(findLeastGap(avinor ?? '')).toBeGreaterThanOrEqual(180_000);
});

test.each([
  [429, { 'retry-after': '1800' }, 1800],
  [429, { 'retry-after': 'Wed, 07 Oct 2026 12:40:00 GMT' }, 2400],
  [403, {}, 360],
  [503, {}, 360],
])('after status %i with %j, the host receives nothing for %i s', async (status, headers, seconds) => {
  const follower = await createFollower(world, AIRPORTS);
  replay.respond = () => ({ status, headers });
  await followUntil(follower, clock, new Date(Date.parse(START) + seconds * 1000 - 1));
  expect(countByHost()).toEqual({ [avinor]: 1, [hkia]: 1 });
  await followUntil(follower, clock, new Date(Date.parse(START) + seconds * 1000 + 5000));
  expect(countByHost()).toEqual({ [avinor]: 2, [hkia]: 2 });
});

test('the pause doubles up to an hour, also over restarts, and ends with the first answer', async () => {
  replay.respond = () => ({ status: 403 });
  for (let restart = 0; restart < 12; restart += 1) {
    const follower = await createFollower(world, AIRPORTS);
    await followUntil(follower, clock, new Date(clock.get().getTime() + 1_500_000));
    await follower.close();
  }
  const times = replay.requests
    .filter(({ url }) => url.pathname.includes(avinor ?? ''))
    .map(({ at }) => Math.round((at - Date.parse(START)) / 60_000));
  expect(times).toEqual([0, 6, 18, 42, 90, 150, 210, 270]);
  replay.respond = answerEmpty;
  const follower = await createFollower(world, AIRPORTS);
  await followUntil(follower, clock, '2026-10-07T17:31:00Z');
  expect(countByHost(Date.parse('2026-10-07T17:29:00Z'))[avinor]).toBe(8);
});

test('all rows are requested every hour and after a gap, changes in between', async () => {
  const follower = await createFollower(world, 'avinor:OSL');
  await followUntil(follower, clock, '2026-10-07T13:01:00Z');
  const listChanges = () => replay.requests.map(({ url }) => url.searchParams.get('lastUpdate'));
  expect(listChanges()).toEqual([
    null,
    ...Array.from({ length: 19 }, (_, index) =>
      `2026-10-07T12:${String(index * 3).padStart(2, '0')}:00Z`
        .replace(/T12:(\d\d)/, (_all, minute: string) =>
          minute === '00' ? 'T11:59' : `T12:${String(Number(minute) - 1).padStart(2, '0')}`,
        )
        .replace(':00Z', ':50Z'),
    ),
    null,
  ]);
  replay.requests.length = 0;
  clock.set('2026-10-07T13:20:00Z');
  await follower.run();
  expect(listChanges()).toEqual([null]);
  expect(replay.requests[0]?.headers['user-agent']).toBe('flightdata/test (+ops@airline.example)');
});

test('an answer that is not modified is requested with its entity tag', async () => {
  const follower = await createFollower(world, 'hkia');
  replay.respond = (url, headers) =>
    headers['if-none-match'] === '"v1"' ? { status: 304 } : { ...answerEmpty(url), headers: { etag: '"v1"' } };
  await followUntil(follower, clock, '2026-10-07T12:04:00Z');
  const today = replay.requests.filter(
    ({ url }) => url.search.includes('2026-10-07') && url.search.includes('cargo=false&arrival=true'),
  );
  expect(today.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"']);
});

test('a source with a key sends it in its header, and nothing without it', async () => {
  const keys = { SWEDAVIA_KEY: 'secret' };
  replay.respond = () => ({ body: JSON.stringify({ flights: [], continuationtoken: 'a/b=' }) });
  await (await createFollower(world, 'swedavia:ARN,GOT')).run();
  expect(replay.requests).toEqual([]);
  clock.advance(HOUR_MS);
  await db`update live_follower set worker = null`;
  const follower = await createFollower(world, 'swedavia:ARN,GOT', { keys });
  await followUntil(follower, clock, new Date(clock.get().getTime() + 300_000));
  const [first, second] = replay.requests;
  expect(first?.headers['ocp-apim-subscription-key']).toBe('secret');
  expect(first?.url.searchParams.get('filter')).toBe(
    "(airport eq 'ARN' or airport eq 'GOT') and scheduled eq '2026-10-07'",
  );
  expect(second?.url.searchParams.get('continuationtoken')).toBe('a/b=');
});
