import { expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import type { Sql } from '../../../../src/store/pool/database.ts';
import { lockVersions } from '../../../../src/store/events/flight-versions.ts';
import { createDay } from '../../../../src/store/flights/expanded-days.ts';
import { lockAllStatuses, lockStatusesShared } from '../../../../src/store/status/flight-statuses.ts';
import { extendHorizon } from '../../../../src/jobs/expand/extend-horizon.ts';
import { buildFile, buildLeg } from '../../../feeds/ssim/build-file.ts';
import { publishText, saveTinyMasterData } from '../../../support/tiny-world.ts';
import { clearSchedules, createEventReader, readInstances } from './stored-schedule.ts';
import { fresh, useDatabase } from '../../job-database.ts';

useDatabase({ prepare: saveTinyMasterData, reset: clearSchedules });

const publish = (text: string) => publishText(fresh.sql, text, { horizonDays: 3 });

const days = { 22: '02JUN26' };

/** Resolves when another connection waits for a lock. */
const someoneWaits = async (sql: Sql): Promise<void> => {
  for (;;) {
    const [row] = await sql<{ waiting: boolean }[]>`
      select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`;
    if (row?.waiting === true) return;
  }
};

test('a load waits for status writers before it locks rows that they may need', async () => {
  await publish(buildFile(buildLeg(days)));
  let loading: Promise<unknown> = Promise.resolve();
  await fresh.sql.begin(async (sql) => {
    await lockStatusesShared(sql);
    loading = publish(buildFile(buildLeg({ ...days, 53: '5' })));
    await someoneWaits(sql);
    const keys = [...(await readInstances(fresh.sql)).keys()];
    await sql`set local lock_timeout = '1ms'`;
    await sql`insert into in_use (noun, id) select 'location', id from location on conflict do nothing`;
    await sql`update expanded_day set longest_days = longest_days`;
    await sql`select count(*) from flight_instance`;
    expect((await lockVersions(sql, keys)).size).toBe(2);
  });
  await loading;
  await fresh.sql.begin((sql) => lockAllStatuses(sql));
  expect(await createEventReader(fresh.sql)()).toHaveLength(2);
});

test('extending the horizon to days with unscheduled flights waits for their writers, and locks none of the days', async () => {
  await publishText(fresh.sql, buildFile(buildLeg({ 22: '04JUN26' })), { horizonDays: 2 });
  const opened = ['2026-06-02', '2026-06-03'].map(localDate);
  await fresh.sql.begin(async (sql) => {
    for (const day of opened) await createDay(sql, day);
  });
  let rolling: Promise<unknown> = Promise.resolve();
  await fresh.sql.begin(async (sql) => {
    await lockStatusesShared(sql);
    await sql`update expanded_day set longest_days = 1 where day = '2026-06-03'`;
    rolling = extendHorizon(fresh.sql, { today: localDate('2026-06-01'), horizonDays: 5 });
    await someoneWaits(sql);
    await sql`set local lock_timeout = '1ms'`;
    await sql`update expanded_day set longest_days = 1 where day = '2026-06-02'`;
  });
  expect(await rolling).toEqual({ days: 3, instances: 3 });
});
