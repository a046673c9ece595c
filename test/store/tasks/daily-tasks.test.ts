import { beforeEach, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { isDailyTaskDone, lockDailyTask } from '#store/tasks/daily-tasks.ts';
import { predictSeats, predictSeatsDaily } from '#jobs/statistics/predict-seats.ts';
import { schedule } from '#test/products/flight-info/v2/example-schedule.ts';
import { sharedDatabase, untilBlocked } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';

const { sql: db } = await sharedDatabase();
await saveTinyMasterData(db);
await publishText(db, schedule);
beforeEach(() => db`truncate daily_work, seat_prediction`);

const june4 = localDate('2026-06-04');
const june5 = localDate('2026-06-05');
const predictions = async (): Promise<readonly string[]> => {
  const rows = await db<
    { since: string }[]
  >`select since from seat_prediction order by carrier, flight_number, departure`;
  return rows.map(({ since }) => since);
};

test('the same tasks wait for each other, different tasks do not', async () => {
  const { second } = await db.begin(async (sql) => {
    await lockDailyTask(sql, 'seats');
    await db.begin((other) => lockDailyTask(other, 'other'));
    const waiting = db.begin((other) => lockDailyTask(other, 'seats'));
    await untilBlocked(db);
    // Wrapped in an object: the transaction would await a returned promise, which waits for that transaction.
    return { second: { waiting } };
  });
  await expect(second.waiting).resolves.toBeUndefined();
});

test('two servers that predict seats concurrently both succeed, and store one prediction of each flight', async () => {
  const alone = await predictSeats(db, june4);
  const whole = await predictions();
  expect(alone).toBeGreaterThan(0);
  expect(whole).toEqual(Array.from({ length: alone }, () => '2026-06-04'));
  expect(await Promise.all([predictSeats(db, june4), predictSeats(db, june4)])).toEqual([alone, alone]);
  expect(await predictions()).toEqual(whole);
});

test('two servers that predict seats daily run once a day between them', async () => {
  await Promise.all([predictSeatsDaily(db, june4), predictSeatsDaily(db, june4)]);
  const whole = await predictions();
  const done = [june4, june5].map((day) => isDailyTaskDone(db, 'seats', day));
  expect(await Promise.all([...done, isDailyTaskDone(db, 'other', june4)])).toEqual([true, false, false]);
  await db`delete from seat_prediction`;
  await predictSeatsDaily(db, june4);
  expect(await predictions()).toEqual([]);
  await predictSeatsDaily(db, june5);
  expect(await predictions()).toEqual(whole.map(() => '2026-06-05'));
});
