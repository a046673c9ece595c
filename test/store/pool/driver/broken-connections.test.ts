import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/store/pool/database.ts';
import { sharedDatabase } from '../../../support/database.ts';

const fresh = await sharedDatabase();

test('queries sent while their connection breaks get their own result or fail, and do not block later queries', async () => {
  const sql = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 1 });
  let wrong = 0;
  try {
    for (let round = 0; round < 4; round += 1) {
      const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const ended = fresh.sql`select pg_terminate_backend(${own?.pid ?? 0})`.execute();
      const queries: Promise<unknown>[] = [];
      let isLost = false;
      // In every turn of the event loop, so that some fall between the failure of the connection and its end.
      for (let after = 0; after < 4; after += isLost ? 1 : 0) {
        queries.push(
          sql<{ n: number }[]>`select ${round}::int as n`.then(
            ([row]) => {
              if (row?.n !== round) wrong += 1;
            },
            () => {
              isLost = true;
            },
          ),
        );
        await turn();
      }
      await Promise.all([...queries, ended]);
      const query = (): Promise<unknown> => sql`select 1 as one`.then((rows) => [...rows]).catch(() => undefined);
      while (!(await query())) await turn();
    }
    expect(wrong).toBe(0);
  } finally {
    await sql.end({ timeout: 1 });
  }
});
