import { expect, onTestFinished, test } from 'vitest';
import { isUnavailable } from '#store/pool/driver/database-errors.ts';
import { openDatabase, openSession, openLimitedDatabase } from '#store/pool/database.ts';
import { sharedDatabase } from '#test/support/database.ts';

const fresh = await sharedDatabase();
const { sql } = fresh;

test('dates and wall-clock times are texts, whatever the zone of the process, instants Dates, eight-byte integers bigints', async () => {
  await sql`create table value (day date, minute timestamp, days date[], minutes timestamp[],
    instant timestamptz, n bigint, bytes bytea)`;
  const filled = {
    day: '2024-03-10',
    // In an hour that clocks of Europe skip.
    minute: '2024-03-31 02:30:00',
    days: ['2024-12-31'],
    minutes: ['2024-12-31 23:59:59'],
    instant: new Date('2024-07-01T12:34:56.789Z'),
    n: -9_223_372_036_854_775_808n,
    bytes: Buffer.from([0, 255, 92, 39, 10]),
  };
  await sql`insert into value ${sql(filled)}`;
  await sql`insert into value (day, days, minutes) values (${'2024-03-11'}, ${[]}, ${[]})`;
  const [first, second] = await sql`select *, minute::text as text, instant::text as utc from value order by day`;
  expect(first).toEqual({ ...filled, text: '2024-03-31 02:30:00', utc: '2024-07-01 12:34:56.789+00' });
  expect(second).toMatchObject({ day: '2024-03-11', minute: null, days: [], minutes: [], instant: null, n: null });
  expect([...(await sql`select count(*), array[9223372036854775807] as most from value`)]).toEqual([
    { count: 2n, most: [9_223_372_036_854_775_807n] },
  ]);
});

test('rejects a number as a date with an explanation', async () => {
  await expect(sql`select ${19_000}::date`).rejects.toThrow('a date or timestamp is passed as text, not as number');
});

test('the server session has the application name and uses UTC', async () => {
  const pool = openDatabase({ url: fresh.url, applicationName: 'flightdata named', max: 1 });
  const rows = await pool`select current_setting('application_name') as name, current_setting('TimeZone') as zone`;
  await pool.end();
  expect([...rows]).toEqual([{ name: 'flightdata named', zone: 'UTC' }]);
});

test('a session reports the loss of its connection, and reconnects at the next query', async () => {
  const lost = Promise.withResolvers<void>();
  const session = openSession(fresh.url, 'flightdata session', lost.resolve);
  const [before] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await sql`select pg_terminate_backend(${before?.pid ?? 0})`;
  await lost.promise;
  const [after] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await session.end();
  expect(after?.pid).not.toBe(before?.pid);
});

test('connects to a unix socket in both URL notations', async (context) => {
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

test('slow queries succeed while the database is responsive, even when they occupy all connections', async () => {
  await fresh.sql.unsafe(`
    create table released ();
    create function wait() returns boolean language plpgsql as
      'begin while not exists (select from released) loop perform pg_sleep(0.01); end loop; return true; end'`);
  const applicationName = 'flightdata-limited';
  const limited = openLimitedDatabase({ url: fresh.url, applicationName, max: 2, queryTimeoutMs: 600_000 });
  const slow = Promise.all([1, 2].map(async () => [...(await limited`select wait() as released`)]));
  // Probes are 200 ms apart, and queries that nothing answers are rejected after 1.4 s.
  const probes = new Set<string>();
  const countProbes = async (): Promise<number> => {
    const rows = await fresh.sql<{ at: string }[]>`
      select query_start::text as at from pg_stat_activity where application_name = ${applicationName} and query = 'select 1'`;
    for (const { at } of rows) probes.add(at);
    return probes.size;
  };
  await expect.poll(countProbes, { interval: 20 }).toBeGreaterThan(8);
  await fresh.sql`insert into released default values`;
  expect(await slow).toEqual([[{ released: true }], [{ released: true }]]);
  await limited.end({ timeout: 1 });
});

test('a statement after the server ended the connection of the statement before does not fail because of that loss', async () => {
  const applicationName = 'flightdata-ended';
  const limited = openLimitedDatabase({ url: fresh.url, applicationName, max: 1, queryTimeoutMs: 600_000 });
  onTestFinished(() => limited.end({ timeout: 1 }));
  const endSleeping = async (): Promise<boolean> => {
    const ended = await fresh.sql`select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where application_name = ${applicationName} and wait_event = 'PgSleep'`;
    return ended.length > 0;
  };
  for (let round = 0; round < 3; round += 1) {
    const sleeping = limited`select pg_sleep(600)`.then(
      () => undefined,
      (error: unknown) => error,
    );
    await expect.poll(endSleeping, { interval: 20 }).toBe(true);
    expect(isUnavailable(await sleeping)).toBe(true);
    expect([...(await limited`select ${round}::int as round`)]).toEqual([{ round }]);
  }
});
