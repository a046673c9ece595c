/** One byte for each entry of a list, 1 for those that a filter lets through. */
export type EntryMask = Uint8Array;

/** The entries of a list by texts they can be found by: a few numbers each, where maps of lists would cost 100 bytes. */
export type KeyIndex = {
  /** Of the list. */
  readonly count: number;
  /** In the order of their code units, each once. */
  readonly keys: readonly string[];
  /** The places of the entries with the key `i`, ascending, are `places[starts[i]]` to before `places[starts[i + 1]]`. */
  readonly starts: Uint32Array;
  readonly positions: Uint32Array;
};

/** An index of entries by their keys; '' is none. */
export const buildKeyIndex = <T>(entries: readonly T[], keysOf: (entry: T) => Iterable<string>): KeyIndex => {
  const byKey = new Map<string, number[]>();
  for (const [place, entry] of entries.entries())
    for (const key of new Set(keysOf(entry))) {
      if (key === '') continue;
      const places = byKey.get(key);
      if (places) places.push(place);
      else byKey.set(key, [place]);
    }
  const keys = [...byKey.keys()].toSorted();
  const starts = new Uint32Array(keys.length + 1);
  for (const [index, key] of keys.entries()) starts[index + 1] = (starts[index] ?? 0) + (byKey.get(key)?.length ?? 0);
  const places = new Uint32Array(starts.at(-1) ?? 0);
  for (const [index, key] of keys.entries()) places.set(byKey.get(key) ?? [], starts[index]);
  return { count: entries.length, keys, starts, positions: places };
};

const lowerBound = (keys: readonly string[], text: string): number => {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The places of the entries with a key, ascending. */
export const findPositions = ({ keys, starts, positions: places }: KeyIndex, key: string): Uint32Array => {
  const index = lowerBound(keys, key);
  return keys[index] === key ? places.subarray(starts[index], starts[index + 1]) : places.subarray(0, 0);
};

/** Marks the entries that have any of some keys. */
export const matchKeys = (index: KeyIndex, keys: readonly string[]): EntryMask => {
  const marks = new Uint8Array(index.count);
  for (const key of keys) for (const place of findPositions(index, key)) marks[place] = 1;
  return marks;
};

/** Marks the entries that have a key beginning with a text. */
export const matchPrefix = ({ count, keys, starts, positions: places }: KeyIndex, text: string): EntryMask => {
  const marks = new Uint8Array(count);
  const first = lowerBound(keys, text);
  // No text has this code unit, the highest there is.
  const last = lowerBound(keys, `${text}\uffff`);
  for (const place of places.subarray(starts[first], starts[last])) marks[place] = 1;
  return marks;
};

/** The marks that any of several have; there must be one at least. */
export const unionMasks = ([first = new Uint8Array(), ...rest]: readonly EntryMask[]): EntryMask => {
  const marks = first.slice();
  for (const other of rest)
    for (let place = 0; place < marks.length; place++) marks[place] = (marks[place] ?? 0) | (other[place] ?? 0);
  return marks;
};

/** The marks that all of several have; there must be one at least. */
export const intersectMasks = ([first = new Uint8Array(), ...rest]: readonly EntryMask[]): EntryMask => {
  const marks = first.slice();
  for (const other of rest)
    for (let place = 0; place < marks.length; place++) marks[place] = (marks[place] ?? 0) & (other[place] ?? 0);
  return marks;
};
