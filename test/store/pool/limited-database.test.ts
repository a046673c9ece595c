import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLimitedDatabase } from '../../../src/store/pool/database.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

test('slow queries succeed while the database is responsive, even when they occupy all connections', async () => {
  const sql = openLimitedDatabase({
    url: fresh.url,
    applicationName: 'flightdata-test',
    max: 2,
    queryTimeoutMs: 20_000,
  });
  try {
    const runSlowQuery = async (): Promise<string> =>
      sql`select pg_sleep(2.5)`.then(
        () => 'answered',
        (error: unknown) => String(error),
      );
    expect(await Promise.all([runSlowQuery(), runSlowQuery()])).toEqual(['answered', 'answered']);
  } finally {
    await sql.end({ timeout: 1 });
  }
});
