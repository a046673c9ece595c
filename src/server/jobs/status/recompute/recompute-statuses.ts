import { findOperating } from '#domain/schedule/designators.ts';
import { parseObservation } from '#domain/status/observed-flight.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import {
  type FlightStatusRow,
  formatStatusId,
  listStatuses,
  lockStatuses,
  lockStatusesShared,
  type ScheduleReference,
  type StatusId,
  updateStatuses,
} from '#store/status/flight-statuses.ts';
import { getNewestLoadId } from '#store/schedules/schedules.ts';
import type { StatusInstanceRow } from '#store/status/status-instances.ts';
import { listMessages } from '#store/status/status-messages.ts';
import { clearSuperseded, moveSupersededInstances } from '#store/status/unscheduled-instances.ts';
import {
  type FlightSnapshot,
  isCurrent,
  readFlightSnapshots,
  StaleSnapshotError,
  withInstances,
  withReferenceTimes,
} from '../flights/flight-snapshots.ts';
import { recomputeStatus } from '../store/compute-status.ts';
import { toScheduleReference, readListRow } from '../flights/schedule-reference.ts';
import type { IngestContext } from '../store/store-messages.ts';
import { emitStatusChanges, NO_STATUS, type StatusTransition } from '../emit-changes.ts';
import { createRedactor } from '../privacy/redact-registrations.ts';

/**
 * Flights that a schedule change affects. `superseded` has the IDs of those that were unscheduled before, `returned` those of flights that are
 * unscheduled again.
 */
type RecomputeScope = {
  readonly ids: readonly StatusId[];
  readonly superseded: ReadonlySet<string>;
  readonly returned?: ReadonlySet<string>;
};

/** Whether an instance remains when a schedule replaces the description: scheduled ones, and recovery flights, which fly in addition. */
const remains = ({ flightType, original }: StatusInstanceRow): boolean => flightType === 'S' || original !== undefined;

const toInstanceReference = (instance: StatusInstanceRow): ScheduleReference =>
  toScheduleReference({ ...instance, isRecovery: instance.original !== undefined }, readListRow(instance));

/** `transition` is undefined for a flight that no schedule has: its status has no events. */
type RecomputedStatus = { readonly row: FlightStatusRow; readonly transition: StatusTransition | undefined };

type RecomputeContext = {
  readonly messages: Parameters<typeof recomputeStatus>[1];
  readonly redact: Awaited<ReturnType<typeof createRedactor>>;
  /** Whether the flight continues under other keys. */
  readonly renamed: boolean;
  readonly context: IngestContext;
};

const recomputeOne = (
  status: FlightStatusRow,
  snapshot: FlightSnapshot,
  { messages, redact, renamed, context }: RecomputeContext,
): readonly RecomputedStatus[] => {
  // The status is compared with the times of the operating flight.
  const operating = findOperating(snapshot.instances);
  if (!operating) {
    const row = recomputeStatus(status, messages, {
      reference: status.reference,
      masterDataIndex: context.masterDataIndex,
    });
    return [{ row: redact(row), transition: undefined }];
  }
  if (!isCurrent(snapshot, status.describedAt)) throw new StaleSnapshotError('a flight description changed');
  const reference = toInstanceReference(operating);
  const row = redact(recomputeStatus(status, messages, { reference, masterDataIndex: context.masterDataIndex }));
  const flight = snapshot.reportable;
  // Under its scheduled keys, no event of a formerly unscheduled flight was emitted, nor the latest under its own key when it returns: everything
  // observed is new.
  const before = renamed
    ? { flight, status: NO_STATUS }
    : { flight: withReferenceTimes(flight, status.reference), status };
  return [{ row, transition: { departsOn: row.departsOn, before, after: { flight, status: row } } }];
};

/**
 * Recomputes statuses within a transaction that holds the shared lock on statuses. The snapshots are read before it, as of the newest load.
 * The statuses are locked in the order of all writers; those that the caller has locked stay so.
 */
export const recomputeWithin = async (
  sql: Sql,
  {
    ids,
    superseded,
    returned,
    snapshots,
  }: RecomputeScope & { readonly snapshots: ReadonlyMap<string, FlightSnapshot> },
  context: IngestContext,
): Promise<void> => {
  const locked = await lockStatuses(sql, await listStatuses(sql, ids));
  const redact = await createRedactor(sql, locked);
  const messages = Map.groupBy(await listMessages(sql, ids), formatStatusId);
  const recomputed = locked.map(redact).flatMap((status) => {
    const id = formatStatusId(status);
    const snapshot = snapshots.get(id);
    if (!snapshot) return [];
    return recomputeOne(status, snapshot, {
      messages: (messages.get(id) ?? []).map(parseObservation),
      redact,
      renamed: superseded.has(id) || returned?.has(id) === true,
      context,
    });
  });
  await moveSupersededInstances(
    sql,
    ids.filter((id) => superseded.has(formatStatusId(id))),
  );
  await clearSuperseded(
    sql,
    ids.filter((id) => returned?.has(formatStatusId(id))),
  );
  await updateStatuses(
    sql,
    recomputed.map(({ row }) => row),
  );
  // A status that has and had no observations has no events.
  const observed = recomputed.flatMap(({ row, transition }) =>
    transition && (row.statusJson !== '' || (transition.before?.status.statusJson ?? '') !== '') ? [transition] : [],
  );
  await emitStatusChanges(sql, observed, context);
};

/**
 * Recomputes statuses with the current schedule and emits events of what changed. Flights are read before the transaction, as for messages;
 * after a schedule load in between it starts again.
 */
export const recomputeStatuses = async (db: Database, scope: RecomputeScope, context: IngestContext): Promise<void> => {
  for (;;)
    try {
      const load = await getNewestLoadId(db);
      const read = await readFlightSnapshots(db, scope.ids);
      const snapshots = new Map(
        [...read].map(([id, snapshot]) => [
          id,
          scope.superseded.has(id) ? withInstances(snapshot, snapshot.instances.filter(remains)) : snapshot,
        ]),
      );
      await db.begin(async (sql) => {
        await lockStatusesShared(sql);
        if ((await getNewestLoadId(sql)) !== load) throw new StaleSnapshotError('a schedule was loaded');
        await recomputeWithin(sql, { ...scope, snapshots }, context);
      });
      return;
    } catch (error) {
      if (!(error instanceof StaleSnapshotError)) throw error;
    }
};
