import { addDays, type LocalDate } from '../../domain/time/dates.ts';
import type { DateSpan } from '../../domain/schedule/departure-span.ts';
import type { Database } from '../../store/pool/database.ts';
import { analyzeInstances, expandedDays } from '../../store/flights/instance-days.ts';
import { lockSchedules, scheduledPeriod } from '../../store/schedules/schedules.ts';
import { lockAllStatuses } from '../../store/status/status-lock.ts';
import { readDirectory } from '../cache/directory.ts';
import { refreshRecords } from './schedule-records.ts';
import { expandDays } from './expand-days.ts';
import { listWindowDays, type ExpansionWindow } from './schedule-window.ts';
import { followSchedules } from '../status/recompute/update-for-schedules.ts';

export type HorizonOptions = {
  readonly today: LocalDate;
  readonly horizonDays: number;
  /** Other days than those of the horizon. */
  readonly window?: ExpansionWindow | undefined;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
};

export type HorizonReport = { readonly days: number; readonly instances: number };

/**
 * Lays out the days of the horizon that are not there yet, from the schedules in force: from yesterday on, as far as the
 * schedules reach. After that, schedule records are written anew when there are none or master data have changed since. Returns
 * how many days and instances were added; running it again adds nothing.
 */
export const extendHorizon = async (
  db: Database,
  { today, horizonDays, window, onDay }: HorizonOptions,
): Promise<HorizonReport> => {
  const { span, ...rolled } = await db.begin(async (sql): Promise<HorizonReport & { readonly span?: DateSpan }> => {
    await lockSchedules(sql);
    const period = await scheduledPeriod(sql);
    if (!period) return { days: 0, instances: 0 };
    const wanted = window ?? { from: addDays(today, -1), days: horizonDays };
    const existing = await expandedDays(sql);
    const days = listWindowDays(period, { today, window: wanted, horizonDays }).filter((day) => !existing.has(day));
    if (days.length === 0) return { days: 0, instances: 0 };
    const directory = await readDirectory(sql);
    const { others, finish } = await expandDays(sql, {
      window: days,
      loaded: new Map(),
      replaces: () => false,
      carriersOf: new Map(),
      compared: new Set(),
      directory,
      onDay,
    });
    // As a load does: whoever stores a flight on a day that had been opened for others may hold its record, and want that of another.
    await lockAllStatuses(sql);
    await finish();
    const span = { from: days[0] ?? today, to: days.at(-1) ?? today };
    return { days: days.length, instances: others.instances, span };
  });
  if (span) {
    await analyzeInstances(db);
    await followSchedules(db, { ...span, today }, await readDirectory(db));
  }
  await refreshRecords(db);
  return rolled;
};
