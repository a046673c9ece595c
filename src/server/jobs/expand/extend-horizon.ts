import { addDays, type LocalDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { analyzeInstances, listExpandedDays } from '#store/flights/expanded-days.ts';
import { lockSchedules, findScheduledPeriod } from '#store/schedules/schedules.ts';
import { lockAllStatuses } from '#store/status/flight-statuses.ts';
import { insertStatusUpdate } from '#store/status/status-updates.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';
import { refreshRecords } from './schedule-records.ts';
import { expandDays } from './expand-days.ts';
import { listWindowDays, type ExpansionWindow } from './schedule-window.ts';
import { finishStatusUpdates } from '../status/recompute/finish-status-updates.ts';

export type HorizonOptions = {
  readonly today: LocalDate;
  readonly horizonDays: number;
  /** Replaces the days of the horizon. */
  readonly window?: ExpansionWindow | undefined;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
};

export type HorizonReport = { readonly days: number; readonly instances: number };

/**
 * Expands the schedules in force to the days of the horizon that are missing: from yesterday to the end of the
 * schedules. Then refreshes the schedule records. Returns how many days and instances were added; a second call adds
 * nothing.
 */
export const extendHorizon = async (
  db: Database,
  { today, horizonDays, window, onDay }: HorizonOptions,
): Promise<HorizonReport> => {
  const report = await db.begin(async (sql): Promise<HorizonReport> => {
    await lockSchedules(sql);
    const period = await findScheduledPeriod(sql);
    if (!period) return { days: 0, instances: 0 };
    const horizon = window ?? { from: addDays(today, -1), days: horizonDays };
    const existing = await listExpandedDays(sql);
    const days = listWindowDays(period, { today, window: horizon, horizonDays }).filter((day) => !existing.has(day));
    if (days.length === 0) return { days: 0, instances: 0 };
    const masterDataIndex = await readMasterDataIndex(sql);
    const { others, finish } = await expandDays(sql, {
      window: days,
      loaded: new Map(),
      replaces: () => false,
      carriersOf: new Map(),
      compared: new Set(),
      masterDataIndex,
      onDay,
    });
    // As in a load: a writer of statuses may hold the row of one flight on these days and wait for another one.
    await lockAllStatuses(sql);
    await insertStatusUpdate(sql, { from: days[0] ?? today, to: days.at(-1) ?? today });
    await finish();
    return { days: days.length, instances: others.instances };
  });
  if (report.days > 0) {
    await analyzeInstances(db);
    await finishStatusUpdates(db, { today }, await readMasterDataIndex(db));
  }
  await refreshRecords(db);
  return report;
};
