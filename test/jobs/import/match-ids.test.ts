import { expect, test } from 'vitest';
import { matchIds, type IdMatchRule } from '../../../src/jobs/import/match-ids.ts';

type CodedRecord = { readonly full: string; readonly short: string };
const rules: readonly IdMatchRule<CodedRecord, CodedRecord>[] = [
  { known: ({ full }) => full, record: ({ full }) => full },
  { known: ({ short }) => short, record: ({ short }) => short },
];

test('tries the strictest rule over all records before the next rule', () => {
  const known = [
    { id: 1, full: 'a/1', short: 'a' },
    { id: 2, full: 'a/2', short: 'a' },
  ];
  const records = [
    { full: 'a/3', short: 'a' },
    { full: 'a/1', short: 'a' },
  ];
  expect(matchIds(known, records, rules)).toEqual({
    records: [
      { full: 'a/3', short: 'a', id: 2 },
      { full: 'a/1', short: 'a', id: 1 },
    ],
    unmatched: [],
  });
});

test('matches a row with one record only, ignores empty keys, and returns unmatched rows', () => {
  const known = [
    { id: 1, full: '', short: 'a' },
    { id: 2, full: '', short: '' },
  ];
  const records = [
    { full: '', short: 'a' },
    { full: '', short: 'a' },
    { full: '', short: '' },
  ];
  expect(matchIds(known, records, rules)).toEqual({
    records: [
      { full: '', short: 'a', id: 1 },
      { full: '', short: 'a', id: undefined },
      { full: '', short: '', id: undefined },
    ],
    unmatched: [{ id: 2, full: '', short: '' }],
  });
});
