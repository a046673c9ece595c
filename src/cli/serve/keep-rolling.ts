import { catalog } from '../../../generated/catalog.ts';
import { dateOfInstant } from '../../domain/time/dates.ts';
import type { AccessLog } from '../../http/observability/access-log.ts';
import type { Database } from '../../store/pool/database.ts';
import { buildOnTimeDaily } from '../../jobs/statistics/build-on-time.ts';
import { predictSeatsDaily } from '../../jobs/statistics/predict-seats.ts';
import { rollHorizon } from '../../jobs/expand/extend-horizon.ts';
import { seedDemo } from '../../jobs/demo/seed-demo.ts';

const HOUR_MS = 3_600_000;

export type Rolling = {
  readonly horizonDays: number;
  readonly log: AccessLog;
  readonly isDemo: boolean;
  readonly clock: () => Date;
};

/** Keeps the days of the horizon laid out, now and every hour; answers how to stop. */
export const keepRolling = (db: Database, { horizonDays, log, isDemo, clock }: Rolling): (() => Promise<void>) => {
  let rolling: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  const roll = async (): Promise<void> => {
    try {
      const today = dateOfInstant(clock());
      if (isDemo) await seedDemo(db, { today, horizonDays, products: catalog.map(({ product }) => product) });
      await rollHorizon(db, { today, horizonDays });
      await predictSeatsDaily(db, today);
      await buildOnTimeDaily(db, { today, signal: stopping.signal });
    } catch (error) {
      if (error !== stopping.signal.reason) log.failure(error, clock(), 'horizon');
    }
  };
  const timer = setInterval(() => {
    rolling = rolling.then(roll);
  }, HOUR_MS);
  rolling = roll();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await rolling;
  };
};
