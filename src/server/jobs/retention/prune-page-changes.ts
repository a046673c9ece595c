import type { Database } from '#store/pool/database.ts';
import { readPruneMark, prunePageChanges, type PruneMark } from '#store/status/page-changes.ts';
import { BackgroundDriver } from '../driver.ts';

export type PageChangePruningOptions = {
  readonly onError: (error: unknown) => void;
  /** Minimum retention of a change after its commit, milliseconds: a process that reads changes less often empties its page cache. */
  readonly retentionMs?: number;
  readonly driver?: BackgroundDriver | undefined;
};

/**
 * Starts to prune page changes: a run deletes what was committed before the run before it. Writers record the changes even if no process caches
 * pages. Any number of processes may run it. Returns a function that stops it.
 */
export const startPageChangePruning = async (
  db: Database,
  { onError, retentionMs, driver = new BackgroundDriver(db) }: PageChangePruningOptions,
): Promise<() => Promise<void>> => {
  let due: PruneMark | undefined;
  const { stop } = await driver.start('prune-page-changes', {
    run: async () => {
      const mark = await readPruneMark(db);
      // Numbers of another server, or of this one before its restart, cannot be compared.
      if (due?.serverId === mark.serverId) await prunePageChanges(db, due);
      due = mark;
      return 'done';
    },
    onError,
    periodMs: retentionMs,
  });
  return stop;
};
