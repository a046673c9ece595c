import type { LocalDate } from '../../domain/time/dates.ts';
import { isDailyTaskDone, lockDailyTask, upsertDailyTask } from '../../store/tasks/daily-tasks.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import { replaceSeatPredictions } from '../../store/flights/seat-predictions.ts';

/** How far back flights are looked at, days: four times each day of the week. */
const HISTORY_DAYS = 28;
const NAME = 'seats';

const predict = async (sql: Sql, today: LocalDate): Promise<number> => {
  const built = await replaceSeatPredictions(sql, { since: today, days: HISTORY_DAYS });
  await upsertDailyTask(sql, NAME, today);
  return built;
};

/** Works out anew which seats to expect from today on; returns for how many flight numbers on a route that could be done. */
export const predictSeats = async (db: Database, today: LocalDate): Promise<number> =>
  db.begin(async (sql) => {
    await lockDailyTask(sql, NAME);
    return predict(sql, today);
  });

/** The same, unless it has been done today, by this server or another one. */
export const predictSeatsDaily = async (db: Database, today: LocalDate): Promise<void> => {
  await db.begin(async (sql) => {
    await lockDailyTask(sql, NAME);
    if (!(await isDailyTaskDone(sql, NAME, today))) await predict(sql, today);
  });
};
