import { createSecretKey } from 'node:crypto';
import { plainSecretBox } from '#lib/secret-box.ts';
import { createTargetGuard } from '#delivery/webhook/target-guard.ts';
import { HealthProber } from '#http/handler/health.ts';
import type { Deps } from '#products/flight-info-alerts/v1/shared/deps.ts';
import type { Database } from '#store/pool/database.ts';

/** Dependencies for tests that register the operations without calling them. */
export const createTestDeps = (sql: Database): Deps => ({
  sql,
  health: new HealthProber(sql),
  clock: () => new Date('2026-06-01T12:00:00Z'),
  objectLimits: { accounts: 0, alerts: 0, endpoints: 0 },
  cursorSecret: createSecretKey(Buffer.alloc(32)),
  secrets: plainSecretBox,
  guard: createTargetGuard(),
  deliverer: { deliver: async () => Promise.reject(new Error('nothing is sent')) },
  events: {
    waitForEvents: async () => undefined,
    isStopped: () => false,
    retentionDays: 7,
    maxOpen: 1,
    maxOpenOfSubscription: 0,
    maxOpenOfProcess: 0,
    maxWaitMs: 0,
    heartbeatMs: 1,
    recheckMs: 1,
    stallMs: 1,
    previewMs: 0,
  },
});
