import { expect, test } from 'vitest';
import { openLimitedDatabase } from '../../../src/store/pool/database.ts';
import { sharedDatabase } from '../../support/database.ts';

const fresh = await sharedDatabase();

test('slow queries succeed while the database is responsive, even when they occupy all connections', async () => {
  await fresh.sql.unsafe(`
    create table released ();
    create function wait() returns boolean language plpgsql as
      'begin while not exists (select from released) loop perform pg_sleep(0.01); end loop; return true; end'`);
  const applicationName = 'flightdata-limited';
  const sql = openLimitedDatabase({ url: fresh.url, applicationName, max: 2, queryTimeoutMs: 600_000 });
  const slow = Promise.all([1, 2].map(async () => [...(await sql`select wait() as released`)]));
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
  await sql.end({ timeout: 1 });
});
