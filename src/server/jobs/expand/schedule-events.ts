import { buildDifferenceEvent, toNewEvent } from '#products/flight-info-alerts/v1/events/build-events.ts';
import { createPreparedEventTables, insertPreparedEvents } from '#store/events/prepared-events.ts';
import type { Sql } from '#store/pool/database.ts';
import { listDifferences, type OtherDays, pairDifferences } from '#store/schedules/schedule-differences.ts';
import { getLoadTime } from '#store/schedules/schedules.ts';

/** Differences in one batch: some megabytes of old and new instances. */
const BATCH_SIZE = 1000;

/**
 * Writes the events of all differences that the load `loadId` caused; flights that disappeared are searched on
 * `otherDays`. The events become visible when they are settled.
 */
export const prepareScheduleEvents = async (sql: Sql, loadId: number, otherDays: OtherDays): Promise<void> => {
  const createdAt = await getLoadTime(sql, loadId);
  await pairDifferences(sql, otherDays);
  await createPreparedEventTables(sql);
  let after = '';
  for (;;) {
    const differences = await listDifferences(sql, { after, limit: BATCH_SIZE });
    const last = differences.at(-1);
    if (!last) return;
    await insertPreparedEvents(
      sql,
      differences.flatMap((difference) => {
        const keyed = buildDifferenceEvent(difference);
        return keyed ? [toNewEvent(keyed, createdAt)] : [];
      }),
    );
    after = last.key;
  }
};
