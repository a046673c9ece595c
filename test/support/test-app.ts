import { plainSecretBox } from '#lib/secret-box.ts';
import { createService, type ServiceOptions } from '#service.ts';
import { HealthProber } from '#http/handler/health.ts';
import { createAccessLog } from '#http/observability/access-log.ts';
import { FairQueue } from '#lib/fair-queue.ts';
import type { Database } from '#store/pool/database.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { recordedExchanges, type TestApp } from './recorded-exchanges.ts';
import { readMasterData } from '#jobs/cache/master-data-cache.ts';

/** Noon of 1 June 2026; all versions of the contract are released then. */
export const JUNE_NOON = (): Date => new Date('2026-06-01T12:00:00Z');

/** Creates the queue of a server, which rejects no request, however slow the machine is. */
const createPatientQueue = (): FairQueue =>
  new FairQueue({
    maxRunning: 8,
    wait: { targetMs: 600_000, intervalMs: 600_000 },
    now: () => performance.now(),
    createError: () => new Error('a request has waited for ten minutes'),
  });

/** Creates the service with the required dependencies only, at noon of 1 June 2026. Options override them. */
export const createTestApp = async (sql: Database, options: Partial<ServiceOptions> = {}): Promise<TestApp> => {
  const clock = options.clock ?? JUNE_NOON;
  const readNow = async (): Promise<ServiceOptions['masterData']> => {
    const read = await readMasterData(sql, clock);
    return () => read;
  };
  const app = createService({
    ...options,
    sql,
    fairQueues: options.fairQueues ?? { database: createPatientQueue(), memory: createPatientQueue() },
    health: options.health ?? new HealthProber(sql, { freshMs: 0 }),
    clock,
    masterData: options.masterData ?? (await readNow()),
    mapSecret: options.mapSecret ?? Buffer.alloc(32, 7),
    cursorSecret: options.cursorSecret ?? (await getOrCreateSecret(sql, plainSecretBox, 'cursor')),
    log: options.log ?? createAccessLog({ write: () => {} }),
  });
  return recordedExchanges(app);
};
