import { isPageAffected, type PageChange, type PageContents } from '../../domain/events/page-changes.ts';
import { singleFlight } from '../../lib/single-flight.ts';
import type { PageChangeLog } from '../../http/cache/page-cache.ts';
import type { Sql } from '../../store/pool/database.ts';
import { listPageChanges, type DatabaseSnapshot } from '../../store/status/page-changes.ts';

/** Changes further back than so many are forgotten, and with them what pages rest on that have not been looked at since. */
const MOST_CHANGES = 20_000;

/**
 * Follows what changes in the database that pages show. It is asked with one small query for however many requests wait at that moment,
 * and only when one does. `sql` is a pool of one connection: with each new one it begins anew.
 */
export const createPageChangeLog = (sql: Sql): PageChangeLog<PageContents> => {
  let moment: DatabaseSnapshot | undefined;
  /** Changes by their position: that of the first is `forgotten`. */
  let changes: PageChange[] = [];
  let forgotten = 0;

  const forgetAll = (): void => {
    forgotten += changes.length + 1;
    changes = [];
  };

  const take = (found: readonly PageChange[]): void => {
    if (found.some(({ kind }) => kind === 'all') || found.length > MOST_CHANGES) return forgetAll();
    for (const change of found) changes.push(change);
    // Half at a time, so that it is seldom.
    if (changes.length <= 2 * MOST_CHANGES) return undefined;
    forgotten += changes.length - MOST_CHANGES;
    changes = changes.slice(-MOST_CHANGES);
    return undefined;
  };

  const upToDate = singleFlight(async () => {
    try {
      const { now: current, changes: found } = await listPageChanges(sql, moment);
      moment = current;
      take(found);
    } catch (error) {
      // What was lost with the connection may be more than an answer.
      moment = undefined;
      forgetAll();
      throw error;
    }
  });

  return {
    catchUp: upToDate,
    position: () => (moment === undefined ? undefined : forgotten + changes.length),
    isUnchanged: (shows, since) => {
      if (moment === undefined || since < forgotten) return false;
      for (let index = since - forgotten; index < changes.length; index += 1) {
        const change = changes[index];
        if (change && isPageAffected(shows, change)) return false;
      }
      return true;
    },
  };
};
