import { intersectMasks, type EntryMask } from './key-index.ts';

/** What a search found, in its order. Entries are looked up for a page only: a search of everything finds 30,000 of them. */
export type SearchResult<Entry> = {
  readonly count: number;
  /** At most `limit` entries, from the start or after the one with an id; undefined when that one is not among what was found. */
  readonly page: (
    limit: number,
    afterId?: number,
  ) => { readonly entries: readonly Entry[]; readonly isLast: boolean } | undefined;
};

/** The places that every filter marks, ascending; without filters all below `count`. */
export const listPositions = (count: number, filters: readonly EntryMask[]): Uint32Array => {
  const marks = filters.length === 0 ? new Uint8Array(count).fill(1) : intersectMasks(filters);
  const places = new Uint32Array(count);
  let found = 0;
  for (let place = 0; place < count; place++) {
    places[found] = place;
    found += marks[place] ?? 0;
  }
  return places.slice(0, found);
};

/** The entries at some places, in the order of those. */
export const createSearchResult = <Entry>(
  entries: readonly Entry[],
  places: ArrayLike<number>,
  idOf: (entry: Entry) => number,
): SearchResult<Entry> => {
  const entryAt = (index: number): Entry | undefined => entries[places[index] ?? -1];
  const placeAfter = (id: number): number | undefined => {
    for (let index = 0; index < places.length; index++) {
      const entry = entryAt(index);
      if (entry && idOf(entry) === id) return index + 1;
    }
    return undefined;
  };
  return {
    count: places.length,
    page: (limit, afterId) => {
      const start = afterId === undefined ? 0 : placeAfter(afterId);
      if (start === undefined) return undefined;
      const length = Math.min(limit, places.length - start);
      const shown = Array.from({ length }, (_, index) => entryAt(start + index)).filter((entry) => entry !== undefined);
      return { entries: shown, isLast: start + limit >= places.length };
    },
  };
};

/** How far the `wanted` nearest of some places reach; sorting bare numbers costs a tenth of sorting places by them. */
const findMaxDistance = (places: Uint32Array, metres: Float64Array, wanted: number): number => {
  if (places.length <= wanted) return Infinity;
  const fars = new Float64Array(places.length);
  for (let index = 0; index < places.length; index++) fars[index] = metres[places[index] ?? -1] ?? Infinity;
  return fars.toSorted()[wanted - 1] ?? Infinity;
};

/**
 * The entries at some places, the nearest first, by place where they are equally far; `metres` tells how far the entry of each
 * place is. Only what a page needs is put in order: a search of the whole world finds 30,000.
 */
export const createNearestResult = <Entry>(
  entries: readonly Entry[],
  { places, metres }: { readonly places: Uint32Array; readonly metres: Float64Array },
  idOf: (entry: Entry) => number,
): SearchResult<Entry> => {
  const farOf = (place: number): number => metres[place] ?? Infinity;
  const byNearness = (left: number, right: number): number => farOf(left) - farOf(right) || left - right;
  const isWith = (place: number, id: number): boolean => {
    const entry = entries[place];
    return entry !== undefined && idOf(entry) === id;
  };
  return {
    count: places.length,
    page: (limit, afterId) => {
      const mark = afterId === undefined ? undefined : places.find((place) => isWith(place, afterId));
      if (mark === undefined && afterId !== undefined) return undefined;
      const left = mark === undefined ? places : places.filter((place) => byNearness(place, mark) > 0);
      const reach = findMaxDistance(left, metres, limit);
      const near = left.filter((place) => farOf(place) <= reach).toSorted(byNearness);
      const shown = [...near.subarray(0, limit)].flatMap((place) => entries[place] ?? []);
      return { entries: shown, isLast: left.length <= limit };
    },
  };
};
