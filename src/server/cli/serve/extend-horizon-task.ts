import { catalog } from '#generated/catalog.ts';
import { toUtcDate } from '#domain/time/dates.ts';
import type { AccessLog } from '#http/observability/access-log.ts';
import type { Database } from '#store/pool/database.ts';
import { buildOnTimeDaily } from '#jobs/statistics/build-on-time.ts';
import { predictSeatsDaily } from '#jobs/statistics/predict-seats.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import type { BackgroundDriver } from '#jobs/driver.ts';

export type ExtendHorizonTaskOptions = {
  readonly horizonDays: number;
  readonly log: AccessLog;
  readonly isDemo: boolean;
  readonly clock: () => Date;
  readonly driver: BackgroundDriver;
};

/** Starts the task that extends the horizon and updates daily statistics, now and every hour. Returns a function that stops it. */
export const startExtendHorizonTask = async (
  db: Database,
  { horizonDays, log, isDemo, clock, driver }: ExtendHorizonTaskOptions,
): Promise<() => Promise<void>> => {
  const { stop } = await driver.start('extend-horizon', {
    run: async (signal) => {
      const today = toUtcDate(clock());
      if (isDemo) {
        const { seedDemo } = await import('#demo/seed-demo.ts');
        const products = catalog.filter(({ isIngest }) => !isIngest).map(({ product }) => product);
        await seedDemo(db, { today, horizonDays, products });
      }
      await extendHorizon(db, { today, horizonDays });
      await predictSeatsDaily(db, today);
      await buildOnTimeDaily(db, { today, signal });
      return 'done';
    },
    onError: (error) => log.failure(error, clock(), 'horizon'),
  });
  return stop;
};
