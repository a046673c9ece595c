import { beforeEach, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import { isDailyTaskDone, lockDailyTask, upsertDailyTask } from '../../../src/store/tasks/daily-tasks.ts';
import { predictSeats, predictSeatsDaily } from '../../../src/jobs/statistics/predict-seats.ts';
import { schedule } from '../../products/flight-info/v2/example-schedule.ts';
import { sharedDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData } from '../../support/tiny-world.ts';

const { sql: db } = await sharedDatabase();
await saveTinyMasterData(db);
await publishText(db, schedule);
beforeEach(() => db`truncate daily_work, seat_prediction`);

const june4 = localDate('2026-06-04');
const june5 = localDate('2026-06-05');
const predictions = async (): Promise<readonly string[]> => {
  const rows = await db<
    { since: string }[]
  >`select since from seat_prediction order by flight_number, departure, arrival`;
  return rows.map(({ since }) => since);
};

test('is done on the recorded date only', async () => {
  const listDone = async () => [
    await isDailyTaskDone(db, 'seats', june4),
    await isDailyTaskDone(db, 'seats', june5),
    await isDailyTaskDone(db, 'other', june4),
  ];
  expect(await listDone()).toEqual([false, false, false]);
  await upsertDailyTask(db, 'seats', june4);
  expect(await listDone()).toEqual([true, false, false]);
  await upsertDailyTask(db, 'seats', june5);
  expect(await listDone()).toEqual([false, true, false]);
});

test('the same tasks wait for each other, different tasks do not', async () => {
  const order: string[] = [];
  await db
    .begin(async (first) => {
      await lockDailyTask(first, 'seats');
      await db.begin((other) => lockDailyTask(other, 'other'));
      order.push('other');
      const waiting = db.begin(async (second) => {
        await lockDailyTask(second, 'seats');
        order.push('second');
      });
      const [row] = await db<{ isFree: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('flightdata seats')) as "isFree"`;
      order.push(`free: ${row?.isFree}`);
      return { waiting };
    })
    .then(({ waiting }) => waiting);
  expect(order).toEqual(['other', 'free: false', 'second']);
});

test('two servers that predict seats concurrently both succeed, and store one prediction of each flight', async () => {
  const alone = await predictSeats(db, june4);
  const whole = await predictions();
  expect([alone, whole.length]).toEqual([whole.length, alone]);
  expect(alone).toBeGreaterThan(0);
  expect(await Promise.all([predictSeats(db, june4), predictSeats(db, june4)])).toEqual([alone, alone]);
  expect(await predictions()).toEqual(whole);
});

test('two servers that predict seats daily run once a day between them', async () => {
  await Promise.all([predictSeatsDaily(db, june4), predictSeatsDaily(db, june4)]);
  const whole = await predictions();
  expect(new Set(whole)).toEqual(new Set(['2026-06-04']));
  await db`delete from seat_prediction`;
  await predictSeatsDaily(db, june4);
  expect(await predictions()).toEqual([]);
  await predictSeatsDaily(db, june5);
  expect(await predictions()).toEqual(whole.map(() => '2026-06-05'));
});
