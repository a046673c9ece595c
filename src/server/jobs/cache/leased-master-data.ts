import { createLease } from '#lib/lease.ts';
import { withTimeout } from '#lib/with-timeout.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import type { BackgroundDriver } from '../driver.ts';
import {
  readWarmMasterData,
  refreshMasterData,
  startMasterDataCache,
  type CachedMasterData,
  type LoadedMasterData,
  type MasterDataCopy,
} from './master-data-cache.ts';

/** How long a request waits for changed master data, milliseconds; all records of the world take about one second. */
const MAX_WAIT_MS = 5000;
/** How long the copy is used without a check after one that failed, milliseconds. */
const RETRY_MS = 1000;

export type LeasedMasterDataOptions = {
  /** The pool of the checks, which must fail soon when the database is unreachable. */
  readonly versionSql: Sql;
  readonly leaseMs: number;
  readonly clock: () => Date;
  /** Called when a later read fails; the copy stays. */
  readonly onError: (error: unknown) => void;
  readonly driver?: BackgroundDriver | undefined;
};

/** Master data in memory that are current: they include each change that was committed more than a lease ago. */
export type LeasedMasterData = CachedMasterData<LoadedMasterData> & {
  /** Whether the copy is current, or cannot be compared because the database is unreachable. */
  readonly isCaughtUp: () => boolean;
  /** Resolves when `isCaughtUp` holds; never rejects. */
  readonly catchUp: () => Promise<void>;
  /** The instant up to which the copy contains all changes, when the last check failed; undefined when it is current. */
  readonly staleAsOf: () => Date | undefined;
};

/** Keeps master data in memory, and on a lease. Rejects when the first read fails. */
export const startLeasedMasterData = async (
  db: Database,
  { versionSql, leaseMs, clock, onError, driver }: LeasedMasterDataOptions,
): Promise<LeasedMasterData> => {
  let copy: MasterDataCopy | undefined;
  let confirmedAt = clock();
  /** Whether the last check failed. */
  let hasFailed = false;
  const refreshNow = async (): Promise<void> => {
    const startedAt = clock();
    copy = copy ? await refreshMasterData(db, copy, { versionSql, clock }) : await readWarmMasterData(db, clock);
    confirmedAt = startedAt;
    hasFailed = false;
  };
  let last = Promise.resolve();
  /** Refreshes after the refresh before: the watch and the lease call it, one at a time each. */
  const refresh = (): Promise<void> => (last = last.then(refreshNow, refreshNow));
  const readCopy = async (): Promise<MasterDataCopy> => {
    await refresh();
    if (!copy) throw new Error('the master data have not been read');
    return copy;
  };
  const cache = await startMasterDataCache(db, { read: readCopy, onError, driver });
  const lease = createLease(leaseMs, refresh);
  let uncheckedUntil = -Infinity;
  return {
    current: () => copy ?? cache.current(),
    stop: cache.stop,
    staleAsOf: () => (hasFailed ? confirmedAt : undefined),
    isCaughtUp: () => lease.isCaughtUp() || performance.now() < uncheckedUntil,
    catchUp: async () => {
      const caughtUp = lease.catchUp().then(
        () => true,
        () => false,
      );
      hasFailed = !(await withTimeout(MAX_WAIT_MS, caughtUp));
      if (hasFailed) uncheckedUntil = performance.now() + RETRY_MS;
    },
  };
};
