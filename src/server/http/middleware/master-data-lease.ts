import { markStale } from './data-as-of.ts';
import type { Step } from './in-order.ts';

/** Whether master data in memory are current, and how to make them so. */
export type MasterDataLease = {
  readonly isCaughtUp: () => boolean;
  readonly catchUp: () => Promise<void>;
  /** The instant up to which they contain all changes, when the last check failed; undefined when they are current. */
  readonly staleAsOf?: () => Date | undefined;
};

/**
 * Makes requests wait until the master data in memory are current, or marks them as stale.
 *
 * @example pipeline.before(isKeyed, masterDataLease({ isCaughtUp: () => true, catchUp: async () => {} }))
 */
export const masterDataLease =
  ({ isCaughtUp, catchUp, staleAsOf }: MasterDataLease): Step =>
  (c) => {
    const mark = (): void => {
      const asOf = staleAsOf?.();
      if (asOf) markStale(c, asOf);
    };
    return isCaughtUp() ? mark() : catchUp().then(mark);
  };
