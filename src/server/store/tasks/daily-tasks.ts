import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';

/** Locks a task until the transaction `sql` ends, so that one process at a time runs it. */
export const lockDailyTask = async (sql: Sql, name: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`flightdata ${name}`}))`;
};

/** Returns whether a task has been done on a date; hold `lockDailyTask`. */
export const isDailyTaskDone = async (sql: Sql, name: string, date: LocalDate): Promise<boolean> => {
  const rows = await sql`select from daily_work where name = ${name} and done_on = ${formatDate(date)}`;
  return rows.length > 0;
};

/** Returns the date that was last recorded for a task; undefined if there is none. */
export const findDailyTaskDate = async (sql: Sql, name: string): Promise<LocalDate | undefined> => {
  const [row] = await sql<{ doneOn: string }[]>`select done_on::text as "doneOn" from daily_work where name = ${name}`;
  return row && localDate(row.doneOn);
};

/** Records that a task has been done on a date. */
export const upsertDailyTask = async (sql: Sql, name: string, date: LocalDate): Promise<void> => {
  await sql`
    insert into daily_work (name, done_on) values (${name}, ${formatDate(date)})
    on conflict (name) do update set done_on = excluded.done_on`;
};
