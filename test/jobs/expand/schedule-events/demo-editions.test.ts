import { expect, test } from 'vitest';
import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import { readMctFile } from '#store/connections/mct.ts';
import { readMinimumConnectingTimes } from '#demo/world/minimum-connecting-times.ts';
import { extendHorizon } from '#jobs/expand/extend-horizon.ts';
import { seedDemo } from '#demo/seed-demo.ts';
import { DEMO_DAY, demoDatabase } from '#test/support/demo-database.ts';
import { createEventReader } from './stored-schedule.ts';

test('the first load of the demo world has connecting times and no events; a later load has events like any other', async () => {
  const { sql, drop } = await demoDatabase();
  try {
    const readEvents = createEventReader(sql);
    const begin = localDate(DEMO_DAY);
    expect(await readEvents()).toEqual([]);
    expect(await readMctFile(sql)).toStrictEqual(await readMinimumConnectingTimes(begin));
    const [end] = await sql<{ day: string }[]>`select max(to_date) as day from itinerary`;
    // On its last day the first world has only flights that are still in the air; the next world has all of the day.
    const today = localDate(end?.day ?? '');
    const flightsThen = async (): Promise<number> => {
      const [row] = await sql<{ instances: number }[]>`
        select instances from expanded_day where day = ${formatDate(today)}`;
      return row?.instances ?? 0;
    };
    await extendHorizon(sql, { today, horizonDays: 1, window: { from: today, days: 1 } });
    const before = await flightsThen();
    await seedDemo(sql, { horizonDays: 1, products: ['flight-info'], today: addDays(today, 1) });
    const added = (await flightsThen()) - before;
    expect(added).toBeGreaterThan(1000);
    const later = await readEvents();
    expect(later.filter(({ event }) => event.state === 'NEW')).toHaveLength(added);
  } finally {
    await drop();
  }
});
