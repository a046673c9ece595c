import type { SegmentData } from '../../domain/schedule/schedule.ts';
import type { LegDraft } from './leg-record.ts';

/** A record 4 as read. `afterLine` is the record 3 it follows, when that is one of the same itinerary. */
export type SegmentDraft = { readonly data: SegmentData; readonly afterLine: number | undefined };

/** All that a file says about one itinerary of one designator, in file order. */
export type FlightBucket = {
  readonly carrier: string;
  readonly drafts: LegDraft[];
  readonly segments: SegmentDraft[];
  /** A record of it was kept out. */
  damaged: boolean;
};

export type FlightBuckets = Map<string, FlightBucket>;

/** The bucket of an itinerary, made when it is the first to ask. */
export const bucketOf = (buckets: FlightBuckets, key: string, carrier: string): FlightBucket => {
  const found = buckets.get(key);
  if (found !== undefined) return found;
  const made: FlightBucket = { carrier, drafts: [], segments: [], damaged: false };
  buckets.set(key, made);
  return made;
};
