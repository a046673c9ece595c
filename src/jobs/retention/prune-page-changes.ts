import type { Sql } from '../../store/pool/database.ts';
import { pruneMarkNow, prunePageChanges, type PruneMark } from '../../store/status/page-changes.ts';
import { startPeriodicTask } from '../../lib/periodic-task.ts';

/** A change is kept for at least so long after its commit: who asks less often begins anew. */
const KEPT_MS = 300_000;

export type PageChangePruning = {
  /** Hears of a pruning that failed; the next one does its work. */
  readonly onError: (error: unknown) => void;
  /** How long changes are kept at least, milliseconds. */
  readonly keptMs?: number;
};

/**
 * Deletes what nobody needs any more of what changed of pages, as long as it runs: what was committed by one round goes with the next.
 * Whoever writes leaves it behind, whether anybody keeps pages or not. Any number of processes may do this. Answers how to stop.
 */
export const keepPageChangesPruned = (
  sql: Sql,
  { onError, keptMs = KEPT_MS }: PageChangePruning,
): (() => Promise<void>) => {
  let due: PruneMark | undefined;
  const round = async (): Promise<void> => {
    const mark = await pruneMarkNow(sql);
    // Numbers of another server, or of this one before it started again, say nothing of this one.
    if (due?.run === mark.run) await prunePageChanges(sql, due);
    due = mark;
  };
  return startPeriodicTask({ run: round, onError, intervalMs: keptMs });
};
