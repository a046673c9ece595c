import type { ConnectionSet } from '../set/connection-set.ts';
import { findElapsedMinutes, type ConnectionMatch, type ConnectionPosition } from './connection-dates.ts';
import type { ConnectionFilter } from './connection-filter.ts';
import { ConnectionJoin } from './connection-join.ts';
import { buildConnectionQuery } from './connection-query.ts';
import type { ConnectionSearch } from './connection-search.ts';
import { findLeg1Candidates } from './leg1-candidates.ts';

/** The position of a connection in a list that is sorted by elapsed time. */
export type ElapsedPosition = { readonly elapsedMinutes: number; readonly position: ConnectionPosition };

/** The start of a page, and its size. */
export type ElapsedPage = { readonly after?: ElapsedPosition | undefined; readonly limit: number };

const compare = (one: ElapsedPosition, other: ElapsedPosition): number => {
  const [a, b] = [one.position, other.position];
  return (
    one.elapsedMinutes - other.elapsedMinutes ||
    a.leg1 - b.leg1 ||
    a.minutes - b.minutes ||
    a.leg2 - b.leg2 ||
    a.rule - b.rule
  );
};

type RankedMatch = ElapsedPosition & ConnectionMatch;

/** The first items of an unsorted sequence, in order. */
class FirstMatches {
  readonly #size: number;
  readonly #sorted: RankedMatch[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  get items(): readonly RankedMatch[] {
    return this.#sorted;
  }

  /** The elapsed time above which a further match is not one of the first. */
  get maxElapsed(): number {
    return this.#sorted.length < this.#size ? Number.POSITIVE_INFINITY : (this.#sorted.at(-1)?.elapsedMinutes ?? 0);
  }

  add(match: RankedMatch): void {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#sorted[middle];
      if (item && compare(item, match) < 0) low = middle + 1;
      else high = middle;
    }
    if (low >= this.#size) return;
    this.#sorted.splice(low, 0, match);
    if (this.#sorted.length > this.#size) this.#sorted.pop();
  }
}

/**
 * Creates a search whose results are sorted by elapsed time on the first date, then as by `createConnectionSearch`. Each page examines all candidates,
 * as counting does, and keeps only the matches of the page.
 */
export const createElapsedSearch = (
  set: ConnectionSet,
  filter: ConnectionFilter,
  { after, limit }: ElapsedPage,
): ConnectionSearch => {
  const query = buildConnectionQuery(set, filter);
  const nextLeg1 = findLeg1Candidates(set, query);
  const join = new ConnectionJoin(set, query);
  const first = new FirstMatches(limit + 1);
  let total = 0;
  let next = nextLeg1(0);
  const joinLeg1 = (leg1: number): void => {
    const found = join.findMatches(leg1, first.maxElapsed);
    total += found.length + join.counted;
    for (const { dayOffset, ...ofLeg2 } of found) {
      const match = { position: { leg1, ...ofLeg2 }, dayOffset };
      const ranked = { ...match, elapsedMinutes: findElapsedMinutes(set, match) };
      if (after === undefined || compare(ranked, after) > 0) first.add(ranked);
    }
  };
  const advance = (pairs: number): boolean => {
    const end = join.examined + pairs;
    while (next < set.size && join.examined < end) {
      joinLeg1(next);
      next = nextLeg1(next + 1);
    }
    return next >= set.size;
  };
  return {
    advance,
    matches: () => first.items.map(({ position, dayOffset }) => ({ position, dayOffset })),
    total: () => total,
  };
};
