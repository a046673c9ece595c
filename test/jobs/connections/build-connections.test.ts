import { expect, test } from 'vitest';
import { getConnectionDetails } from '#domain/connections/search/connection-details.ts';
import { CONNECTION_SET_FORMAT } from '#domain/connections/set/connection-set-data.ts';
import type { ConnectionSet } from '#domain/connections/set/connection-set.ts';
import { createConnectionSearch } from '#domain/connections/search/connection-search.ts';
import { formatDate, localDate } from '#domain/time/dates.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { listNewestSnapshots, tryLockConnections } from '#store/connections/connection-snapshots.ts';
import { openDatabase } from '#store/pool/database.ts';
import * as job from '#jobs/connections/build-connections.ts';
import { buildConnections, buildConnectionsIfDue } from '#jobs/connections/build-connections.ts';
import type { ConnectionsBuildOptions as Options } from '#jobs/connections/build-connections.ts';
import { watchConnections, type ConnectionsWatch } from '#jobs/connections/watch-connections.ts';
import { buildFile, buildLeg, buildSecondLeg, buildSegment } from '#test/feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { clearSchedules } from '../expand/schedule-events/stored-schedule.ts';
import { buildFlownLeg } from './flown-leg.ts';
import { db, fresh, stops, useDatabase } from '../job-database.ts';

let errors: unknown[];
useDatabase({
  prepare: saveTinyMasterData,
  reset: async (sql) => {
    errors = [];
    await clearSchedules(sql);
    await sql`truncate connection_snapshot cascade`;
  },
});

const publish = (...records: readonly string[]) => publishText(db, buildFile(...records), { horizonDays: 1 });
const at = (day: string): Date => new Date(`${day}T12:00:00Z`);
const june = (day: number): Date => at(`2026-06-${String(day).padStart(2, '0')}`);

const build = async (options: Partial<Options> = {}): Promise<job.ConnectionsBuildResult> => {
  const built = await buildConnections(db, { builtAt: june(2), ...options });
  if (built === undefined) throw new Error('another build is running');
  return built;
};
const isDue = (now: Date): Promise<boolean> => job.isConnectionsBuildDue(db, now);
const listIds = async () => (await listNewestSnapshots(db, CONNECTION_SET_FORMAT)).map(({ id }) => id);
const watch = async (pollMs = 60_000): Promise<ConnectionsWatch> => {
  const onError = (error: unknown) => errors.push(error);
  const connections = await watchConnections(db, { clock: () => june(3), onError, pollMs });
  stops.push(() => connections.stop());
  return connections;
};

/** `XX101+XX102 60`, in listing order. */
const connectionsOf = (set: ConnectionSet | undefined): readonly string[] => {
  if (!set) return [];
  const walk = createConnectionSearch(set, {}, { limit: 100, count: false });
  while (!walk.advance(1000));
  return walk.matches().map((match) => {
    const { leg1, leg2, minutes, dates } = getConnectionDetails(set, match);
    const [one, two] = [leg1.flight, leg2.flight];
    const days = [dates.at(0), dates.at(-1)].map((date) => (date === undefined ? '' : formatDate(date)));
    return `${one.carrier}${one.flightNumber}+${two.carrier}${two.flightNumber} ${minutes} ${days.join('/')}`;
  });
};

const toJfk = buildFlownLeg('101 LHR 1100 JFK 1400');
const toLax = buildFlownLeg('102 JFK 1600 LAX 1900');
const toLaxLater = buildFlownLeg('103 JFK 1800 LAX 2100');

const reasons =
  'service same-flight connection-point position circuity codeshare partners traffic-restriction suppressed ' +
  'minimum-connecting-time maximum-connecting-time';
const none = Object.fromEntries(reasons.split(' ').map((reason) => [reason, 0]));

