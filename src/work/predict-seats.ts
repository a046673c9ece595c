import type { LocalDate } from '../domain/dates.ts';
import type { Database } from '../store/database.ts';
import { buildSeatPredictions, seatPredictionsSince } from '../store/seat-predictions.ts';

/** How far back flights are looked at, days: four times each day of the week. */
const HISTORY_DAYS = 28;

/** Works out anew which seats to expect from today on; returns for how many flight numbers on a route that could be done. */
export const predictSeats = async (db: Database, today: LocalDate): Promise<number> =>
  db.begin((sql) => buildSeatPredictions(sql, { since: today, days: HISTORY_DAYS }));

/** The same, unless it was done today. */
export const predictSeatsDaily = async (db: Database, today: LocalDate): Promise<void> => {
  if ((await seatPredictionsSince(db)) !== today) await predictSeats(db, today);
};
