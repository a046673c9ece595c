import { expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import type { Sql } from '../../../../src/store/pool/database.ts';
import { insertEvents } from '../../../../src/store/events/event-outbox.ts';
import { lockVersions } from '../../../../src/store/events/flight-versions.ts';
import { createDay } from '../../../../src/store/flights/expanded-days.ts';
import { lockAllStatuses, lockStatusesShared } from '../../../../src/store/status/flight-statuses.ts';
import { extendHorizon } from '../../../../src/jobs/expand/extend-horizon.ts';
import { statusEvent } from '../../../domain/alerts/sample-events.ts';
import { buildFile, buildLeg } from '../../../feeds/ssim/build-file.ts';
import { listAllEvents, findLogFaults, sequence } from '../../../store/events/sample-events.ts';
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

test('concurrent loads and status writers do not deadlock, and lose no event', async () => {
  const flights = Array.from({ length: 12 }, (_, index) => String(100 + index).padStart(4, '0'));
  const edition = (terminal: string) =>
    buildFile(...flights.map((number) => buildLeg({ 6: number, ...days, 53: terminal })));
  await publish(edition('1'));
  const keys = [...(await readInstances(fresh.sql)).keys()];
  let stored = 0;
  const loading = new AbortController();
  /** Stores statuses as the ingester does: referenced IDs, flights, events last. */
  const store = async (from: number): Promise<void> => {
    for (let n = from; !loading.signal.aborted; n += 1)
      await fresh.sql.begin(async (sql) => {
        await lockStatusesShared(sql);
        await sql`insert into in_use (noun, id) values ('location', ${1 + (n % 11)}) on conflict do nothing`;
        await sql`select count(*) from flight_instance`;
        await sql`update expanded_day set longest_days = longest_days where day = '2026-06-01'`;
        const some = [keys[n % keys.length] ?? '', keys[(n * 7 + 3) % keys.length] ?? ''];
        const versions = await lockVersions(sql, some);
        const events = [...versions].map(([flightKey, { version }]) => ({
          flightKey,
          version: version + 1,
          madeAt: new Date('2026-06-01T12:00:00Z'),
          facts: statusEvent,
          body: '{}',
        }));
        await insertEvents(sql, events);
        stored += events.length;
      });
  };
  const storing = [store(0), store(100)];
  for (const terminal of ['2', '3', '4']) {
    await publish(edition(terminal));
    await fresh.sql`delete from in_use`;
  }
  loading.abort();
  await Promise.all(storing);
  await sequence(fresh.sql, { limit: 1_000_000 });
  const events = await listAllEvents(fresh.sql);
  const ofLoads = events.filter(({ facts }) => facts.kind === 'schedule').length;
  expect({ ofLoads, ofStatuses: events.length - ofLoads, ...findLogFaults(events) }).toEqual({
    ofLoads: 3 * 24,
    ofStatuses: stored,
    gaps: 0,
    inversions: 0,
    doubled: 0,
  });
  console.log(`3 loads of 24 flights while ${stored} events of statuses were stored: no ring, none lost`);
}, 240_000);

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
