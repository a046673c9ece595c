import { createApp, type AppOptions } from '../../src/app.ts';
import { createAccessLog } from '../../src/http/observability/access-log.ts';
import type { Front } from '../../src/http/router/router.ts';
import type { Database } from '../../src/store/pool/database.ts';
import { secretNamed } from '../../src/store/pool/secrets.ts';
import { readMasterData } from '../../src/jobs/cache/master-data.ts';

/** Noon of the first of June 2026, when all of the contract is released. */
export const JUNE_NOON = (): Date => new Date('2026-06-01T12:00:00Z');

/**
 * The service over a store with no more than it must have, at noon of the first of June 2026: its secret for cursors, its master data as they
 * are now, a log that nobody reads. What a test cares about is given.
 */
export const createTestApp = async (sql: Database, given: Partial<AppOptions> = {}): Promise<Front> => {
  const clock = given.clock ?? JUNE_NOON;
  const readNow = async (): Promise<AppOptions['masterData']> => {
    const read = await readMasterData(sql, clock);
    return () => read;
  };
  return createApp({
    ...given,
    sql,
    clock,
    masterData: given.masterData ?? (await readNow()),
    mapSecret: given.mapSecret ?? Buffer.alloc(32, 7),
    cursorSecret: given.cursorSecret ?? (await secretNamed(sql, 'cursor')),
    log: given.log ?? createAccessLog({ write: () => {} }),
  });
};
