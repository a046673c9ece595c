import type { LocalDate } from '#domain/time/dates.ts';
import { isDailyTaskDone, lockDailyTask, upsertDailyTask } from '#store/tasks/daily-tasks.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { replaceSeatPredictions } from '#store/flights/seat-predictions.ts';

/** The number of past days that are evaluated: each day of the week four times. */
const HISTORY_DAYS = 28;
const NAME = 'seats';

const predict = async (sql: Sql, today: LocalDate): Promise<number> => {
  const built = await replaceSeatPredictions(sql, { since: today, days: HISTORY_DAYS });
  await upsertDailyTask(sql, NAME, today);
  return built;
};

/** Predicts the seats of flights from today; returns the number of flight numbers per route with a prediction. */
export const predictSeats = async (db: Database, today: LocalDate): Promise<number> =>
  db.begin(async (sql) => {
    await lockDailyTask(sql, NAME);
    return predict(sql, today);
  });

/** Predicts the seats of flights unless a server has done so today. */
export const predictSeatsDaily = async (db: Database, today: LocalDate): Promise<void> => {
  await db.begin(async (sql) => {
    await lockDailyTask(sql, NAME);
    if (!(await isDailyTaskDone(sql, NAME, today))) await predict(sql, today);
  });
};
