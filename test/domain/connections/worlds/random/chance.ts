/** A stream of chance that is the same for the same seed. */
export type Chance = {
  /** A whole number, both ends included. */
  readonly int: (least: number, most: number) => number;
  /** True in so many of a hundred cases. */
  readonly percent: (chances: number) => boolean;
  readonly pick: <T>(list: readonly [T, ...T[]] | readonly T[]) => T;
  /** So many of a list, each once, in any order. */
  readonly some: <T>(list: readonly T[], count: number) => readonly T[];
  /** A list made by calling a function a number of times. */
  readonly times: <T>(count: number, make: (index: number) => T) => readonly T[];
};

/** Mulberry32: 32 bits of state, good enough to pick cases. */
export const newChance = (seed: number): Chance => {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick: Chance['pick'] = (list) => {
    const found = list[int(0, list.length - 1)];
    if (found === undefined) throw new Error('there is nothing to pick from');
    return found;
  };
  return {
    int,
    pick,
    percent: (chances) => next() * 100 < chances,
    some: (list, count) => {
      const left = [...list];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(int(0, left.length - 1), 1)).flat();
    },
    times: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
};
