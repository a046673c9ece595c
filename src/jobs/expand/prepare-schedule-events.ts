import { buildDifferenceEvent, toNewEvent } from '../../products/flight-info-alerts/v1/events/build-events.ts';
import type { Sql } from '../../store/pool/database.ts';
import { createPreparedEventTables, insertPreparedEvents } from '../../store/events/prepared-events.ts';
import { pairDifferences, listDifferences, type OtherDays } from '../../store/schedules/schedule-differences.ts';
import { getLoadTime } from '../../store/schedules/schedules.ts';

/** How many instances are in memory at once, as they were and as they are: some megabytes. */
const PREPARED_AT_ONCE = 1000;

/**
 * Writes the events of all that was noted of flights while the load `loadId` laid its schedules out; those that are gone are looked for
 * `elsewhere`. They are settled last.
 */
export const prepareScheduleEvents = async (sql: Sql, loadId: number, elsewhere: OtherDays): Promise<void> => {
  const madeAt = await getLoadTime(sql, loadId);
  await pairDifferences(sql, elsewhere);
  await createPreparedEventTables(sql);
  let after = '';
  for (;;) {
    const differences = await listDifferences(sql, { after, limit: PREPARED_AT_ONCE });
    const last = differences.at(-1);
    if (!last) return;
    await insertPreparedEvents(
      sql,
      differences.flatMap((difference) => {
        const keyed = buildDifferenceEvent(difference);
        return keyed ? [toNewEvent(keyed, madeAt)] : [];
      }),
    );
    after = last.key;
  }
};
