import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isUnavailable, observeQueries, openDriverPool } from '#store/pool/driver/driver.ts';
import { openDatabase } from '#store/pool/database.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { setImmediate as turn } from 'node:timers/promises';

const fresh = await sharedDatabase();

test('queries the array types of the catalog once for all pools, which can reserve their first connection', async () => {
  // The types that the first connection of the process queries are shared when a second one opens.
  await fresh.sql`select array['2024-12-31'::date]`;
  await fresh.sql.begin(() => fresh.sql`select 1`);
  const texts: string[] = [];
  const stop = observeQueries(fresh.sql, (text) => {
    texts.push(text);
    return undefined;
  });
  const open = () => openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 1 });
  const pools = [open(), open()] as const;
  expect([...(await pools[0]`select array['2024-12-31'::date] as days`)]).toEqual([{ days: ['2024-12-31'] }]);
  expect(texts.filter((text) => text.includes('pg_type'))).toEqual([]);
  stop();
  const reserved = await pools[1].reserve();
  expect([...(await reserved`select array['2024-12-31'::date] as days`)]).toEqual([{ days: ['2024-12-31'] }]);
  reserved.release();
  for (const pool of pools) await pool.end();
});

test('a pool that was opened before the first connection of the process does not query the array types when it connects later', async () => {
  // The probe of a pool connects for the first time when the database does not respond: a failure of its query would end the process.
  const module = new URL('../../../../src/server/store/pool/driver/array-types.ts', import.meta.url).href;
  const script = `
    const { shareArrayTypes } = await import('${module}');
    const open = () => ({ options: { parsers: {}, serializers: {} }, reserve: async () => {} });
    const [first, later] = [open(), open()];
    for (const pool of [first, later]) shareArrayTypes(pool);
    const before = [first.options.fetch_types, later.options.fetch_types];
    first.options.parsers[1182] = () => 'dates';
    console.log(JSON.stringify([before, later.options.fetch_types, later.options.parsers[1182]?.()]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toEqual([[true, true], false, 'dates']);
});

test('the next connection works after a loss between a query and its scheduled write', async () => {
  const { sql, destroyConnections } = openDriverPool({
    url: fresh.url,
    applicationName: 'flightdata-test',
    // A connection without a startup message would stay so for longer than a test may take.
    settings: { max: 1, connect_timeout: 600 },
  });
  await sql`select 1`;
  const lost = sql`select 2`.then(String, (error: unknown) => error);
  // The driver has scheduled the write after a few microtasks, and writes in the next turn of the event loop.
  for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
  destroyConnections();
  expect(isUnavailable(await lost)).toBe(true);
  const query = (): Promise<unknown> => sql`select 3 as three`.then((rows) => [...rows]).catch(() => undefined);
  await expect.poll(query).toEqual([{ three: 3 }]);
  await sql.end({ timeout: 1 });
});

test('queries sent while their connection breaks get their own result or fail, and do not block later queries', async () => {
  const sql = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 1 });
  for (let round = 0; round < 4; round += 1) {
    const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const ended = fresh.sql`select pg_terminate_backend(${own?.pid ?? 0})`.execute();
    const results: unknown[] = [];
    const queries: Promise<unknown>[] = [];
    let isLost = false;
    const onLost = (): void => void (isLost = true);
    // In every turn of the event loop, so that some fall between the failure of the connection and its end.
    for (let after = 0; after < 4; after += isLost ? 1 : 0) {
      queries.push(sql`select ${round}::int as n`.then(([row]) => results.push(row?.['n']), onLost));
      await turn();
    }
    await Promise.all([...queries, ended]);
    expect(results.filter((result) => result !== round)).toEqual([]);
    const query = (): Promise<unknown> => sql`select 1 as one`.then((rows) => [...rows]).catch(() => undefined);
    while (!(await query())) await turn();
  }
  await sql.end({ timeout: 1 });
});
