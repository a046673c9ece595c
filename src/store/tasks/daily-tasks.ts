import { formatDate, type LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';

/** Makes those who do a piece of work wait for each other until the transaction ends; `sql` must be a transaction. */
export const lockDailyTask = async (sql: Sql, name: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`flightdata ${name}`}))`;
};

/** Whether a piece of work has been done on a date; hold `lockDailyTask`. */
export const isDailyTaskDone = async (sql: Sql, name: string, date: LocalDate): Promise<boolean> => {
  const rows = await sql`select from daily_work where name = ${name} and done_on = ${formatDate(date)}`;
  return rows.length > 0;
};

/** Notes that a piece of work has been done on a date. */
export const upsertDailyTask = async (sql: Sql, name: string, date: LocalDate): Promise<void> => {
  await sql`
    insert into daily_work (name, done_on) values (${name}, ${formatDate(date)})
    on conflict (name) do update set done_on = excluded.done_on`;
};
