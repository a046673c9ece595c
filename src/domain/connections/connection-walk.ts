import type { ConnectionSet } from './connection-set.ts';
import { candidatesOf } from './set/leg1-candidates.ts';
import type { Hit } from './set/hit-list.ts';
import { newJoin } from './set/join.ts';
import { prepareQuestion } from './set/question.ts';
import type { ConnectionPlace, FoundConnection } from './found-connection.ts';
import type { WantedConnections } from './wanted-connections.ts';

/** Where a listing begins, how many are wanted, and whether all are to be counted. */
export type WalkReach = {
  readonly after?: ConnectionPlace | undefined;
  readonly limit: number;
  readonly count: boolean;
};

/** A search that is made in slices, for whoever has other things to do in between. */
export type ConnectionWalk = {
  /** Looks at about so many pairs of flights; true when the search is over. */
  readonly advance: (pairs: number) => boolean;
  /** In listing order; one more than the limit when there are more. */
  readonly found: () => readonly FoundConnection[];
  /** How many there are in all, exact once the search is over and if it was asked to count. */
  readonly total: () => number;
};

const isAfter = (hit: Hit, leg1: number, after: ConnectionPlace | undefined): boolean =>
  after === undefined ||
  leg1 > after.leg1 ||
  (leg1 === after.leg1 && (hit.minutes - after.minutes || hit.leg2 - after.leg2 || hit.rule - after.rule) > 0);

const inOrder = (one: Hit, other: Hit): number =>
  one.minutes - other.minutes || one.leg2 - other.leg2 || one.rule - other.rule;

/**
 * Searches a set: by the first flight (its airport and local time of departure, designator, first day), then by connecting time, then by
 * the second flight. Counting goes through everything that fits; without it the search goes from `after` to the end of the page.
 */
export const newConnectionWalk = (
  set: ConnectionSet,
  wanted: WantedConnections,
  { after, limit, count }: WalkReach,
): ConnectionWalk => {
  const question = prepareQuestion(set, wanted);
  const candidates = candidatesOf(set, question);
  const join = newJoin(set, question);
  const found: FoundConnection[] = [];
  let total = 0;
  let next = count || after === undefined ? 0 : candidates.firstFrom(after.leg1);
  const isOver = (): boolean => next >= candidates.length || (!count && found.length > limit);
  const take = (leg1: number): void => {
    if (found.length > limit || (after !== undefined && leg1 < after.leg1)) {
      total += join.count(leg1);
      return;
    }
    const hits = join.hits(leg1).toSorted(inOrder);
    total += hits.length;
    for (const hit of hits) {
      if (found.length > limit) break;
      const { minutes, leg2, rule, dayOffset } = hit;
      if (isAfter(hit, leg1, after)) found.push({ place: { leg1, minutes, leg2, rule }, dayOffset });
    }
  };
  const advance = (pairs: number): boolean => {
    const until = join.looked() + pairs;
    while (!isOver() && join.looked() < until) {
      take(candidates.at(next));
      next += 1;
    }
    return isOver();
  };
  return { advance, found: () => found, total: () => total };
};
