/** A number from 0 up to, but not with, 1 for every name; for one seed and name always the same. */
export type NamedRandom = (name: string) => number;

/** Offset and prime of the 32-bit FNV-1a hash. */
const START = 0x811c9dc5;
const PRIME = 0x01000193;

const fold = (start: number, text: string): number => {
  let folded = start;
  for (let index = 0; index < text.length; index++) folded = Math.imul(folded ^ text.charCodeAt(index), PRIME);
  return folded;
};

/** FNV-1a alone leaves texts that differ in their last letter close together; the finish of MurmurHash3 drives them apart. */
const spread = (folded: number): number => {
  let bits = folded ^ (folded >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

/**
 * The chances of a seed. They are asked for by name and not drawn in turn, so that a new question changes no other answer
 * and what was said of a flight yesterday still holds with the next version of the program.
 */
export const createSeededRandom = (seed: string): NamedRandom => {
  const start = fold(START, `${seed}|`);
  return (name) => spread(fold(start, name)) / 2 ** 32;
};

/** The number that lies so far between two others: `share` is 0 at `least` and 1 at `most`. */
export const interpolate = (share: number, least: number, most: number): number => least + share * (most - least);

/** One of a list that is not empty. */
export const pick = <T>(share: number, [first, ...others]: readonly [T, ...T[]]): T => {
  const index = Math.floor(share * (others.length + 1));
  return index === 0 ? first : (others[index - 1] ?? first);
};
