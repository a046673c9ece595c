import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeCodeAssignment, type CodeOwner } from '#domain/master-data/carrier-codes.ts';

const owner = (id: number, changes: Partial<CodeOwner> = {}): CodeOwner => ({ id, iata: 'LH', rank: id, ...changes });
const claim = (id: number): CodeOwner => owner(id, { isCodeClaimed: true });
const [lufthansa, cargo, claimant, other] = [owner(1), owner(2), claim(3), claim(4)];

test.each([
  ['a carrier without an IATA code has no rank', owner(1, { iata: '' }), [], 'Unassigned undefined'],
  ['the only owner of a code does not share it', lufthansa, [lufthansa], 'Unique 1'],
  ['the first of two owners has the code', lufthansa, [cargo, lufthansa], 'Shared 1 duplicate'],
  ['the second of two owners is ranked after the first', cargo, [cargo, lufthansa], 'Shared 2 duplicate'],
  ['a claim does not change the owner', lufthansa, [lufthansa, claimant], 'Unique 1'],
  ['a claim is unconfirmed itself', claimant, [lufthansa, claimant], 'Unconfirmed 2 duplicate'],
  ['a claim counts on a day on which no other carrier has the code', claimant, [claimant], 'Unique 1'],
  ['two claims share a code', claimant, [other, claimant], 'Shared 1 duplicate'],
  ['the second of two claims is ranked after the first', other, [other, claimant], 'Shared 2 duplicate'],
])('%s', (_, carrier, all, expected) => {
  const { category, rank, isDuplicate } = computeCodeAssignment(carrier, all);
  expect(`${category} ${rank}${isDuplicate ? ' duplicate' : ''}`).toBe(expected);
});

const id = fc.integer({ min: 1, max: 99 });
const owners = fc.uniqueArray(
  fc.record({ id, iata: fc.constant('LH'), rank: fc.integer({ min: 1, max: 4 }), isCodeClaimed: fc.boolean() }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 6 },
);

test('ranks of a day count from 1 without a gap, and there is one owner exactly when one carrier has the code alone', () => {
  fc.assert(
    fc.property(owners, (all) => {
      const assignments = all.map((each) => computeCodeAssignment(each, all));
      const ranks = assignments.map(({ rank }) => rank ?? 0);
      expect(ranks.toSorted((one, next) => one - next)).toEqual(all.map((_, index) => index + 1));
      const certain = all.filter(({ isCodeClaimed }) => !isCodeClaimed);
      const holders = certain.length > 0 ? certain : all;
      const count = (name: string) => assignments.filter(({ category }) => category === name).length;
      expect([count('Unique'), count('Unconfirmed'), count('Shared')]).toEqual([
        holders.length === 1 ? 1 : 0,
        all.length - holders.length,
        holders.length > 1 ? holders.length : 0,
      ]);
    }),
  );
});
