import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import type { DeleteBatchesOptions } from '#store/tasks/delete-batches.ts';
import { deleteUnusedUnconfirmedCarriers } from '#store/master-data/unconfirmed-carriers.ts';
import { deleteDay, listDaysBefore } from '#store/flights/expanded-days.ts';
import { pruneStatuses } from '#store/status/flight-statuses.ts';
import { pruneQuarantine } from '#store/status/status-messages.ts';
import { pruneMessageQuarantine } from '#store/schedules/schedule-messages.ts';
import { lockSchedules } from '#store/schedules/schedules.ts';
import { lockAllStatuses } from '#store/status/flight-statuses.ts';
import { EVENT_RETENTION_DAYS } from './prune-events.ts';

export type PruneDaysOptions = {
  /** The first local departure date that is kept. */
  readonly before: LocalDate;
  readonly today: LocalDate;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
  readonly slices?: DeleteBatchesOptions | undefined;
};

export type PruneDaysReport = {
  readonly days: number;
  readonly instances: number;
  readonly messages: number;
  /** Status messages and schedule messages in quarantine. */
  readonly quarantined: number;
};

/** Flights that events still refer to are kept; one more day, because the date differs around the world. */
const MIN_RETENTION_DAYS = EVENT_RETENTION_DAYS + 1;

/**
 * Deletes the flight instances of days before a date with their statuses and messages, oldest day first. Messages are deleted in small steps, then
 * the day in one transaction: after an interruption whole days are left, and it can be called again. Throws RangeError when the date is less than
 * eight days ago. Also deletes the messages in quarantine from before the date.
 */
export const pruneDays = async (
  db: Database,
  { before, today, onDay, slices }: PruneDaysOptions,
): Promise<PruneDaysReport> => {
  const newest = addDays(today, -MIN_RETENTION_DAYS);
  if (before > newest)
    throw new RangeError(
      `the days before ${formatDate(before)} cannot be deleted: retained events refer to flights up to ${formatDate(newest)}`,
    );
  const days = await listDaysBefore(db, before);
  let [instances, messages] = [0, 0];
  for (const [index, day] of days.entries()) {
    messages += await pruneStatuses(db, day, slices);
    instances += await db.begin(async (sql) => {
      await lockSchedules(sql);
      await lockAllStatuses(sql);
      // Messages that arrived since.
      messages += await pruneStatuses(sql, day);
      return deleteDay(sql, day);
    });
    onDay?.(index + 1, days.length);
  }
  await db.begin(async (sql) => {
    await lockAllStatuses(sql);
    await deleteUnusedUnconfirmedCarriers(sql);
  });
  const from = new Date(`${formatDate(before)}T00:00:00Z`);
  const { result: ofSchedules } = await db.begin(async (sql) => {
    await lockSchedules(sql);
    return { result: await pruneMessageQuarantine(sql, from) };
  });
  const quarantined = (await pruneQuarantine(db, from)) + ofSchedules;
  return { days: days.length, instances, messages, quarantined };
};
