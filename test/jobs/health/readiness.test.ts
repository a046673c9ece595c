import { expect, onTestFinished, test } from 'vitest';
import { createReadiness } from '#jobs/health/readiness.ts';
import { openLimitedDatabase, type Database } from '#store/pool/database.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { url } = await sharedDatabase();

const openPool = (address: string): Database => {
  const pool = openLimitedDatabase({ url: address, applicationName: 'flightdata-test', max: 1, queryTimeoutMs: 1000 });
  onTestFinished(() => pool.end({ timeout: 0 }));
  return pool;
};

/** A database whose queries fail, or succeed on `url`. */
const openSwitch = (): { readonly sql: Database; readonly state: { isAway: boolean } } => {
  const pool = openPool(url);
  const state = { isAway: false };
  const sql = new Proxy(pool, {
    apply: (target, self, values): unknown =>
      state.isAway ? Promise.reject(new Error('away')) : Reflect.apply(target, self, values),
  });
  return { sql, state };
};

const lost = { isReady: false, text: 'the database does not respond' };

test.each([
  [60_000, true, { isReady: true, text: 'ready for reads: the primary database does not respond' }],
  [60_000, false, lost],
  [0, true, lost],
])(
  'without the primary, reads for %i ms and a replica that responds (%s): %o',
  async (maxStalenessMs, isUp, expected) => {
    const primary = openSwitch();
    const replica = openSwitch();
    replica.state.isAway = !isUp;
    const readiness = createReadiness({ maxStalenessMs, ttlMs: 0 });
    readiness.setReady(primary.sql, [replica.sql]);
    expect(await readiness.getState()).toEqual({ isReady: true, text: 'ready' });
    primary.state.isAway = true;
    expect(await readiness.getState()).toEqual(expected);
  },
);

test('a server that has never reached its primary is not ready, even with a replica', async () => {
  const primary = openSwitch();
  primary.state.isAway = true;
  const readiness = createReadiness({ maxStalenessMs: 60_000, ttlMs: 0 });
  readiness.setReady(primary.sql, [openPool(url)]);
  expect(await readiness.getState()).toEqual(lost);
});
