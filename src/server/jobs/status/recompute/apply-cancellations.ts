import { formatObservation } from '#domain/status/observed-flight.ts';
import type { Database } from '#store/pool/database.ts';
import {
  closeCancellations,
  deleteCancellationMessages,
  listCancelledFlights,
  listOpenCancellations,
  lockCancellations,
  type OpenCancellation,
} from '#store/status/schedule-cancellations.ts';
import { getNewestLoadId } from '#store/schedules/schedules.ts';
import {
  formatStatusId,
  listStatuses,
  lockStatuses,
  lockStatusesShared,
  type StatusFlight,
  type StatusId,
} from '#store/status/flight-statuses.ts';
import { insertMessages, type StoredStatusMessage } from '#store/status/status-messages.ts';
import { readFlightSnapshots, type FlightSnapshot, StaleSnapshotError } from '../flights/flight-snapshots.ts';
import { matchMessages } from '../match/match-messages.ts';
import type { IngestContext } from '../store/store-messages.ts';
import { recomputeWithin } from './recompute-statuses.ts';

const BATCH_SIZE = 500;

/** Cancellations with their flights, as of a schedule load. */
type CancellationBatch = {
  readonly load: number;
  readonly withdrawn: readonly OpenCancellation[];
  readonly matched: readonly {
    readonly id: string;
    readonly subject: StatusFlight;
    readonly stored: StoredStatusMessage;
  }[];
  /** All flights concerned. */
  readonly ids: readonly StatusId[];
  readonly snapshots: ReadonlyMap<string, FlightSnapshot>;
};

/** Finds the flights of cancellations. Those of a flight that does not exist stay open. */
const readBatch = async (
  db: Database,
  open: readonly OpenCancellation[],
  { masterDataIndex }: IngestContext,
): Promise<CancellationBatch> => {
  const load = await getNewestLoadId(db);
  const pending = open.filter(({ state }) => state === 'pending');
  const withdrawn = open.filter(({ state }) => state === 'withdrawn');
  const matches = await matchMessages(
    db,
    pending.map(({ message }) => message),
    masterDataIndex,
  );
  const matched = pending.flatMap(({ id, message: { source, observedAt } }, index) => {
    const match = matches[index];
    if (!match || 'reason' in match) return [];
    const { subject } = match;
    const { departsOn, statusOrder } = subject;
    return [
      {
        id,
        subject,
        stored: { departsOn, statusOrder, id, source, observedAt, observation: formatObservation(match) },
      },
    ];
  });
  const before = await listCancelledFlights(
    db,
    withdrawn.map(({ id }) => id),
  );
  const all = [...matched.map(({ subject }) => subject), ...before];
  const ids = [...new Map(all.map((id) => [formatStatusId(id), id])).values()];
  return { load, withdrawn, matched, ids, snapshots: await readFlightSnapshots(db, ids) };
};

/** Adds and removes the messages of a batch and recomputes its statuses, each with one event, in one transaction. */
const storeBatch = (db: Database, batch: CancellationBatch, context: IngestContext): Promise<void> =>
  db.begin(async (sql) => {
    // Before the locks of statuses, as in the transaction that replaces cancellations.
    const states = await lockCancellations(
      sql,
      [...batch.withdrawn, ...batch.matched].map(({ id }) => id),
    );
    const matched = batch.matched.filter(({ id }) => states.get(id) === 'pending');
    const removed = batch.withdrawn.map(({ id }) => id).filter((id) => states.get(id) === 'withdrawn');
    await lockStatusesShared(sql);
    if ((await getNewestLoadId(sql)) !== batch.load) throw new StaleSnapshotError('a schedule was loaded');
    // All in one call, which locks them in the order of all writers.
    const flights = [...(await listStatuses(sql, batch.ids)), ...matched.map(({ subject }) => subject)];
    await lockStatuses(sql, [...new Map(flights.map((flight) => [formatStatusId(flight), flight])).values()]);
    await insertMessages(
      sql,
      matched.map(({ stored }) => stored),
    );
    await deleteCancellationMessages(sql, removed);
    await recomputeWithin(sql, { ids: batch.ids, superseded: new Set(), snapshots: batch.snapshots }, context);
    await closeCancellations(sql, { stored: matched.map(({ id }) => id), removed });
  });

/**
 * Brings statuses in line with the cancellations in force: those that are new become messages of their statuses, and those withdrawn are removed
 * from them. An interrupted call is completed by the next one.
 */
export const applyCancellations = async (db: Database, context: IngestContext): Promise<void> => {
  let after = '';
  for (;;) {
    const open = await listOpenCancellations(db, { after, limit: BATCH_SIZE });
    const last = open.at(-1);
    if (!last) return;
    try {
      await storeBatch(db, await readBatch(db, open, context), context);
      after = last.id;
    } catch (error) {
      // Repeats the batch.
      if (!(error instanceof StaleSnapshotError)) throw error;
    }
  }
};
