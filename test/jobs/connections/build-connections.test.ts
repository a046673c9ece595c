import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getConnectionDetails } from '../../../src/domain/connections/search/connection-details.ts';
import { CONNECTION_SET_FORMAT } from '../../../src/domain/connections/set/connection-set-data.ts';
import type { ConnectionSet } from '../../../src/domain/connections/set/connection-set.ts';
import { createConnectionSearch } from '../../../src/domain/connections/search/connection-search.ts';
import { formatDate, localDate } from '../../../src/domain/time/dates.ts';
import { upsertCarriers } from '../../../src/store/master-data/carriers.ts';
import { listNewestSnapshots } from '../../../src/store/connections/connection-snapshots.ts';
import { openDatabase, type Database } from '../../../src/store/pool/database.ts';
import {
  isConnectionsBuildDue,
  buildConnections,
  buildConnectionsIfDue,
  type ConnectionsBuildResult,
  type ConnectionsBuildOptions,
} from '../../../src/jobs/connections/build-connections.ts';
import { watchConnections, type ConnectionsWatch } from '../../../src/jobs/connections/watch-connections.ts';
import { fileOf, leg, secondLeg, segment } from '../../feeds/ssim/build-file.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData } from '../../support/tiny-world.ts';
import { flown } from './flights.ts';

let fresh: FreshDatabase;
let db: Database;
let watches: ConnectionsWatch[];
let errors: unknown[];
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.sql;
  watches = [];
  errors = [];
  await saveTinyMasterData(db);
});
afterEach(async () => {
  for (const watch of watches) await watch.stop();
  await fresh.drop();
});

const publish = (...records: readonly string[]) => publishText(db, fileOf(...records), { horizonDays: 1 });
const at = (day: string): Date => new Date(`${day}T12:00:00Z`);
const june = (day: number): Date => at(`2026-06-${String(day).padStart(2, '0')}`);

const build = async (wanted: Partial<ConnectionsBuildOptions> = {}): Promise<ConnectionsBuildResult> => {
  const built = await buildConnections(db, { builtAt: june(2), ...wanted });
  if (built === undefined) throw new Error('somebody else builds');
  return built;
};
const watch = async (pollMs = 60_000): Promise<ConnectionsWatch> => {
  const watching = await watchConnections(db, { clock: () => june(3), onError: (error) => errors.push(error), pollMs });
  watches.push(watching);
  return watching;
};

/** `XX101+XX102 60`, in listing order. */
const connectionsOf = (set: ConnectionSet | undefined): readonly string[] => {
  if (!set) return [];
  const walk = createConnectionSearch(set, {}, { limit: 100, count: false });
  while (!walk.advance(1000));
  return walk.matches().map((found) => {
    const { leg1, leg2, minutes, dates } = getConnectionDetails(set, found);
    const [one, two] = [leg1.flight, leg2.flight];
    const days = [dates.at(0), dates.at(-1)].map((date) => (date === undefined ? '' : formatDate(date)));
    return `${one.carrier}${one.flightNumber}+${two.carrier}${two.flightNumber} ${minutes} ${days.join('/')}`;
  });
};

const toJfk = flown('101 LHR 1100 JFK 1400');
const toLax = flown('102 JFK 1600 LAX 1900');
const toLaxLater = flown('103 JFK 1800 LAX 2100');

