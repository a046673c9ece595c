import { singleFlight } from './single-flight.ts';

/** A lease on data in memory (Gray and Cheriton, 1989): they count as current for a while after a check. */
export type Lease = {
  /** Whether the data include every change committed more than a lease ago. Starts a check in the background before the lease ends. */
  readonly isCaughtUp: () => boolean;
  /** Resolves when they do, or without leases when they include every change committed before the call; rejects when the check fails. */
  readonly catchUp: () => Promise<void>;
};

/**
 * Creates a lease that each check grants from its beginning on, on the monotonic clock. The first caller in the second half of a lease starts
 * the next check, so that callers wait for none while there are many; without callers there is no check. With `leaseMs` 0, callers that wait at
 * a moment share a check.
 */
export const createLease = (leaseMs: number, check: () => Promise<void>): Lease => {
  /** When the last check began that succeeded. */
  let checkedAt = -Infinity;
  const checkNow = async (): Promise<void> => {
    const startedAt = performance.now();
    try {
      await check();
      checkedAt = startedAt;
    } catch (error) {
      checkedAt = -Infinity;
      throw error;
    }
  };
  const checkForAll = singleFlight(checkNow);
  let renewal: Promise<void> | undefined;
  const renew = (): Promise<void> => (renewal ??= checkNow().finally(() => (renewal = undefined)));
  const hasLease = (): boolean => performance.now() - checkedAt < leaseMs;
  return {
    isCaughtUp: () => {
      if (!hasLease()) return false;
      // A failure is reported to the caller that finds no lease.
      if (performance.now() - checkedAt >= leaseMs / 2) renew().catch(() => {});
      return true;
    },
    catchUp: async () => {
      if (leaseMs === 0) return checkForAll();
      // A check under way is recent enough if its lease has not ended when it returns; the next one begins after this call.
      await renew();
      return hasLease() ? undefined : renew();
    },
  };
};
