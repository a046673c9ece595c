import { isPageAffected, type PageChange, type PageContents } from '#domain/cache/page-invalidation.ts';
import { createLease } from '#lib/lease.ts';
import type { PageChangeLog } from '#http/cache/page-cache.ts';
import type { Sql } from '#store/pool/database.ts';
import { listPageChanges, type DatabaseSnapshot } from '#store/status/page-changes.ts';

/** The most changes in memory. Cached pages that have not been validated since an older change are dropped. */
const MAX_CHANGES = 20_000;

/**
 * Creates a log of the database changes that affect cached pages. Each check for changes is one small query. `sql` must be a pool of one
 * connection: with each new connection the log starts again.
 */
export const createPageChangeLog = (
  sql: Sql,
  leaseMs = 0,
  clock: () => Date = () => new Date(),
): PageChangeLog<PageContents> => {
  /** Undefined before the first check, and after one that failed. */
  let snapshot: DatabaseSnapshot | undefined;
  /** When the last check began that succeeded. */
  let checkedAt: Date | undefined;
  let changes: PageChange[] = [];
  /** The position of the first change in `changes`. */
  let firstPosition = 0;

  const clear = (): void => {
    firstPosition += changes.length + 1;
    changes = [];
  };

  const add = (added: readonly PageChange[]): void => {
    if (added.some(({ kind }) => kind === 'all') || added.length > MAX_CHANGES) return clear();
    for (const change of added) changes.push(change);
    // Drops half at a time, so that copying is rare.
    if (changes.length <= 2 * MAX_CHANGES) return undefined;
    firstPosition += changes.length - MAX_CHANGES;
    changes = changes.slice(-MAX_CHANGES);
    return undefined;
  };

  const check = async (): Promise<void> => {
    const startedAt = clock();
    try {
      const { now, changes } = await listPageChanges(sql, snapshot);
      snapshot = now;
      checkedAt = startedAt;
      add(changes);
    } catch (error) {
      // A lost connection may have lost changes: the next check drops all pages.
      snapshot = undefined;
      throw error;
    }
  };

  const wasUnchanged = (contents: PageContents, since: number): boolean => {
    if (since < firstPosition) return false;
    for (let index = since - firstPosition; index < changes.length; index += 1) {
      const change = changes[index];
      if (change && isPageAffected(contents, change)) return false;
    }
    return true;
  };

  return {
    ...createLease(leaseMs, check),
    position: () => (snapshot === undefined ? undefined : firstPosition + changes.length),
    isUnchanged: (contents, since) => snapshot !== undefined && wasUnchanged(contents, since),
    checkedAt: () => checkedAt,
    wasUnchanged,
  };
};
