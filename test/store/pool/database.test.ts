import { expect, test } from 'vitest';

import { openDatabase, openSession } from '../../../src/store/pool/database.ts';
import { sharedDatabase } from '../../support/database.ts';

const fresh = await sharedDatabase();

test('dates and wall-clock times are returned in the format of PostgreSQL, whatever the zone of the process', async () => {
  const rows = await fresh.sql`
    select '2024-03-31'::date as day, '2024-03-31 02:30'::timestamp as minute,
           array['2024-12-31'::date] as days, array['2024-12-31 23:59:59'::timestamp] as minutes`;
  expect([...rows]).toEqual([
    { day: '2024-03-31', minute: '2024-03-31 02:30:00', days: ['2024-12-31'], minutes: ['2024-12-31 23:59:59'] },
  ]);
});

test('dates and wall-clock times are sent unchanged, alone and in arrays', async () => {
  const { sql } = fresh;
  await sql`create table clock (day date, minute timestamp, days date[], minutes timestamp[])`;
  await sql`insert into clock values (${'2024-03-10'}, ${'2024-03-10 02:30'}, ${['2024-03-10']}, ${['2024-03-10 02:30']})`;
  await sql`insert into clock ${sql({ day: '2024-03-11', minute: '2024-03-11 00:00', days: [], minutes: [] })}`;
  const rows =
    await sql`select day::text as a, minute::text as b, days::text as c, minutes::text as d from clock order by clock.day`;
  expect([...rows]).toEqual([
    { a: '2024-03-10', b: '2024-03-10 02:30:00', c: '{2024-03-10}', d: '{"2024-03-10 02:30:00"}' },
    { a: '2024-03-11', b: '2024-03-11 00:00:00', c: '{}', d: '{}' },
  ]);
});

test('rejects a number as a date with an explanation', async () => {
  await expect(fresh.sql`select ${19_000}::date`).rejects.toThrow(
    'a date or timestamp is passed as text, not as number',
  );
});

test('an instant is a Date in both directions', async () => {
  const instant = new Date('2024-07-01T12:34:56.789Z');
  const rows = await fresh.sql`select ${instant}::timestamptz as instant, (${instant}::timestamptz)::text as text`;
  expect([...rows]).toEqual([{ instant, text: '2024-07-01 12:34:56.789+00' }]);
});

test('eight-byte integers are bigints beyond the safe range of a number, in both directions', async () => {
  const rows =
    await fresh.sql`select ${-9_223_372_036_854_775_808n}::bigint as least, array[9223372036854775807] as most, count(*) as rows`;
  expect([...rows]).toEqual([{ least: -9_223_372_036_854_775_808n, most: [9_223_372_036_854_775_807n], rows: 1n }]);
});

test('bytes are returned unchanged', async () => {
  const bytes = Buffer.from([0, 255, 92, 39, 10]);
  const rows = await fresh.sql`select ${bytes}::bytea as bytes`;
  expect([...rows]).toEqual([{ bytes }]);
});

test('the server session has the application name and uses UTC', async () => {
  const sql = openDatabase({ url: fresh.url, applicationName: 'flightdata named', max: 1 });
  const rows = await sql`select current_setting('application_name') as name, current_setting('TimeZone') as zone`;
  await sql.end();
  expect([...rows]).toEqual([{ name: 'flightdata named', zone: 'UTC' }]);
});

test('a connection can be reserved before the first query of a pool', async () => {
  // The array types are cached from the previous pool.
  await fresh.sql`select array['2024-12-31'::date]`;
  const pool = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 2 });
  try {
    const reserved = await pool.reserve();
    expect([...(await reserved`select array['2024-12-31'::date] as days`)]).toEqual([{ days: ['2024-12-31'] }]);
    reserved.release();
  } finally {
    await pool.end();
  }
});

test('a session reports the loss of its connection, and reconnects at the next query', async () => {
  const lost = Promise.withResolvers<void>();
  const session = openSession(fresh.url, 'flightdata session', lost.resolve);
  const [before] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await fresh.sql`select pg_terminate_backend(${before?.pid ?? 0})`;
  await lost.promise;
  const [after] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await session.end();
  expect(after?.pid).not.toBe(before?.pid);
});

test('connects to a unix socket in both URL notations', async (context) => {
  const { sql } = fresh;
  const [row] = await sql<{ directory: string; port: string; user: string; name: string }[]>`
    select split_part(current_setting('unix_socket_directories'), ',', 1) as directory, current_setting('port') as port,
           current_user as user, current_database() as name`;
  const account = new URL(fresh.url);
  const socketAt = new URLSearchParams(account.search).get('host') ?? row?.directory ?? '';
  if (!socketAt.startsWith('/')) return context.skip('this server listens on no socket of a known place');
  const login = account.password ? `${row?.user}:${account.password}` : row?.user;
  const urls = [
    `postgres://${login}@/${row?.name}?host=${encodeURIComponent(socketAt)}&port=${row?.port}`,
    `postgres://${login}@/${row?.name}?host=${socketAt}&port=${row?.port}`,
    `postgres://${login}@${encodeURIComponent(socketAt)}:${row?.port}/${row?.name}`,
  ];
  const addresses = [];
  for (const url of urls) {
    const pool = openDatabase({ url, applicationName: 'flightdata-test', max: 1 });
    const [seen] = await pool<{ address: string | null }[]>`select inet_client_addr()::text as address`;
    addresses.push(seen?.address);
    await pool.end();
  }
  expect(addresses).toEqual([null, null, null]);
});

test('an absent server and an unknown host name have their own error codes', async () => {
  const codes = [];
  for (const host of ['127.0.0.1:1', 'nowhere.invalid:5432']) {
    const pool = openDatabase({ url: `postgres://anyone@${host}/any`, applicationName: 'flightdata-test', max: 1 });
    codes.push(await pool`select 1`.then(String, ({ code }: { code?: string }) => code));
    await pool.end({ timeout: 1 });
  }
  expect(codes).toEqual(['ECONNREFUSED', expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/)]);
});
