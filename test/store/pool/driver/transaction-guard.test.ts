import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isUnavailable } from '#store/pool/driver/database-errors.ts';
import { openDatabase, type Sql } from '#store/pool/database.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql: db, url } = await sharedDatabase();

const readPid = async (sql: Sql): Promise<number> => {
  const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return own?.pid ?? 0;
};

/** Closes the server side of a connection, like a restart or failover, and waits until this side detects it. */
const cut = async (sql: Sql): Promise<void> => {
  await db`select pg_terminate_backend(${await readPid(sql)}, 60000)`;
  // The end of the other connection arrives before this result, or with it.
  await db`select 1`;
  await turn();
};

const cutMidway = async (sql: Sql): Promise<void> => {
  const pid = await readPid(sql);
  const sleeping = sql`select pg_sleep(600)`.execute();
  const cutSleeping = async (): Promise<void> => {
    const terminate = () => db`select pg_terminate_backend(pid) from pg_stat_activity
      where pid = ${pid} and wait_event = 'PgSleep'`;
    while ((await terminate()).length === 0) await turn();
  };
  await Promise.all([sleeping, cutSleeping()]);
};

// An unhandled error fails the whole run, so each of these also verifies that there is none.
test.each<[string, (sql: Sql) => Promise<unknown>]>([
  ['during a statement', cutMidway],
  ['between two statements', (sql) => cut(sql).then(() => sql`select 1`)],
  ['before the body fails on its own', (sql) => cut(sql).then(() => Promise.reject(new RangeError('no more lines')))],
  ['before the body succeeds', cut],
])('a connection lost %s makes the transaction fail as unavailable, and the next one works', async (_when, work) => {
  await expect(db.begin(work)).rejects.toSatisfy(isUnavailable);
  expect(await db.begin(async (sql) => [...(await sql`select 1 as one`)])).toEqual([{ one: 1 }]);
});

test('a transaction on a connection that was lost during the statement before does not fail because of that loss', async () => {
  const one = openDatabase({ url, applicationName: 'flightdata-test', max: 1 });
  try {
    for (let round = 0; round < 3; round += 1) {
      await expect(one.begin(cutMidway)).rejects.toSatisfy(isUnavailable);
      expect(await one.begin(async (sql) => [...(await sql`select 2 as two`)])).toEqual([{ two: 2 }]);
    }
  } finally {
    await one.end({ timeout: 1 });
  }
});
