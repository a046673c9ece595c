/** Which numbers of a stream were tried: all up to one, and some beyond it. */
export type TriedNumbers = {
  readonly upTo: () => number;
  /** In order. */
  readonly beyond: () => readonly number[];
  readonly has: (number: number) => boolean;
  readonly add: (number: number) => void;
  /** Counts all up to a number as tried, and answers the ranges that were not. */
  readonly skipTo: (number: number) => readonly (readonly [from: number, to: number])[];
};

/** Numbers that were tried, as an endpoint's progress keeps them. */
export const newTriedNumbers = (start: number, finished: readonly number[]): TriedNumbers => {
  let upTo = start;
  const beyond = new Set(finished);
  const advance = (): void => {
    while (beyond.delete(upTo + 1)) upTo += 1;
  };
  advance();
  return {
    upTo: () => upTo,
    beyond: () => [...beyond].toSorted((a, b) => a - b),
    has: (number) => number <= upTo || beyond.has(number),
    add: (number) => {
      if (number <= upTo) return;
      beyond.add(number);
      advance();
    },
    skipTo: (number) => {
      const ranges: (readonly [number, number])[] = [];
      let from = upTo + 1;
      const passed = [...beyond].filter((tried) => tried <= number).toSorted((a, b) => a - b);
      for (const tried of [...passed, number + 1]) {
        if (tried > from) ranges.push([from, tried - 1]);
        from = tried + 1;
        beyond.delete(tried);
      }
      upTo = Math.max(upTo, number);
      advance();
      return ranges;
    },
  };
};
