import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { deleteStatusUpdates, listStatusUpdates } from '#store/status/status-updates.ts';
import { applyCancellations } from './apply-cancellations.ts';
import { updateStatusesForSchedules } from './update-for-schedules.ts';

export type FinishOptions = {
  readonly today: LocalDate;
  readonly clock?: (() => Date) | undefined;
  /** Leaves newer updates to the process that recorded them, milliseconds. */
  readonly minAgeMs?: number;
};

/**
 * Updates the statuses of flights that schedule files and messages have changed, also what an interrupted process left. Returns whether there was
 * anything to do. Two processes may do the same work: repeating it changes nothing.
 */
export const finishStatusUpdates = async (
  db: Database,
  { today, clock = () => new Date(), minAgeMs = 0 }: FinishOptions,
  masterDataIndex: MasterDataIndex,
): Promise<boolean> => {
  const pending = await listStatusUpdates(db, minAgeMs);
  if (pending.length === 0) return false;
  const spans = pending.flatMap(({ span }) => span ?? []);
  const [first] = spans;
  if (first) {
    const span = spans.reduce(
      ({ from, to }, each) => ({ from: each.from < from ? each.from : from, to: each.to > to ? each.to : to }),
      first,
    );
    await updateStatusesForSchedules(db, { ...span, today, clock }, masterDataIndex);
  }
  await applyCancellations(db, { masterDataIndex, clock, today });
  await deleteStatusUpdates(
    db,
    pending.map(({ id }) => id),
  );
  return true;
};
