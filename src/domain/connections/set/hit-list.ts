/** A connection of one leg 1. */
export type Hit = {
  readonly minutes: number;
  readonly leg2: number;
  /** The line of the record that sets the minimum connecting time; 0 where it is a default. */
  readonly rule: number;
  readonly dayOffset: number;
};

/** Hits in columns, filled anew for each leg 1: a search finds far more than it shows. */
export type HitList = {
  readonly clear: () => void;
  /** `mayRepeat` tells that the same hit may be added again. */
  readonly add: (hit: Hit, mayRepeat: boolean) => void;
  readonly mayRepeat: () => boolean;
  readonly count: () => number;
  readonly all: () => readonly Hit[];
};

const grown = (column: Int32Array): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
};

/** An empty list. */
export const newHitList = (): HitList => {
  let minutes = new Int32Array(1024);
  let legs = new Int32Array(1024);
  let rules = new Int32Array(1024);
  let offsets = new Int32Array(1024);
  let count = 0;
  let isRepeated = false;
  return {
    clear: () => {
      count = 0;
      isRepeated = false;
    },
    add: ({ minutes: connecting, leg2, rule, dayOffset }, mayRepeat) => {
      isRepeated ||= mayRepeat;
      if (count === minutes.length)
        [minutes, legs, rules, offsets] = [grown(minutes), grown(legs), grown(rules), grown(offsets)];
      minutes[count] = connecting;
      legs[count] = leg2;
      rules[count] = rule;
      offsets[count] = dayOffset;
      count += 1;
    },
    mayRepeat: () => isRepeated,
    count: () => count,
    all: () =>
      Array.from({ length: count }, (_, index) => ({
        minutes: minutes[index] ?? 0,
        leg2: legs[index] ?? 0,
        rule: rules[index] ?? 0,
        dayOffset: offsets[index] ?? 0,
      })),
  };
};
