import { catalog } from '../../../generated/catalog.ts';
import { dateOfInstant } from '../../domain/time/dates.ts';
import type { AccessLog } from '../../http/observability/access-log.ts';
import type { Database } from '../../store/pool/database.ts';
import { buildOnTimeDaily } from '../../jobs/statistics/build-on-time.ts';
import { predictSeatsDaily } from '../../jobs/statistics/predict-seats.ts';
import { extendHorizon } from '../../jobs/expand/extend-horizon.ts';
import { seedDemo } from '../../jobs/demo/seed-demo.ts';

const HOUR_MS = 3_600_000;

export type HourlyTasksOptions = {
  readonly horizonDays: number;
  readonly log: AccessLog;
  readonly isDemo: boolean;
  readonly clock: () => Date;
};

/** Extends the horizon and updates daily statistics, now and every hour. Returns a function that stops. */
export const startHourlyTasks = (
  db: Database,
  { horizonDays, log, isDemo, clock }: HourlyTasksOptions,
): (() => Promise<void>) => {
  let lastRun: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    try {
      const today = dateOfInstant(clock());
      if (isDemo) await seedDemo(db, { today, horizonDays, products: catalog.map(({ product }) => product) });
      await extendHorizon(db, { today, horizonDays });
      await predictSeatsDaily(db, today);
      await buildOnTimeDaily(db, { today, signal: stopping.signal });
    } catch (error) {
      if (error !== stopping.signal.reason) log.failure(error, clock(), 'horizon');
    }
  };
  const timer = setInterval(() => {
    lastRun = lastRun.then(run);
  }, HOUR_MS);
  lastRun = run();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await lastRun;
  };
};
