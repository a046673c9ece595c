import { expect, test } from 'vitest';
import { matchIds, type IdMatchRule } from '../../../src/jobs/import/match-ids.ts';

type Thing = { readonly full: string; readonly short: string };
const ways: readonly IdMatchRule<Thing, Thing>[] = [
  { known: ({ full }) => full, record: ({ full }) => full },
  { known: ({ short }) => short, record: ({ short }) => short },
];

test('the surest way is tried over all records before the next, whatever the order of the records', () => {
  const known = [
    { id: 1, full: 'a/1', short: 'a' },
    { id: 2, full: 'a/2', short: 'a' },
  ];
  const records = [
    { full: 'a/3', short: 'a' },
    { full: 'a/1', short: 'a' },
  ];
  expect(matchIds(known, records, ways)).toEqual({
    records: [
      { full: 'a/3', short: 'a', id: 2 },
      { full: 'a/1', short: 'a', id: 1 },
    ],
    left: [],
  });
});

test('a row is given to one record only, an empty key recognises nothing, and rows nobody claimed are left', () => {
  const known = [
    { id: 1, full: '', short: 'a' },
    { id: 2, full: '', short: '' },
  ];
  const records = [
    { full: '', short: 'a' },
    { full: '', short: 'a' },
    { full: '', short: '' },
  ];
  expect(matchIds(known, records, ways)).toEqual({
    records: [
      { full: '', short: 'a', id: 1 },
      { full: '', short: 'a', id: undefined },
      { full: '', short: '', id: undefined },
    ],
    left: [{ id: 2, full: '', short: '' }],
  });
});