test('a build of connections counts included and excluded flights, and the result of each pair', async () => {
  await publish(
    toJfk,
    toLax,
    // An hour after an arrival from abroad is too short for a flight within the country.
    buildFlownLeg('104 JFK 1500 LAX 1800'),
    // Positioning flights cannot be booked.
    buildFlownLeg('105 LHR 0900 JFK 1200', { 14: 'P' }),
    // The whole flight ends where it begins.
    buildFlownLeg('106 LIS 0900 OPO 1000'),
    buildFlownLeg('106 OPO 1100 LIS 1200', { 12: '02' }),
    // On Mondays it returns to the origin of the others.
    buildFlownLeg('107 LAX 2100 JFK 0530', { 29: '1      ', 193: '01' }),
  );
  const { id, bytes, storedBytes, ...report } = await build();
  expect(report).toEqual({
    from: '2026-06-01',
    days: 365,
    defaults: { DD: 30, DI: 60, ID: 90, II: 90, interAirport: 240 },
    itineraries: 6,
    flights: 6,
    records: 6,
    excluded: { 'service-type': 1, 'same-airport': 1, 'incomplete-itinerary': 0 },
    // 101+102, 101+104; 102 and 104 with 107, both ways; 106 with itself, both ways.
    candidates: 8,
    built: 1,
    rejected: { ...none, 'same-flight': 2, circuity: 4, 'minimum-connecting-time': 1 },
  });
  const [stored] = await db<{ report: object }[]>`select report from connection_snapshot where id = ${id}`;
  expect(stored).toEqual({ report });
  const [size] = await db<{ bytes: number }[]>`
    select sum(length(content))::int as bytes from connection_snapshot_part where snapshot_id = ${id}`;
  expect(size).toEqual({ bytes: storedBytes });
  expect(bytes).toBeGreaterThan(storedBytes);
});

test('a build of connections contains the departures of its days only, by default from the day before the build', async () => {
  await publish(toJfk, toLax);
  await build();
  const connections = await watch();
  expect(connectionsOf(connections.current()?.set)).toEqual(['XX101+XX102 120 2026-06-01/2026-06-30']);
  await build({ from: localDate('2026-06-10'), days: 3 });
  await connections.refresh();
  expect(connectionsOf(connections.current()?.set)).toEqual(['XX101+XX102 120 2026-06-10/2026-06-12']);
});

test('a build of connections uses the given default minimum connecting times, and the next build does too', async () => {
  await publish(toJfk, toLax);
  expect(await build({ defaults: { ID: 121 } })).toMatchObject({ built: 0, defaults: { DD: 30, ID: 121 } });
  expect(await build()).toMatchObject({ built: 0, defaults: { DD: 30, ID: 121 } });
  expect(await build({ defaults: { DD: 20, ID: 120 } })).toMatchObject({ built: 1, defaults: { DD: 20, ID: 120 } });
});

test('a build of connections gives every record the fingerprint of the same record in Schedules', async () => {
  // The pairs of stations of two of three legs have no record of their own.
  const third = buildFlownLeg('101 LAX 2000 SFO 2130', { 12: '03', 48: '-0700', 66: '-0700' });
  await publish(buildLeg(), buildSecondLeg(), third, buildLeg({ 10: '02' }), buildSecondLeg({ 10: '02' }), toLax);
  await build();
  const { set } = (await watch()).current() ?? {};
  const { reader, size = 0 } = set ?? {};
  const fingerprints = Array.from({ length: size }, (_, number) => reader?.recordAt(number).fingerprint ?? '');
  const rows = await db<{ fingerprint: string }[]>`
    select encode(fingerprint, 'hex') as fingerprint from schedule_document order by 1`;
  expect(fingerprints.filter((text) => text !== '').toSorted()).toEqual(rows.map(({ fingerprint }) => fingerprint));
  expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(8);
});

