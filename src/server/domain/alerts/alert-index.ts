import { type AlertFilters, getEffectiveFilters, getFlightNumberRange } from './alert.ts';
import { type EventFacts, listFactStates } from './event-facts.ts';
import {
  addToBucket,
  type BucketSearch,
  createMatchBucket,
  encodeRow,
  hasSameCodes,
  type IndexedAlert,
  matchBucket,
  type MatchBucket,
  removeFromBucket,
  toRowQuery,
} from './match-bucket.ts';

/**
 * The codes that buckets are built from; flight numbers are added in blocks. Dates are checked by rows: few alerts differ only in dates, and each
 * further kind of value multiplies the lookups of an event.
 */
const codes = ['iataCarrierCode', 'icaoCarrierCode', 'departureAirport', 'arrivalAirport'] as const;

/** Flight numbers are below 2^14: one block of that size contains all and does not filter. */
const ALL_NUMBERS = 14;
const MAX_BLOCKS = 4;

/**
 * The kinds of value that an alert requires: `codeIndexes` into the list of codes, and `blockBits`, the size of flight number blocks as a power of
 * two, from 0 (single numbers) to 14 (any number).
 */
type MatchPattern = {
  readonly codeIndexes: readonly number[];
  readonly blockBits: number;
  readonly seed: number;
};

const mix = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, 0x9e37_79b1);
  return mixed ^ (mixed >>> 15);
};

const hashText = (text: string): number => {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash << 7) ^ (hash >>> 25) ^ text.charCodeAt(at);
  return hash;
};

/** Computes the hashes of the codes, in the order of the list above. */
const computeHashes = (values: Pick<AlertFilters, (typeof codes)[number]>): readonly number[] => [
  hashText(values.iataCarrierCode),
  hashText(values.icaoCarrierCode),
  hashText(values.departureAirport),
  hashText(values.arrivalAirport),
];

/** Computes the bucket hash of a pattern for these values; 32 bits, so that different values can collide. */
const computeBucketHash = (
  { codeIndexes, blockBits, seed }: MatchPattern,
  hashes: readonly number[],
  flightNumber: number,
): number => {
  let hash = mix(seed, flightNumber >> blockBits);
  for (const index of codeIndexes) hash = mix(hash, hashes[index] ?? 0);
  return hash;
};

/** The smallest blocks of which a few cover the range; sizes grow by a factor of 16 to keep patterns few. */
const computeBlockBits = (from: number, to: number): number => {
  if (from <= 0 && to >= 9999) return ALL_NUMBERS;
  let bits = 0;
  while ((to >> bits) - (from >> bits) >= MAX_BLOCKS) bits += 4;
  return bits;
};

/** Computes the pattern of an alert and its bucket hashes; none for an empty range of flight numbers. */
export const computePattern = (
  filters: AlertFilters,
): { readonly pattern: MatchPattern; readonly buckets: readonly number[] } => {
  const { from, to } = getFlightNumberRange(filters);
  const blockBits = computeBlockBits(from, to);
  const codeIndexes = codes.flatMap((name, index) => (filters[name] === '' ? [] : [index]));
  const seed = codeIndexes.reduce((bits, index) => bits | (1 << index), blockBits << codes.length);
  const pattern = { codeIndexes, blockBits, seed };
  const hashes = computeHashes(filters);
  const blocks = Math.max(0, (to >> blockBits) - (from >> blockBits) + 1);
  const numbers = Array.from({ length: from > to ? 0 : blocks }, (_, block) => from + (block << blockBits));
  return { pattern, buckets: numbers.map((number) => computeBucketHash(pattern, hashes, number)) };
};

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

  const matchState = (facts: EventFacts): readonly A[] => {
    const search: BucketSearch<A> = { facts, query: toRowQuery(facts), matches: [] };
    const hashes = computeHashes(facts);
    for (const { pattern, bucketsByHash } of patterns.values()) {
      const bucketList = bucketsByHash.get(computeBucketHash(pattern, hashes, facts.flightNumber));
      if (bucketList) for (const bucket of bucketList) matchBucket(bucket, search);
    }
    return search.matches;
  };

  const match = (facts: EventFacts): readonly A[] =>
    facts.before ? [...new Set(listFactStates(facts).flatMap(matchState))] : matchState(facts);

  for (const alert of alerts) put(alert);
  return { match, upsert: put, remove };
};
