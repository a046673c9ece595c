import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/store/pool/database.ts';
import { sharedDatabase } from '../../../support/database.ts';

const fresh = await sharedDatabase();

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
