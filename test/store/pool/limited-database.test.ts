import { expect, test } from 'vitest';
import { openLimitedDatabase } from '../../../src/store/pool/database.ts';
import { sharedDatabase } from '../../support/database.ts';

const fresh = await sharedDatabase();

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
