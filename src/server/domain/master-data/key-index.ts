/** One byte for each entry of a list, 1 for a match. */
export type EntryMask = Uint8Array;

/** An inverted index of entries by text keys; a few numbers for each entry, where maps of lists would take 100 bytes. */
export type KeyIndex = {
  /** Number of entries. */
  readonly count: number;
  /** Unique keys, sorted by code units. */
  readonly keys: readonly string[];
  /** The positions of the entries with key `i`, ascending, are `positions[starts[i]]` to before `positions[starts[i + 1]]`. */
  readonly starts: Uint32Array;
  readonly positions: Uint32Array;
};

/** Builds an index of entries by their keys; '' is no key. */
export const buildKeyIndex = <T>(entries: readonly T[], keysOf: (entry: T) => Iterable<string>): KeyIndex => {
  const byKey = new Map<string, number[]>();
  for (const [position, entry] of entries.entries())
    for (const key of new Set(keysOf(entry))) {
      if (key === '') continue;
      const positions = byKey.get(key);
      if (positions) positions.push(position);
      else byKey.set(key, [position]);
    }
  const keys = [...byKey.keys()].toSorted();
  const starts = new Uint32Array(keys.length + 1);
  for (const [index, key] of keys.entries()) starts[index + 1] = (starts[index] ?? 0) + (byKey.get(key)?.length ?? 0);
  const positions = new Uint32Array(starts.at(-1) ?? 0);
  for (const [index, key] of keys.entries()) positions.set(byKey.get(key) ?? [], starts[index]);
  return { count: entries.length, keys, starts, positions };
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

/** Returns the positions of the entries with a key, ascending. */
export const findPositions = ({ keys, starts, positions }: KeyIndex, key: string): Uint32Array => {
  const index = lowerBound(keys, key);
  return keys[index] === key ? positions.subarray(starts[index], starts[index + 1]) : positions.subarray(0, 0);
};

/** Matches entries that have any of some keys. */
export const matchKeys = (index: KeyIndex, keys: readonly string[]): EntryMask => {
  const mask = new Uint8Array(index.count);
  for (const key of keys) for (const position of findPositions(index, key)) mask[position] = 1;
  return mask;
};

/** Matches entries that have a key with a prefix. */
export const matchPrefix = ({ count, keys, starts, positions }: KeyIndex, text: string): EntryMask => {
  const mask = new Uint8Array(count);
  const first = lowerBound(keys, text);
  // U+FFFF is the highest code unit and occurs in no text.
  const last = lowerBound(keys, `${text}\uffff`);
  for (const position of positions.subarray(starts[first], starts[last])) mask[position] = 1;
  return mask;
};

/** Returns the union of one or more masks. */
export const unionMasks = ([first = new Uint8Array(), ...rest]: readonly EntryMask[]): EntryMask => {
  const mask = first.slice();
  for (const other of rest)
    for (let position = 0; position < mask.length; position++)
      mask[position] = (mask[position] ?? 0) | (other[position] ?? 0);
  return mask;
};

/** Returns the intersection of one or more masks. */
export const intersectMasks = ([first = new Uint8Array(), ...rest]: readonly EntryMask[]): EntryMask => {
  const mask = first.slice();
  for (const other of rest)
    for (let position = 0; position < mask.length; position++)
      mask[position] = (mask[position] ?? 0) & (other[position] ?? 0);
  return mask;
};
