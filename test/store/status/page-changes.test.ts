import { afterAll, beforeEach, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { openDatabase } from '#store/pool/database.ts';
import { listPageChanges, prunePageChanges } from '#store/status/page-changes.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql: db, url } = await sharedDatabase();
// One connection, like that of a server.
const connection = openDatabase({ url, applicationName: 'flightdata-test', max: 1 });
afterAll(() => connection.end({ timeout: 1 }));
// Concurrent transactions of any database of the server would make pruned changes look unseen.
beforeEach(async () => {
  await db`delete from page_change`;
  await db`update page_change_end set xid = '0'`;
});

const changesSince = async (since: Parameters<typeof listPageChanges>[1]) =>
  (await listPageChanges(connection, since)).changes;

const day = localDate('2026-06-01');
const everything = [{ kind: 'all' }];
const dayChanged = [{ kind: 'day', day }];

const changeDay = () => db`
  insert into expanded_day (day) values ('2026-06-01') on conflict (day) do update set instances = expanded_day.instances + 1`;

test('the first call returns all, the next one the changes since; a transaction that starts before a call and commits after it is returned by the next call', async () => {
  const { now: start, changes } = await listPageChanges(connection, undefined);
  expect([changes, await changesSince(start)]).toEqual([everything, []]);
  const between = await db.begin(async (sql) => {
    await sql`insert into seat_prediction (carrier, flight_number, departure, arrival, seats, since) values (1, 1, 1, 2, '', '2026-06-01')`;
    await changeDay();
    return listPageChanges(connection, start);
  });
  expect(between.changes).toEqual(dayChanged);
  const after = await listPageChanges(connection, between.now);
  expect(after.changes).toEqual(everything);
  expect(await changesSince(after.now)).toEqual([]);
});

test('returns all when the missed changes have been pruned', async () => {
  const { now: start } = await listPageChanges(connection, undefined);
  await changeDay();
  const { now } = await listPageChanges(connection, start);
  // As if there were no concurrent ones, in any database of the server: they would delay it.
  const later = { ...now, xmin: now.xmax };
  await prunePageChanges(db, later);
  expect(await changesSince(start)).toEqual(everything);
  expect(await changesSince(later)).toEqual([]);
  expect(await db`select from page_change`).toEqual([]);
});

test('another server, or a restarted one, is not compared', async () => {
  const { now } = await listPageChanges(connection, undefined);
  expect(await changesSince({ ...now, serverId: 'another' })).toEqual(everything);
  expect(await changesSince({ ...now, xmax: now.xmax + 1000n })).toEqual(everything);
});

test('returns all after the loss of the connection, because the server may have restarted', async () => {
  const { now } = await listPageChanges(connection, undefined);
  expect(await changesSince(now)).toEqual([]);
  const [{ pid } = { pid: 0 }] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await db`select pg_terminate_backend(${pid}, 5000)`;
  // Two queries may fail: one that detects the loss, and the next one, which gets the last error of the old connection (README of the driver).
  const list = () => listPageChanges(connection, now);
  const after = await list().catch(list).catch(list);
  expect(after.changes).toEqual(everything);
});

test('a caller that missed thousands of changes does not read them', async () => {
  const { now } = await listPageChanges(connection, undefined);
  await db`insert into page_change (day) select '2026-06-01' from generate_series(1, 5001)`;
  expect(await changesSince(now)).toEqual(everything);
});

test('the first pruning deletes changes of a restored copy with higher transaction numbers', async () => {
  await db`update page_change_end set xid = '999999999999'::text::xid8`;
  await db`insert into page_change (xid, day) values ('999999999998'::text::xid8, '2026-06-01')`;
  const { now } = await listPageChanges(connection, undefined);
  expect(await changesSince(now)).toEqual(everything);
  await prunePageChanges(db, { xmin: now.xmax });
  expect(await changesSince({ ...now, xmin: now.xmax })).toEqual([]);
});

test('a load of many flights inserts one row, not one for each', async () => {
  const { now } = await listPageChanges(connection, undefined);
  await db`
    insert into flight_status (departs_on, status_order, key, departure, arrival, scheduled_out, departure_offset, arrival_offset)
    select '2026-06-01', n, '', 1, 2, 0, 0, 0 from generate_series(1, 1001) as n`;
  expect(await changesSince(now)).toEqual(dayChanged);
});