describe('a build of connections', () => {
  test('counts what takes part, what does not, and what became of each pair', async () => {
    await publish(
      toJfk,
      toLax,
      // An hour after an arrival from abroad is too short for a flight within the country.
      flown('104 JFK 1500 LAX 1800'),
      // Nobody can book a positioning flight.
      flown('105 LHR 0900 JFK 1200', { 14: 'P' }),
      // The whole of it leads nowhere.
      flown('106 LIS 0900 OPO 1000'),
      flown('106 OPO 1100 LIS 1200', { 12: '02' }),
      // On Mondays it leads back to where the others come from.
      flown('107 LAX 2100 JFK 0530', { 29: '1      ', 193: '01' }),
    );
    const { id, bytes, storedBytes, ...report } = await build();
    expect(report).toEqual({
      from: '2026-06-01',
      days: 365,
      defaults: { DD: 30, DI: 60, ID: 90, II: 90, interAirport: 240 },
      itineraries: 6,
      flights: 6,
      records: 6,
      leftOut: { 'service-type': 1, 'same-airport': 1, 'incomplete-itinerary': 0 },
      // 101+102, 101+104; 102 and 104 with 107, both ways; 106 with itself, both ways.
      looked: 8,
      built: 1,
      refused: {
        service: 0,
        'same-flight': 2,
        'connection-point': 0,
        position: 0,
        circuity: 4,
        codeshare: 0,
        partners: 0,
        'traffic-restriction': 0,
        suppressed: 0,
        'minimum-connecting-time': 1,
        'maximum-connecting-time': 0,
      },
    });
    const [kept] = await db<{ report: object }[]>`select report from connection_snapshot where id = ${id}`;
    expect(kept).toEqual({ report });
    const [size] = await db<{ bytes: number }[]>`
      select sum(length(content))::int as bytes from connection_snapshot_part where snapshot_id = ${id}`;
    expect(size).toEqual({ bytes: storedBytes });
    expect(bytes).toBeGreaterThan(storedBytes);
  });

  test('holds the departures of its days alone, from the day before it is built unless told otherwise', async () => {
    await publish(toJfk, toLax);
    await build();
    const watching = await watch();
    expect(connectionsOf(watching.current()?.set)).toEqual(['XX101+XX102 120 2026-06-01/2026-06-30']);
    await build({ from: localDate('2026-06-10'), days: 3 });
    await watching.refresh();
    expect(connectionsOf(watching.current()?.set)).toEqual(['XX101+XX102 120 2026-06-10/2026-06-12']);
  });

  test('takes the minimum connecting times it is told where no record applies, and so does the next one', async () => {
    await publish(toJfk, toLax);
    expect(await build({ defaults: { ID: 121 } })).toMatchObject({ built: 0, defaults: { DD: 30, ID: 121 } });
    expect(await build()).toMatchObject({ built: 0, defaults: { DD: 30, ID: 121 } });
    expect(await build({ defaults: { DD: 20, ID: 120 } })).toMatchObject({ built: 1, defaults: { DD: 20, ID: 120 } });
  });

  test('gives every record the fingerprint that Schedules has for it', async () => {
    await publish(leg(), secondLeg(), leg({ 10: '02' }), secondLeg({ 10: '02' }), toLax);
    await build();
    const { set } = (await watch()).current() ?? {};
    const { reader, size = 0 } = set ?? {};
    const shown = Array.from({ length: size }, (_, number) => reader?.recordAt(number).fingerprint ?? '');
    const rows = await db<{ fingerprint: string }[]>`
      select encode(fingerprint, 'hex') as fingerprint from schedule_document order by 1`;
    expect(shown.toSorted()).toEqual(rows.map(({ fingerprint }) => fingerprint));
    expect(new Set(shown).size).toBe(7);
  });

  test('knows which carriers work together, by alliance and by the flights they sell for each other', async () => {
    const membership = { alliance: 'Sky', type: 'Member', from: '', to: '' };
    await upsertCarriers(db, [{ iata: 'ZZ', icao: 'ZZC', name: 'Zephyr', rank: 1 }]);
    await db`update carrier set facts = ${JSON.stringify({ memberships: [membership] })}::text::jsonb where iata in ('XX', 'ZZ')`;
    await publish(
      toJfk,
      leg(),
      segment(10, 'YY 4101 /WW 0001 '),
      flown('108 LHR 0800 JFK 1100', { 129: 'ZZ', 149: 'L' }),
    );
    await build();
    expect((await watch()).current()?.set.header.cooperation).toEqual({
      partners: [],
      alliances: { XX: 'Sky', XXA: 'Sky', ZZ: 'Sky', ZZC: 'Sky' },
      codeshares: [
        ['YY', 'XX'],
        ['WW', 'XX'],
        ['XX', 'ZZ'],
      ],
    });
  });

  test('is the same set twice from the same data', async () => {
    await publish(toJfk, toLax);
    const parts = async (id: number) =>
      db`select number, content from connection_snapshot_part where snapshot_id = ${id} order by number`;
    const [one, other] = [await build(), await build({ builtAt: june(2) })];
    expect(await parts(other.id)).toEqual(await parts(one.id));
  });

  test('that is stopped half-way leaves the one before', async () => {
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

  test('that loses its connection half-way leaves the one before', async () => {
    await publish(toJfk, toLax);
    const first = await build();
    // The set cannot be written while somebody holds its table: the build waits there, and is cut off.
    const holder = await db.reserve();
    await holder`begin`;
    await holder`lock table connection_snapshot in share mode`;
    const cutOff = async (): Promise<number> => {
      const { count } = await db`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%connection_snapshot%'`;
      return count;
    };
    const ending = Promise.allSettled([build()]);
    await expect.poll(cutOff, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await ending).toMatchObject([{ reason: { code: expect.stringMatching(/CONNECTION_|57P01/) } }]);
    await holder`rollback`;
    holder.release();
    expect((await listNewestSnapshots(db, CONNECTION_SET_FORMAT)).map(({ id }) => id)).toEqual([first.id]);
    expect((await build()).id).toBeGreaterThan(first.id);
  });

  test('may think for longer than the database lets a transaction idle', async () => {
    await publish(toJfk, toLax);
    const [row] = await db<{ name: string }[]>`select current_database() as name`;
    await db`alter database ${db(row?.name ?? '')} set idle_in_transaction_session_timeout = '50ms'`;
    const later = openDatabase({ url: fresh.url, applicationName: 'test', max: 3 });
    const onProgress = (step: string): void => {
      if (step === 'write') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    };
    try {
      expect(await buildConnections(later, { builtAt: june(2), onProgress })).toMatchObject({ built: 1 });
    } finally {
      await later.end();
    }
  });

  test('is refused while another one is under way', async () => {
    await publish(toJfk, toLax);
    let second: Promise<ConnectionsBuildResult | undefined> | undefined;
    let refused = false;
    const onProgress = (): void => {
      second ??= buildConnections(db, { builtAt: june(2) }).then((built) => {
        refused = built === undefined;
        return built;
      });
    };
    const first = await build({ onProgress });
    expect([await second, refused]).toEqual([undefined, true]);
    expect((await listNewestSnapshots(db, CONNECTION_SET_FORMAT)).map(({ id }) => id)).toEqual([first.id]);
  });

  test('keeps the set before it, and none older', async () => {
    await publish(toJfk, toLax);
    const ids = [await build(), await build(), await build()].map(({ id }) => id);
    expect((await listNewestSnapshots(db, CONNECTION_SET_FORMAT)).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const parts = await db<
      { id: number }[]
    >`select distinct snapshot_id as id from connection_snapshot_part order by 1`;
    expect(parts.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
  });

  test('leaves sets of another version of the program for two weeks', async () => {
    const others = async (): Promise<readonly string[]> =>
      (
        await db<{ day: string }[]>`
          select to_char(built_at, 'MM-DD') as day from connection_snapshot where format = 999 order by 1`
      ).map(({ day }) => day);
    for (const day of ['2026-05-18', '2026-05-20', '2026-06-01'])
      await db`
        insert into connection_snapshot (format, from_date, days, built_at, header, report)
        values (999, ${day}, 365, ${at(day)}, '', '{}')`;
    await build();
    expect(await others()).toEqual(['05-20', '06-01']);
    await build({ builtAt: june(10) });
    expect(await others()).toEqual(['06-01']);
  });
});

describe('a set of connections is due', () => {
  test('when there is none, and a week after it was built', async () => {
    await publish(toJfk, toLax);
    expect(await isConnectionsBuildDue(db, june(2))).toBe(true);
    expect(await buildConnectionsIfDue(db, { builtAt: june(2) })).toMatchObject({ built: 1 });
    expect(await buildConnectionsIfDue(db, { builtAt: new Date('2026-06-09T11:59:59Z') })).toBeUndefined();
    expect(await buildConnectionsIfDue(db, { builtAt: june(9) })).toMatchObject({ from: '2026-06-08' });
  });

  test('when the clock was set back by a week or more', async () => {
    await build();
    expect(await isConnectionsBuildDue(db, at('2026-05-27'))).toBe(false);
    expect(await isConnectionsBuildDue(db, at('2026-05-26'))).toBe(true);
  });

  test('when it is of a time without schedules, and there are some now', async () => {
    await build();
    expect(await isConnectionsBuildDue(db, june(2))).toBe(false);
    await publish(toJfk, toLax);
    expect(await isConnectionsBuildDue(db, june(2))).toBe(true);
  });

  test('not again and again, when nothing of the schedules in force can be in it', async () => {
    // A flight that nobody can book, and a season that is over.
    await publish(
      flown('105 LHR 0900 JFK 1200', { 14: 'P' }),
      flown('102 JFK 1600 LAX 1900', { 15: '01MAR26', 22: '31MAR26' }),
    );
    expect(await build()).toMatchObject({ itineraries: 1, records: 0 });
    expect(await isConnectionsBuildDue(db, june(2))).toBe(false);
    await publish(flown('105 LHR 0900 JFK 1200', { 14: 'P' }), toJfk);
    expect(await isConnectionsBuildDue(db, june(2))).toBe(true);
  });

  test('when there are only sets that this version of the program does not read', async () => {
    await build();
    await db`update connection_snapshot set format = 999`;
    expect(await isConnectionsBuildDue(db, june(2))).toBe(true);
    expect((await watch()).current()).toBeUndefined();
  });
});

describe('servers', () => {
  test('take up a new set when it is announced, all the same one, and keep the one before', async () => {
    await publish(toJfk, toLax);
    const [one, other] = [await watch(), await watch()];
    expect([one.current(), other.current()]).toEqual([undefined, undefined]);
    const first = await build();
    await expect.poll(() => [one.current()?.id, other.current()?.id]).toEqual([first.id, first.id]);
    await publish(toJfk, toLax, toLaxLater);
    const second = await build({ builtAt: june(3) });
    await expect.poll(() => [one.current()?.id, other.current()?.id]).toEqual([second.id, second.id]);
    for (const { current, find } of [one, other]) {
      expect(current()).toMatchObject({ id: second.id, builtAt: june(3), loadedAt: june(3) });
      expect(connectionsOf(current()?.set)).toEqual([
        'XX101+XX102 120 2026-06-02/2026-06-30',
        'XX101+XX103 240 2026-06-02/2026-06-30',
      ]);
      expect(find(second.id)).toBe(current());
      expect(connectionsOf(find(first.id)?.set)).toEqual(['XX101+XX102 120 2026-06-01/2026-06-30']);
      expect(find(first.id - 1)).toBeUndefined();
    }
    expect(errors).toEqual([]);
  });

  test('end a walk in the set it began in, whatever is built meanwhile', async () => {
    await publish(toJfk, toLax, toLaxLater);
    const watching = await watch();
    await build();
    await watching.refresh();
    const { set, id = 0 } = watching.current() ?? {};
    if (!set) throw new Error('no set');
    const page = (after?: { leg1: number; leg2: number; minutes: number; rule: number }) => {
      const from = watching.find(id)?.set ?? set;
      const walk = createConnectionSearch(from, {}, { after, limit: 1, count: false });
      while (!walk.advance(1));
      return walk.matches();
    };
    const [first] = page();
    await publish(flown('900 LIS 0900 OPO 1000'));
    await build();
    await watching.refresh();
    expect(connectionsOf(watching.current()?.set)).toEqual([]);
    expect(page(first?.position).map((found) => getConnectionDetails(set, found).leg2.flight.flightNumber)).toEqual([
      103,
    ]);
  });

  test('that start later have the set before as well', async () => {
    await publish(toJfk, toLax);
    const [first, second] = [await build(), await build()];
    const { current, find } = await watch();
    expect(current()?.id).toBe(second.id);
    await expect.poll(() => find(first.id)?.id).toBe(first.id);
  });

  test('find what was announced while they had lost the database', async () => {
    await publish(toJfk, toLax);
    const first = await build();
    const { current } = await watch();
    const lost = await db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`;
    expect([lost.length, current()?.id]).toEqual([1, first.id]);
    const second = await build();
    await expect.poll(() => current()?.id, { timeout: 60_000 }).toBe(second.id);
  });

  test('find a set that nobody announced to them, also after one that cannot be read', async () => {
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
});
