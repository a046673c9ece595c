import { toUtcDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { listStatusUpdates } from '#store/status/status-updates.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import type { BackgroundDriver } from '#jobs/driver.ts';
import { finishStatusUpdates } from './finish-status-updates.ts';

/** The process that changed the flights updates their statuses within this time, milliseconds, unless it was interrupted. */
const INTERRUPTED_AFTER_MS = 10_000;

export type StatusUpdateTaskOptions = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  readonly driver: BackgroundDriver;
  readonly minAgeMs?: number;
};

/** Starts the task that completes updates of statuses that interrupted imports left. Returns a function that stops it. */
export const startStatusUpdateTask = async (
  db: Database,
  { clock, onError, driver, minAgeMs = INTERRUPTED_AFTER_MS }: StatusUpdateTaskOptions,
): Promise<() => Promise<void>> => {
  const { stop } = await driver.start('update-statuses', {
    run: async () => {
      if ((await listStatusUpdates(db, minAgeMs)).length > 0)
        await finishStatusUpdates(db, { today: toUtcDate(clock()), clock, minAgeMs }, await readMasterDataIndex(db));
      return 'done';
    },
    onError,
  });
  return stop;
};
