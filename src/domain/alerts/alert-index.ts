import { filtersOf } from './alert.ts';
import type { EventFacts } from './event-facts.ts';
import {
  addToBucket,
  isBucketOf,
  matchBucket,
  newMatchBucket,
  takeFromBucket,
  type IndexedAlert,
  type MatchBucket,
  type Matching,
} from './match-bucket.ts';
import { bucketOf, hashesOf, placeOf, type MatchPattern } from './match-pattern.ts';
import { questionOf, rowOf } from './match-row.ts';

/** The active alerts, ready to say which of them select an event. */
export type AlertIndex<A extends IndexedAlert> = {
  /** Those for which `alertMatches` says `matched`, in no particular order. */
  readonly match: (facts: EventFacts) => readonly A[];
  /** Adds an alert, or takes it for the one of the same id; an alert that is not active leaves. */
  readonly put: (alert: A) => void;
  /** An id that is not there is no error: several processes may tell of the same removal. */
  readonly remove: (id: string) => void;
};

/** The buckets of one pattern by their hash; those of unlike codes that have the same hash stand side by side. */
type PatternPlaces<A extends IndexedAlert> = {
  readonly pattern: MatchPattern;
  readonly places: Map<number, readonly MatchBucket<A>[]>;
};

/**
 * Alerts stand in the bucket of the codes they ask for, in up to four where they ask for a range of flight numbers. An event
 * looks into one place for each pattern of codes and numbers that some alert has, a few dozen in practice. Each pattern has
 * places of its own, or an event whose places for two patterns have the same hash would find what stands there twice.
 */
export const newAlertIndex = <A extends IndexedAlert>(alerts: Iterable<A>): AlertIndex<A> => {
  const active = new Map<string, A>();
  const patterns = new Map<number, PatternPlaces<A>>();

  const remove = (id: string): void => {
    const alert = active.get(id);
    if (!alert) return;
    active.delete(id);
    const filters = filtersOf(alert);
    const row = rowOf(alert);
    const { pattern, buckets } = placeOf(filters);
    const places = patterns.get(pattern.seed)?.places;
    if (!places) return;
    for (const place of buckets) {
      const there = places.get(place) ?? [];
      for (const bucket of there) if (isBucketOf(bucket, filters)) takeFromBucket(bucket, row, alert);
      const left = there.filter((bucket) => bucket.alerts.length > 0);
      if (left.length === 0) places.delete(place);
      else if (left.length < there.length) places.set(place, left);
    }
    if (places.size === 0) patterns.delete(pattern.seed);
  };

  const put = (alert: A): void => {
    remove(alert.id);
    if (!alert.active) return;
    const filters = filtersOf(alert);
    const row = rowOf(alert);
    const { pattern, buckets } = placeOf(filters);
    // What asks for no flight number at all, because the range it asks for is empty, stands nowhere.
    if (buckets.length === 0) return;
    active.set(alert.id, alert);
    const { places } = patterns.get(pattern.seed) ?? { places: new Map<number, readonly MatchBucket<A>[]>() };
    patterns.set(pattern.seed, { pattern, places });
    for (const place of buckets) {
      const there = places.get(place) ?? [];
      const known = there.find((bucket) => isBucketOf(bucket, filters));
      if (known) addToBucket(known, row, alert);
      else places.set(place, [...there, newMatchBucket(filters, row, alert)]);
    }
  };

  const match = (facts: EventFacts): readonly A[] => {
    const matching: Matching<A> = { facts, question: questionOf(facts), found: [] };
    const hashes = hashesOf(facts);
    for (const { pattern, places } of patterns.values()) {
      const there = places.get(bucketOf(pattern, hashes, facts.flightNumber));
      if (there) for (const bucket of there) matchBucket(bucket, matching);
    }
    return matching.found;
  };

  for (const alert of alerts) put(alert);
  return { match, put, remove };
};