test('a build of connections includes cooperation of carriers by alliance and by codeshares', async () => {
  const facts = JSON.stringify({ memberships: [{ alliance: 'Sky', type: 'Member', from: '', to: '' }] });
  await upsertCarriers(db, [{ iata: 'ZZ', icao: 'ZZC', name: 'Zephyr', rank: 1 }]);
  await db`update carrier set facts = ${facts}::text::jsonb where iata in ('XX', 'ZZ')`;
  const sold = buildFlownLeg('108 LHR 0800 JFK 1100', { 129: 'ZZ', 149: 'L' });
  await publish(toJfk, buildLeg(), buildSegment(10, 'YY 4101 /WW 0001 '), sold);
  await build();
  expect((await watch()).current()?.set.header.cooperation).toEqual({
    partners: [],
    alliances: { XX: 'Sky', ZZ: 'Sky' },
    codeshares: [
      ['YY', 'XX'],
      ['WW', 'XX'],
      ['XX', 'ZZ'],
    ],
  });
});

test('a build of connections gives the same set from the same data', async () => {
  await publish(toJfk, toLax);
  const parts = async (id: number) =>
    db`select number, content from connection_snapshot_part where snapshot_id = ${id} order by number`;
  const [one, other] = [await build(), await build({ builtAt: june(2) })];
  expect(await parts(other.id)).toEqual(await parts(one.id));
});

test('a build of connections keeps the previous set when it is aborted', async () => {
  await publish(toJfk, toLax);
  const first = await build();
  const stopping = new AbortController();
  const onProgress = (step: string): void => {
    if (step === 'write') stopping.abort(new Error('enough'));
  };
  await expect(build({ signal: stopping.signal, onProgress })).rejects.toThrow('enough');
  expect(await listNewestSnapshots(db, CONNECTION_SET_FORMAT)).toEqual([
    { id: first.id, builtAt: june(2), records: 2, itineraries: 2 },
  ]);
  expect((await build()).id).toBeGreaterThan(first.id);
});

test('a build of connections may compute for longer than the idle-in-transaction timeout', async () => {
  await publish(toJfk, toLax);
  const [row] = await db<{ name: string }[]>`select current_database() as name`;
  await db`alter database ${db(row?.name ?? '')} set idle_in_transaction_session_timeout = '30ms'`;
  const later = openDatabase({ url: fresh.url, applicationName: 'test', max: 3 });
  const onProgress = (step: string): void => {
    if (step === 'write') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  };
  expect(await buildConnections(later, { builtAt: june(2), onProgress })).toMatchObject({ built: 1 });
  await later.end();
  await db`alter database ${db(row?.name ?? '')} reset idle_in_transaction_session_timeout`;
});

test('a build of connections is skipped while another connection holds the lock of builds', async () => {
  await db.begin(async (sql) => {
    expect(await tryLockConnections(sql)).toBe(true);
    expect(await buildConnections(db, { builtAt: june(2) })).toBeUndefined();
  });
  expect([await listIds(), (await build()).id > 0]).toEqual([[], true]);
});

test('a build of connections keeps the previous set and no older ones', async () => {
  await publish(toJfk, toLax);
  const ids = [await build(), await build(), await build()].map(({ id }) => id);
  expect(await listIds()).toEqual([ids[2], ids[1]]);
  const parts = await db`select distinct snapshot_id as id from connection_snapshot_part order by 1`;
  expect([...parts]).toEqual([{ id: ids[1] }, { id: ids[2] }]);
});

test('a build of connections keeps sets of other program versions for two weeks', async () => {
  const others = async (): Promise<readonly string[]> => {
    const rows = await db<{ day: string }[]>`
      select to_char(built_at, 'MM-DD') as day from connection_snapshot where format = 999 order by 1`;
    return rows.map(({ day }) => day);
  };
  for (const day of ['2026-05-18', '2026-05-20', '2026-06-01'])
    await db`
      insert into connection_snapshot (format, from_date, days, built_at, header, report)
      values (999, ${day}, 365, ${at(day)}, '', '{}')`;
  await build();
  expect(await others()).toEqual(['05-20', '06-01']);
  await build({ builtAt: june(10) });
  expect(await others()).toEqual(['06-01']);
});

