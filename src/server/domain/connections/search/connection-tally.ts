import type { RuleName } from '../rules/rule-verdict.ts';
import type { ConnectionSet } from '../set/connection-set.ts';
import type { CountColumns } from '../set/set-columns.ts';
import { ConnectionJoin } from './connection-join.ts';
import { buildConnectionQuery } from './connection-query.ts';
import { DailyCounts } from './daily-counts.ts';

/** How many connections a set has, and how many pairs each rule excludes. The CLI prints it under these names. */
export type ConnectionTally = {
  /** Pairs of flights that have a date in common and at most 24 hours between them. */
  readonly candidates: number;
  readonly built: number;
  /** By the first rule that forbids a pair, in the order of the rules. */
  readonly rejected: Readonly<Record<RuleName, number>>;
};

/** A count that runs in slices. */
export type ConnectionCounter = {
  /** Examines about this many pairs of flights; returns true when all have been examined. */
  readonly advance: (pairs?: number) => boolean;
  /** From 0 to 1. */
  readonly progress: () => number;
  readonly result: () => ConnectionTally;
  /** The counts by day of the larger airports. */
  readonly toColumns: () => CountColumns;
};

const PAIRS_A_SLICE = 200_000;

/** In the order of the rules. */
const createRuleCounts = (): Record<RuleName, number> => ({
  service: 0,
  'same-flight': 0,
  'connection-point': 0,
  position: 0,
  circuity: 0,
  codeshare: 0,
  partners: 0,
  'traffic-restriction': 0,
  suppressed: 0,
  'minimum-connecting-time': 0,
  'maximum-connecting-time': 0,
});

/** Flights of an airport that has counts by day. */
const LEAST_RECORDS = 50;

/** Creates a counter of all connections of a set, which counts by day those of airports with at least `leastRecords` flights. */
export const createConnectionCounter = (set: ConnectionSet, leastRecords = LEAST_RECORDS): ConnectionCounter => {
  const rejectedByRule = createRuleCounts();
  let rejected = 0;
  const daily = new DailyCounts(set, leastRecords);
  const join = new ConnectionJoin(set, buildConnectionQuery(set, {}), {
    onRejected: (rule) => {
      rejectedByRule[rule] += 1;
      rejected += 1;
    },
    onMatch: (found, dates) => daily.add(found, dates),
  });
  let next = 0;
  let built = 0;
  const advance = (pairs = PAIRS_A_SLICE): boolean => {
    const end = join.examined + pairs;
    while (next < set.size && join.examined < end) {
      built += join.countMatches(next);
      daily.endLeg1(next);
      next += 1;
    }
    return next >= set.size;
  };
  return {
    advance,
    progress: () => (set.size === 0 ? 1 : next / set.size),
    result: () => ({ candidates: built + rejected, built, rejected: { ...rejectedByRule } }),
    toColumns: () => daily.toColumns(),
  };
};
