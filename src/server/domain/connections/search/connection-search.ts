import type { ConnectionSet } from '../set/connection-set.ts';
import { findKnownCount } from './connection-counts.ts';
import { findLeg1Candidates } from './leg1-candidates.ts';
import { ConnectionJoin } from './connection-join.ts';
import type { Leg2Match } from './match-buffer.ts';
import { buildConnectionQuery } from './connection-query.ts';
import type { ConnectionPosition, ConnectionMatch } from './connection-dates.ts';
import type { ConnectionFilter } from './connection-filter.ts';

/** The start of a page, its size, and whether to count all matches. */
export type SearchPage = {
  readonly after?: ConnectionPosition | undefined;
  readonly limit: number;
  readonly count: boolean;
};

/** A search that runs in slices, so that the caller can serve other requests in between. */
export type ConnectionSearch = {
  /** Examines about this many pairs of flights; returns true when the search is complete. */
  readonly advance: (pairs: number) => boolean;
  /** In listing order; one more than the limit when there is a next page. */
  readonly matches: () => readonly ConnectionMatch[];
  /** The number of all matches; exact once the search is complete, if `count` is set. */
  readonly total: () => number;
};

const isAfter = (match: Leg2Match, leg1: number, after: ConnectionPosition | undefined): boolean =>
  after === undefined ||
  leg1 > after.leg1 ||
  (leg1 === after.leg1 && (match.minutes - after.minutes || match.leg2 - after.leg2 || match.rule - after.rule) > 0);

const compareMatches = (one: Leg2Match, other: Leg2Match): number =>
  one.minutes - other.minutes || one.leg2 - other.leg2 || one.rule - other.rule;

/**
 * Creates a search whose results are sorted by leg 1 (departure airport, local departure time, designator, first day), then by connecting time,
 * then by leg 2. Counting examines all candidates, unless the set has the count; otherwise the search runs from `after` to the end of the page.
 */
export const createConnectionSearch = (
  set: ConnectionSet,
  filter: ConnectionFilter,
  { after, limit, count }: SearchPage,
): ConnectionSearch => {
  const query = buildConnectionQuery(set, filter);
  const nextLeg1 = findLeg1Candidates(set, query);
  const join = new ConnectionJoin(set, query);
  const matches: ConnectionMatch[] = [];
  const knownCount = count ? findKnownCount(set, query) : undefined;
  const countsAll = count && knownCount === undefined;
  let total = 0;
  let next = nextLeg1(countsAll || after === undefined ? 0 : after.leg1);
  const isDone = (): boolean => next >= set.size || (!countsAll && matches.length > limit);
  const joinLeg1 = (leg1: number): void => {
    if (matches.length > limit || (after !== undefined && leg1 < after.leg1)) {
      total += join.countMatches(leg1);
      return;
    }
    const found = join.findMatches(leg1).toSorted(compareMatches);
    total += found.length;
    for (const match of found) {
      if (matches.length > limit) break;
      const { minutes, leg2, rule, dayOffset } = match;
      if (isAfter(match, leg1, after)) matches.push({ position: { leg1, minutes, leg2, rule }, dayOffset });
    }
  };
  const advance = (pairs: number): boolean => {
    const end = join.examined + pairs;
    while (!isDone() && join.examined < end) {
      joinLeg1(next);
      next = nextLeg1(next + 1);
    }
    return isDone();
  };
  return { advance, matches: () => matches, total: () => knownCount ?? total };
};
