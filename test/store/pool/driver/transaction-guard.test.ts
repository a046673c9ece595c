import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { isUnavailable } from '../../../../src/store/pool/driver/database-errors.ts';
import { openDatabase, type Sql } from '../../../../src/store/pool/database.ts';
import { sharedDatabase } from '../../../support/database.ts';

const fresh = await sharedDatabase();
await fresh.sql`create table line (n integer primary key)`;

/** Ends the server's side of a connection, as a restart or a failover does. */
const cut = async (sql: Sql): Promise<void> => {
  const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await fresh.sql`select pg_terminate_backend(${own?.pid ?? 0})`;
};

/** The same during a statement. */
const cutMidway = async (sql: Sql): Promise<void> => {
  const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const killed = fresh.sql`select pg_sleep(0.1), pg_terminate_backend(${own?.pid ?? 0})`.execute();
  await Promise.all([sql`select pg_sleep(10)`, killed]);
};

const lossOf = (work: (sql: Sql) => Promise<unknown>): Promise<unknown> =>
  fresh.sql.begin(work).then(
    () => 'no error',
    (error: unknown) => error,
  );

// An unhandled error fails the whole run, so each of these also verifies that there is none.
test.each<[string, (sql: Sql) => Promise<unknown>]>([
  ['during a statement', cutMidway],
  [
    'between two statements',
    async (sql) => {
      await cut(sql);
      await wait(50);
      await sql`select 1`;
    },
  ],
  [
    'before the body fails on its own',
    async (sql) => {
      await cut(sql);
      await wait(50);
      throw new RangeError('no more lines');
    },
  ],
  ['before the body succeeds', (sql) => cut(sql).then(() => wait(50))],
])('a connection lost %s makes the transaction fail as unavailable, and the next one works', async (_when, work) => {
  expect(isUnavailable(await lossOf(work))).toBe(true);
  expect(await fresh.sql.begin(async (sql) => [...(await sql`select 1 as one`)])).toEqual([{ one: 1 }]);
});

test('a transaction on a connection that was lost during the statement before does not fail because of that loss', async () => {
  const one = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 1 });
  try {
    for (let round = 0; round < 3; round += 1) {
      await expect(one.begin(cutMidway)).rejects.toSatisfy(isUnavailable);
      expect(await one.begin(async (sql) => [...(await sql`select 2 as two`)])).toEqual([{ two: 2 }]);
    }
  } finally {
    await one.end({ timeout: 1 });
  }
});

test('a failed body is rolled back and rejects with its own error', async () => {
  const failing = fresh.sql.begin(async (sql) => {
    await sql`insert into line values (1)`;
    throw new RangeError('no more lines');
  });
  await expect(failing).rejects.toThrow(new RangeError('no more lines'));
  expect([...(await fresh.sql`select n from line`)]).toEqual([]);
});

test('a transaction returns the result of its body, and applies its options', async () => {
  const mode = await fresh.sql.begin('isolation level repeatable read read only', async (sql) => {
    const [row] = await sql<{ mode: string }[]>`select current_setting('transaction_isolation') as mode`;
    return row?.mode;
  });
  expect(mode).toBe('repeatable read');
});
