import type { LocalDate } from '#domain/time/dates.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { getUtcOffset } from '#domain/time/zones.ts';
import { MAX_PLAN_DAYS } from '#domain/status/plan-days.ts';
import { parseStatusMessage } from '#domain/status/observed-flight.ts';
import type { Database } from '#store/pool/database.ts';
import { formatStatusId, listOutdatedStatuses, lockAllStatuses } from '#store/status/flight-statuses.ts';
import { moveRetimedStatuses } from '#store/status/retimed-statuses.ts';
import { listQuarantined, type QuarantineId } from '#store/status/status-messages.ts';
import { listSupersededStatuses, restoreSupersededInstances } from '#store/status/unscheduled-instances.ts';
import { linkRecoveredFlights } from './link-recovered-flights.ts';
import { recomputeStatuses } from './recompute-statuses.ts';
import { NewDays, type NewDaysOptions } from '../store/new-days.ts';
import type { IngestContext } from '../store/store-messages.ts';
import { ingestMessages } from '../ingest/status-ingester.ts';

const BATCH_SIZE = 500;

/** A load leaves the creation of days to the servers. */
const DAYS_OF_SERVERS: NewDaysOptions = { planDays: { back: MAX_PLAN_DAYS, ahead: MAX_PLAN_DAYS }, max: 0 };

/** Ingests the messages in quarantine again; those that still match no flight stay there. Returns how many were stored. */
const retryQuarantined = async (db: Database, context: IngestContext): Promise<number> => {
  let stored = 0;
  let after: QuarantineId | undefined;
  for (;;) {
    const quarantined = await listQuarantined(db, after, BATCH_SIZE);
    const last = quarantined.at(-1);
    if (!last) return stored;
    const messages = quarantined.map(({ message }) => parseStatusMessage(message));
    const outcomes = await ingestMessages(db, messages, context);
    stored += outcomes.filter(({ kind }) => kind === 'stored' || kind === 'duplicate').length;
    after = last;
  }
};

export type ScheduleUpdateOptions = {
  /** The first and the last local date of departure for which schedules changed. */
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly today: LocalDate;
  readonly clock?: (() => Date) | undefined;
};

/**
 * Numbers of statuses whose unscheduled flights are now scheduled, or are no longer scheduled and returned, of retimed statuses, and of messages
 * released from quarantine.
 */
export type ScheduleUpdateReport = {
  readonly superseded: number;
  readonly returned: number;
  readonly retimed: number;
  readonly released: number;
};

/**
 * Updates statuses after schedules for a span of dates have changed: unscheduled flights become scheduled ones, and return when the schedule no
 * longer contains them, statuses follow flights that are retimed over midnight and are recomputed with new times, recovery flights are linked to what
 * they recover, and messages in quarantine are matched again. Emits events of the changes. Repeating it changes nothing.
 */
export const updateStatusesForSchedules = async (
  db: Database,
  { from, to, today, clock = () => new Date() }: ScheduleUpdateOptions,
  masterDataIndex: MasterDataIndex,
): Promise<ScheduleUpdateReport> => {
  const span = { from, to };
  const context = { masterDataIndex, clock, today, newDays: new NewDays(today, DAYS_OF_SERVERS) };
  // Waits for transactions that matched their messages before the load; later ones see it.
  const { restored, moved } = await db.begin(async (sql) => {
    await lockAllStatuses(sql);
    return { moved: await moveRetimedStatuses(sql, span), restored: await restoreSupersededInstances(sql) };
  });
  const supersededStatuses = await listSupersededStatuses(db, span);
  const superseded = new Set(supersededStatuses.map(formatStatusId));
  const outdated = await listOutdatedStatuses(db, span, (location, utc, offset) => {
    const zone = masterDataIndex.location(location)?.zone;
    return zone === undefined || getUtcOffset(zone, utc) === offset;
  });
  const returned = new Set(restored.map(formatStatusId));
  const affected = [...supersededStatuses, ...restored, ...moved, ...outdated];
  const ids = [...new Map(affected.map((status) => [formatStatusId(status), status])).values()];
  for (let start = 0; start < ids.length; start += BATCH_SIZE)
    await recomputeStatuses(db, { ids: ids.slice(start, start + BATCH_SIZE), superseded, returned }, context);
  await linkRecoveredFlights(db, context);
  const released = await retryQuarantined(db, context);
  return { superseded: superseded.size, returned: returned.size, retimed: outdated.length, released };
};
