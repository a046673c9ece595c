import { dateAt, type LocalDate } from '../../../domain/time/dates.ts';
import type { Sql } from '../../../store/pool/database.ts';
import { openDay, openedDays, type InstanceRow } from '../../../store/flights/instance-days.ts';
import { lockSchedules } from '../../../store/schedules/schedules.ts';

/** The days that flights need which no schedule holds, and that are not open yet; earliest first. */
export const missingDays = async (sql: Sql, flights: readonly InstanceRow[]): Promise<readonly LocalDate[]> => {
  const days = [...new Set(flights.map(({ departsAt }) => dateAt(departsAt)))];
  if (days.length === 0) return days;
  const opened = await openedDays(sql, days);
  return days.filter((day) => !opened.has(day)).toSorted((a, b) => a - b);
};

/** Opens such days; `sql` must be a transaction. */
export const openDays = async (sql: Sql, days: readonly LocalDate[]): Promise<void> => {
  await lockSchedules(sql);
  for (const day of days) await openDay(sql, day);
};
