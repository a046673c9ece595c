import { expect, test } from 'vitest';
import { matchIds, type IdMatchRule } from '#jobs/import/match-ids.ts';

type Coded = { readonly full: string; readonly short: string };
const rules: readonly IdMatchRule<Coded, Coded>[] = [
  { known: ({ full }) => full, record: ({ full }) => full },
  { known: ({ short }) => short, record: ({ short }) => short },
];
/** `a/1 a`: a full and a short code, each of which may be empty. */
const coded = (text: string): Coded => {
  const [full = '', short = ''] = text.split(' ');
  return { full, short };
};

test.each([
  ['the strictest rule applies to all records before the next one', ['a/1 a', 'a/2 a'], ['a/3 a', 'a/1 a'], [2, 1], []],
  ['a row matches one record, and empty keys match none', [' a', ' '], [' a', ' a', ' '], [1], [2]],
])('%s', (_, rows, listed, ids, unmatched) => {
  const known = rows.map((text, index) => ({ id: index + 1, ...coded(text) }));
  const records = listed.map((text, index) => ({ ...coded(text), id: ids[index] }));
  expect(matchIds(known, listed.map(coded), rules)).toEqual({
    records,
    unmatched: known.filter(({ id }) => unmatched.some((one) => one === id)),
  });
});
