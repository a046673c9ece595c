import { toUtcDate } from '#domain/time/dates.ts';
import type { PlanDays } from '#domain/status/plan-days.ts';
import { parseStatusMessage } from '#domain/status/observed-flight.ts';
import type { Database } from '#store/pool/database.ts';
import { listPendingPlans } from '#store/status/status-messages.ts';
import { listStatusUpdates } from '#store/status/status-updates.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import type { BackgroundDriver } from '#jobs/driver.ts';
import { createIngester } from '../ingest/status-ingester.ts';
import { finishStatusUpdates } from './finish-status-updates.ts';

/** The process that changed the flights updates their statuses within this time, milliseconds, unless it was interrupted. */
const INTERRUPTED_AFTER_MS = 10_000;

export type StatusUpdateTaskOptions = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  readonly driver: BackgroundDriver;
  readonly minAgeMs?: number;
  readonly planDays?: PlanDays | undefined;
};

/** Messages that are retried in one run: those of a day or two of a large airport. */
const MAX_PENDING = 1000;

/** Retries plans whose day did not exist: each run creates as many days as a request. */
export const retryPendingPlans = async (
  db: Database,
  { clock, planDays }: Pick<StatusUpdateTaskOptions, 'clock' | 'planDays'>,
): Promise<void> => {
  const pending = await listPendingPlans(db, MAX_PENDING);
  if (pending.length === 0) return;
  const ingester = await createIngester(db, { clock, planDays });
  await ingester.ingest(pending.map(parseStatusMessage));
};

/**
 * Starts the task that completes updates of statuses that interrupted imports left, and that creates days for plans. Returns a function that stops
 * it.
 */
export const startStatusUpdateTask = async (
  db: Database,
  { clock, onError, driver, planDays, minAgeMs = INTERRUPTED_AFTER_MS }: StatusUpdateTaskOptions,
): Promise<() => Promise<void>> => {
  const { stop } = await driver.start('update-statuses', {
    run: async () => {
      if ((await listStatusUpdates(db, minAgeMs)).length > 0)
        await finishStatusUpdates(db, { today: toUtcDate(clock()), clock, minAgeMs }, await readMasterDataIndex(db));
      await retryPendingPlans(db, { clock, planDays });
      return 'done';
    },
    onError,
  });
  return stop;
};
