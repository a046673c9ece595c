import { getEffectiveFilters } from './alert.ts';
import type { EventFacts } from './event-facts.ts';
import {
  addToBucket,
  hasSameCodes,
  matchBucket,
  createMatchBucket,
  removeFromBucket,
  type IndexedAlert,
  type MatchBucket,
  type BucketSearch,
} from './match-bucket.ts';
import { computeBucketHash, computeHashes, computePattern, type MatchPattern } from './match-pattern.ts';
import { toRowQuery, encodeRow } from './match-row.ts';

/** The active alerts, ready to say which of them select an event. */
export type AlertIndex<A extends IndexedAlert> = {
  /** Those for which `alertMatches` says `matched`, in no particular order. */
  readonly match: (facts: EventFacts) => readonly A[];
  /** Adds an alert, or takes it for the one of the same id; an alert that is not active leaves. */
  readonly upsert: (alert: A) => void;
  /** An id that is not there is no error: several processes may tell of the same removal. */
  readonly remove: (id: string) => void;
};

/** The buckets of one pattern by their hash; those of unlike codes that have the same hash stand side by side. */
type PatternBuckets<A extends IndexedAlert> = {
  readonly pattern: MatchPattern;
  readonly bucketsByHash: Map<number, readonly MatchBucket<A>[]>;
};

/**
 * Alerts stand in the bucket of the codes they ask for, in up to four where they ask for a range of flight numbers. An event
 * looks into one place for each pattern of codes and numbers that some alert has, a few dozen in practice. Each pattern has
 * places of its own, or an event whose places for two patterns have the same hash would find what stands there twice.
 */
export const createAlertIndex = <A extends IndexedAlert>(alerts: Iterable<A>): AlertIndex<A> => {
  const active = new Map<string, A>();
  const patterns = new Map<number, PatternBuckets<A>>();

  const remove = (id: string): void => {
    const alert = active.get(id);
    if (!alert) return;
    active.delete(id);
    const filters = getEffectiveFilters(alert);
    const row = encodeRow(alert);
    const { pattern, buckets } = computePattern(filters);
    const places = patterns.get(pattern.seed)?.bucketsByHash;
    if (!places) return;
    for (const place of buckets) {
      const there = places.get(place) ?? [];
      for (const bucket of there) if (hasSameCodes(bucket, filters)) removeFromBucket(bucket, row, alert);
      const left = there.filter((bucket) => bucket.alerts.length > 0);
      if (left.length === 0) places.delete(place);
      else if (left.length < there.length) places.set(place, left);
    }
    if (places.size === 0) patterns.delete(pattern.seed);
  };

  const put = (alert: A): void => {
    remove(alert.id);
    if (!alert.active) return;
    const filters = getEffectiveFilters(alert);
    const row = encodeRow(alert);
    const { pattern, buckets } = computePattern(filters);
    // What asks for no flight number at all, because the range it asks for is empty, stands nowhere.
    if (buckets.length === 0) return;
    active.set(alert.id, alert);
    const { bucketsByHash: places } = patterns.get(pattern.seed) ?? {
      bucketsByHash: new Map<number, readonly MatchBucket<A>[]>(),
    };
    patterns.set(pattern.seed, { pattern, bucketsByHash: places });
    for (const place of buckets) {
      const there = places.get(place) ?? [];
      const known = there.find((bucket) => hasSameCodes(bucket, filters));
      if (known) addToBucket(known, row, alert);
      else places.set(place, [...there, createMatchBucket(filters, row, alert)]);
    }
  };

  const match = (facts: EventFacts): readonly A[] => {
    const matching: BucketSearch<A> = { facts, query: toRowQuery(facts), matches: [] };
    const hashes = computeHashes(facts);
    for (const { pattern, bucketsByHash: places } of patterns.values()) {
      const there = places.get(computeBucketHash(pattern, hashes, facts.flightNumber));
      if (there) for (const bucket of there) matchBucket(bucket, matching);
    }
    return matching.matches;
  };

  for (const alert of alerts) put(alert);
  return { match, upsert: put, remove };
};
