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

/** An index of active alerts by the events they select. */
export type AlertIndex<A extends IndexedAlert> = {
  /** Lists the alerts that select an event, in any order; equal to `matchAlert` returning `matched`. */
  readonly match: (facts: EventFacts) => readonly A[];
  /** Adds an alert or replaces the one with the same ID; removes an inactive one. */
  readonly upsert: (alert: A) => void;
  /** Ignores an unknown ID: several processes may report the same removal. */
  readonly remove: (id: string) => void;
};

/** The buckets of one pattern by hash; buckets of different codes with equal hash share a list. */
type PatternBuckets<A extends IndexedAlert> = {
  readonly pattern: MatchPattern;
  readonly bucketsByHash: Map<number, readonly MatchBucket<A>[]>;
};

/**
 * Creates the index. Alerts are in the bucket of the codes they require, or in up to four for a range of flight numbers. An event is looked up once
 * for each pattern of codes and numbers that alerts have, a few dozen in practice. Patterns have separate maps, because equal hashes of two patterns
 * would otherwise return alerts twice.
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
    const bucketsByHash = patterns.get(pattern.seed)?.bucketsByHash;
    if (!bucketsByHash) return;
    for (const hash of buckets) {
      const bucketList = bucketsByHash.get(hash) ?? [];
      for (const bucket of bucketList) if (hasSameCodes(bucket, filters)) removeFromBucket(bucket, row, alert);
      const remaining = bucketList.filter((bucket) => bucket.alerts.length > 0);
      if (remaining.length === 0) bucketsByHash.delete(hash);
      else if (remaining.length < bucketList.length) bucketsByHash.set(hash, remaining);
    }
    if (bucketsByHash.size === 0) patterns.delete(pattern.seed);
  };

  const put = (alert: A): void => {
    remove(alert.id);
    if (!alert.active) return;
    const filters = getEffectiveFilters(alert);
    const row = encodeRow(alert);
    const { pattern, buckets } = computePattern(filters);
    // An empty range of flight numbers selects nothing and is not stored.
    if (buckets.length === 0) return;
    active.set(alert.id, alert);
    const { bucketsByHash } = patterns.get(pattern.seed) ?? {
      bucketsByHash: new Map<number, readonly MatchBucket<A>[]>(),
    };
    patterns.set(pattern.seed, { pattern, bucketsByHash });
    for (const hash of buckets) {
      const bucketList = bucketsByHash.get(hash) ?? [];
      const existing = bucketList.find((bucket) => hasSameCodes(bucket, filters));
      if (existing) addToBucket(existing, row, alert);
      else bucketsByHash.set(hash, [...bucketList, createMatchBucket(filters, row, alert)]);
    }
  };

  const match = (facts: EventFacts): readonly A[] => {
    const search: BucketSearch<A> = { facts, query: toRowQuery(facts), matches: [] };
    const hashes = computeHashes(facts);
    for (const { pattern, bucketsByHash } of patterns.values()) {
      const bucketList = bucketsByHash.get(computeBucketHash(pattern, hashes, facts.flightNumber));
      if (bucketList) for (const bucket of bucketList) matchBucket(bucket, search);
    }
    return search.matches;
  };

  for (const alert of alerts) put(alert);
  return { match, upsert: put, remove };
};
