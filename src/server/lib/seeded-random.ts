/** Returns a pseudo-random number from 0 up to, but not including, 1; the same for the same seed and name. */
export type NamedRandom = (name: string) => number;

/** Offset and prime of the 32-bit FNV-1a hash. */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const hash = (start: number, text: string): number => {
  let bits = start;
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), FNV_PRIME);
  return bits;
};

/** The finalizer of MurmurHash3: FNV-1a alone gives close numbers for texts that differ in their last letter only. */
const finalize = (hashed: number): number => {
  let bits = hashed ^ (hashed >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

/**
 * Creates a generator of pseudo-random numbers for a seed. Numbers are looked up by name, not drawn in sequence: a new
 * name changes no other number, so that generated data stay the same from one version of the program to the next.
 */
export const createSeededRandom = (seed: string): NamedRandom => {
  const start = hash(FNV_OFFSET, `${seed}|`);
  return (name) => finalize(hash(start, name)) / 2 ** 32;
};

/** Returns the linear interpolation between two numbers: `share` 0 gives `min`, 1 gives `max`. */
export const interpolate = (share: number, min: number, max: number): number => min + share * (max - min);

/** Returns the element of a list at a share of its length, from 0 up to 1; throws a RangeError for an empty list. */
export const pick = <T>(share: number, items: readonly T[]): T => {
  const item = items[Math.floor(share * items.length)];
  if (item === undefined) throw new RangeError(`no element at ${share} of ${items.length}`);
  return item;
};
