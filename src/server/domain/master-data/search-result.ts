import { intersectMasks, type EntryMask } from './key-index.ts';

/** The sorted matches of a search. Entries are resolved only for a page: a search can match all 30,000. */
export type SearchResult<Entry> = {
  readonly count: number;
  /** Returns up to `limit` entries, from the start or after the entry with an ID; undefined when that entry is not a match. */
  readonly page: (
    limit: number,
    afterId?: number,
  ) => { readonly entries: readonly Entry[]; readonly isLast: boolean } | undefined;
};

/** Lists the positions that all masks contain, ascending; without masks all below `count`. */
export const listPositions = (count: number, filters: readonly EntryMask[]): Uint32Array => {
  const mask = filters.length === 0 ? new Uint8Array(count).fill(1) : intersectMasks(filters);
  const positions = new Uint32Array(count);
  let found = 0;
  for (let position = 0; position < count; position++) {
    positions[found] = position;
    found += mask[position] ?? 0;
  }
  return positions.slice(0, found);
};

/** Creates the result of entries at some positions, in that order. */
export const createSearchResult = <Entry>(
  entries: readonly Entry[],
  positions: ArrayLike<number>,
  idOf: (entry: Entry) => number,
): SearchResult<Entry> => {
  const entryAt = (index: number): Entry | undefined => entries[positions[index] ?? -1];
  const findStart = (id: number): number | undefined => {
    for (let index = 0; index < positions.length; index++) {
      const entry = entryAt(index);
      if (entry && idOf(entry) === id) return index + 1;
    }
    return undefined;
  };
  return {
    count: positions.length,
    page: (limit, afterId) => {
      const start = afterId === undefined ? 0 : findStart(afterId);
      if (start === undefined) return undefined;
      const length = Math.min(limit, positions.length - start);
      const page = Array.from({ length }, (_, index) => entryAt(start + index)).filter((entry) => entry !== undefined);
      return { entries: page, isLast: start + limit >= positions.length };
    },
  };
};

/** Finds the distance of the `count`-th nearest position; sorting numbers costs a tenth of sorting positions by them. */
const findMaxDistance = (positions: Uint32Array, metres: Float64Array, limit: number): number => {
  if (positions.length <= limit) return Infinity;
  const distances = new Float64Array(positions.length);
  for (let index = 0; index < positions.length; index++) distances[index] = metres[positions[index] ?? -1] ?? Infinity;
  return distances.toSorted()[limit - 1] ?? Infinity;
};

/**
 * Creates a result sorted by distance, then by position; `metres` contains the distance of each position. Only the part that a page needs is sorted:
 * a search of the whole world matches 30,000 entries.
 */
export const createNearestResult = <Entry>(
  entries: readonly Entry[],
  { positions, metres }: { readonly positions: Uint32Array; readonly metres: Float64Array },
  idOf: (entry: Entry) => number,
): SearchResult<Entry> => {
  const distanceOf = (position: number): number => metres[position] ?? Infinity;
  const compareDistances = (rest: number, right: number): number =>
    distanceOf(rest) - distanceOf(right) || rest - right;
  const hasId = (position: number, id: number): boolean => {
    const entry = entries[position];
    return entry !== undefined && idOf(entry) === id;
  };
  return {
    count: positions.length,
    page: (limit, afterId) => {
      const start = afterId === undefined ? undefined : positions.find((position) => hasId(position, afterId));
      if (start === undefined && afterId !== undefined) return undefined;
      const rest =
        start === undefined ? positions : positions.filter((position) => compareDistances(position, start) > 0);
      const maxDistance = findMaxDistance(rest, metres, limit);
      const near = rest.filter((position) => distanceOf(position) <= maxDistance).toSorted(compareDistances);
      const page = [...near.subarray(0, limit)].flatMap((position) => entries[position] ?? []);
      return { entries: page, isLast: rest.length <= limit };
    },
  };
};
