import type { ConnectionSet } from '../connection-set.ts';
import type { RuleName } from './rule-names.ts';
import { newJoin } from '../set/join.ts';
import { prepareQuestion } from '../set/question.ts';

/** What a set holds, and what was left out of it. */
export type Tally = {
  /** Pairs of flights that have a date in common and no more than 24 hours between them. */
  readonly looked: number;
  readonly built: number;
  /** By the first rule that forbids a pair, in the order of the rules. */
  readonly refused: Readonly<Record<RuleName, number>>;
};

const PAIRS_A_LOOK = 200_000;

/** In the order of the rules. */
const nothing = (): Record<RuleName, number> => ({
  service: 0,
  'same-flight': 0,
  'connection-point': 0,
  position: 0,
  circuity: 0,
  codeshare: 0,
  partners: 0,
  'traffic-restriction': 0,
  suppressed: 0,
  'minimum-connecting-time': 0,
  'maximum-connecting-time': 0,
});

/**
 * Counts the connections of a whole set in slices. `advance` looks at about so many pairs and is true when all have been; `progress` goes from
 * 0 to 1.
 */
export const newTally = (
  set: ConnectionSet,
): {
  readonly advance: (pairs?: number) => boolean;
  readonly progress: () => number;
  readonly result: () => Tally;
} => {
  const refused = nothing();
  let notAllowed = 0;
  const join = newJoin(set, prepareQuestion(set, {}), (rule) => {
    refused[rule] += 1;
    notAllowed += 1;
  });
  let next = 0;
  let built = 0;
  const advance = (pairs = PAIRS_A_LOOK): boolean => {
    const until = join.looked() + pairs;
    while (next < set.size && join.looked() < until) {
      built += join.count(next);
      next += 1;
    }
    return next >= set.size;
  };
  return {
    advance,
    progress: () => (set.size === 0 ? 1 : next / set.size),
    result: () => ({
      looked: built + notAllowed,
      built,
      refused: { ...refused },
    }),
  };
};