test('a build is due when there is none, and a week after it was built', async () => {
  await publish(toJfk, toLax);
  expect(await isDue(june(2))).toBe(true);
  expect(await buildConnectionsIfDue(db, { builtAt: june(2) })).toMatchObject({ built: 1 });
  expect(await buildConnectionsIfDue(db, { builtAt: new Date('2026-06-09T11:59:59Z') })).toBeUndefined();
  expect(await buildConnectionsIfDue(db, { builtAt: june(9) })).toMatchObject({ from: '2026-06-08' });
});

test('a build is due when the clock was set back by a week or more', async () => {
  await build();
  expect(await isDue(at('2026-05-27'))).toBe(false);
  expect(await isDue(at('2026-05-26'))).toBe(true);
});

test('a build is due when the set is from a time without schedules, and there are some now', async () => {
  await build();
  expect(await isDue(june(2))).toBe(false);
  await publish(toJfk, toLax);
  expect(await isDue(june(2))).toBe(true);
});

test('a build is not repeated when the schedules in force have no flight for the set', async () => {
  // A flight that cannot be booked, and a past season.
  const unbookable = buildFlownLeg('105 LHR 0900 JFK 1200', { 14: 'P' });
  await publish(unbookable, buildFlownLeg('102 JFK 1600 LAX 1900', { 15: '01MAR26', 22: '31MAR26' }));
  expect(await build()).toMatchObject({ itineraries: 1, records: 0 });
  expect(await isDue(june(2))).toBe(false);
  await publish(unbookable, toJfk);
  expect(await isDue(june(2))).toBe(true);
});

test('a build is due when all sets have the format of another program version', async () => {
  await build();
  await db`update connection_snapshot set format = 999`;
  expect(await isDue(june(2))).toBe(true);
  expect((await watch()).current()).toBeUndefined();
});

test('servers load a new set on its notification, and keep the previous one', async () => {
  await publish(toJfk, toLax);
  const { current, find } = await watch();
  expect(current()).toBeUndefined();
  const first = await build();
  await expect.poll(() => current()?.id).toBe(first.id);
  await publish(toJfk, toLax, toLaxLater);
  const second = await build({ builtAt: june(3) });
  await expect.poll(() => current()?.id).toBe(second.id);
  expect(current()).toMatchObject({ id: second.id, builtAt: june(3), loadedAt: june(3) });
  expect(connectionsOf(current()?.set)).toEqual([
    'XX101+XX102 120 2026-06-02/2026-06-30',
    'XX101+XX103 240 2026-06-02/2026-06-30',
  ]);
  expect([find(second.id), find(first.id - 1), errors]).toEqual([current(), undefined, []]);
  expect(connectionsOf(find(first.id)?.set)).toEqual(['XX101+XX102 120 2026-06-01/2026-06-30']);
  // A server that starts later loads the previous set as well.
  const later = await watch();
  expect(later.current()?.id).toBe(second.id);
  await expect.poll(() => later.find(first.id)?.id).toBe(first.id);
});
test('servers find a set without a notification, also after an unreadable one', async () => {
  await publish(toJfk, toLax);
  const built = await build();
  const { current } = await watch(5);
  const columns = db`format, from_date, days, built_at`;
  await db`
    insert into connection_snapshot (format, from_date, days, built_at, header, report)
    select ${columns}, 'spoilt', report from connection_snapshot`;
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  expect([current()?.id, String(errors[0])]).toEqual([built.id, expect.stringContaining('spoilt')]);
  const [copy] = await db<{ id: number }[]>`
    insert into connection_snapshot (format, from_date, days, built_at, header, report)
    select ${columns}, header, report from connection_snapshot where id = ${built.id} returning id`;
  await db`
    insert into connection_snapshot_part
    select ${copy?.id ?? 0}, number, content from connection_snapshot_part where snapshot_id = ${built.id}`;
  await expect.poll(() => current()?.id).toBe(copy?.id);
  expect(connectionsOf(current()?.set)).toEqual(['XX101+XX102 120 2026-06-01/2026-06-30']);
});
