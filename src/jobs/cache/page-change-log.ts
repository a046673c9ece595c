import { isPageAffected, type PageChange, type PageContents } from '../../domain/cache/page-invalidation.ts';
import { singleFlight } from '../../lib/single-flight.ts';
import type { PageChangeLog } from '../../http/cache/page-cache.ts';
import type { Sql } from '../../store/pool/database.ts';
import { listPageChanges, type DatabaseSnapshot } from '../../store/status/page-changes.ts';

/** The most changes in memory. Cached pages that have not been validated since an older change are dropped. */
const MAX_CHANGES = 20_000;

/**
 * Creates a log of the database changes that affect cached pages. Each check for changes, one small query, grants a lease from its beginning on:
 * until the lease ends, requests need no check. The first request in the second half of a lease starts the next check in the background, so
 * that requests wait for none while there is traffic; without requests there is no query. With `leaseMs` 0, requests that wait at a moment
 * share a check. `sql` must be a pool of one connection: with each new connection the log starts again.
 */
export const createPageChangeLog = (sql: Sql, leaseMs = 0): PageChangeLog<PageContents> => {
  /** When the last check began that succeeded, of the monotonic clock. */
  let checkedAt = -Infinity;
  let snapshot: DatabaseSnapshot | undefined;
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

  const check = singleFlight(async () => {
    const startedAt = performance.now();
    try {
      const { now, changes } = await listPageChanges(sql, snapshot);
      snapshot = now;
      add(changes);
      checkedAt = startedAt;
    } catch (error) {
      // A lost connection may have lost changes.
      snapshot = undefined;
      checkedAt = -Infinity;
      clear();
      throw error;
    }
  });

  let renewal: Promise<void> | undefined;
  const renew = (): Promise<void> => (renewal ??= check().finally(() => (renewal = undefined)));
  const hasLease = (): boolean => performance.now() - checkedAt < leaseMs;

  return {
    isCaughtUp: () => {
      if (!hasLease()) return false;
      // A failure is reported to the request that finds no lease.
      if (performance.now() - checkedAt >= leaseMs / 2) renew().catch(() => {});
      return true;
    },
    catchUp: async () => {
      // A check under way is recent enough if its lease has not ended when it returns.
      if (leaseMs > 0) await renew();
      if (!hasLease()) await check();
    },
    position: () => (snapshot === undefined ? undefined : firstPosition + changes.length),
    isUnchanged: (contents, since) => {
      if (snapshot === undefined || since < firstPosition) return false;
      for (let index = since - firstPosition; index < changes.length; index += 1) {
        const change = changes[index];
        if (change && isPageAffected(contents, change)) return false;
      }
      return true;
    },
  };
};
