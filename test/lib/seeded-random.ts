/** A pseudo-random number generator: equal seeds give equal sequences. */
export type SeededRandom = {
  /** Returns an integer; both limits are included. */
  readonly integer: (min: number, max: number) => number;
  /** Returns true with this probability in percent. */
  readonly chance: (percent: number) => boolean;
  readonly pick: <T>(list: readonly [T, ...T[]] | readonly T[]) => T;
  /** Returns up to `count` different elements of a list in random order. */
  readonly sample: <T>(list: readonly T[], count: number) => readonly T[];
  /** Returns a list made by calling a function a number of times. */
  readonly times: <T>(count: number, make: (index: number) => T) => readonly T[];
};

/** Creates a Mulberry32 generator: 32 bits of state, good enough to pick test cases. */
export const createRandom = (seed: number): SeededRandom => {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick: SeededRandom['pick'] = (list) => {
    const picked = list[integer(0, list.length - 1)];
    if (picked === undefined) throw new Error('cannot pick from an empty list');
    return picked;
  };
  return {
    integer,
    pick,
    chance: (percent) => next() * 100 < percent,
    sample: (list, count) => {
      const rest = [...list];
      return Array.from({ length: Math.min(count, rest.length) }, () =>
        rest.splice(integer(0, rest.length - 1), 1),
      ).flat();
    },
    times: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
};
