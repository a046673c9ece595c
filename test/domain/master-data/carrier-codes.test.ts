import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeCodeAssignment, type CodeOwner } from '../../../src/domain/master-data/carrier-codes.ts';

const owner = (id: number, changes: Partial<CodeOwner> = {}): CodeOwner => ({ id, iata: 'LH', rank: id, ...changes });
const [lufthansa, cargo, claimant, other] = [
  owner(1),
  owner(2),
  owner(3, { isCodeClaimed: true }),
  owner(4, { isCodeClaimed: true }),
];

test('a carrier without an IATA code has no rank and no duplicate', () => {
  expect(computeCodeAssignment(owner(1, { iata: '' }), [])).toEqual({
    category: 'Unassigned',
    rank: undefined,
    isDuplicate: false,
  });
});

test('the only owner of a code does not share it', () => {
  expect(computeCodeAssignment(lufthansa, [lufthansa])).toEqual({ category: 'Unique', rank: 1, isDuplicate: false });
});

test('two owners share a code, and the one of lower rank responds to it', () => {
  const owners = [cargo, lufthansa];
  expect(computeCodeAssignment(lufthansa, owners)).toEqual({ category: 'Shared', rank: 1, isDuplicate: true });
  expect(computeCodeAssignment(cargo, owners)).toEqual({ category: 'Shared', rank: 2, isDuplicate: true });
});

test('a claim does not change the owner, and is unconfirmed itself', () => {
  const owners = [lufthansa, claimant];
  expect(computeCodeAssignment(lufthansa, owners)).toEqual({ category: 'Unique', rank: 1, isDuplicate: false });
  expect(computeCodeAssignment(claimant, owners)).toEqual({ category: 'Unconfirmed', rank: 2, isDuplicate: true });
});

test('a claim counts on a day on which no other carrier has the code', () => {
  expect(computeCodeAssignment(claimant, [claimant])).toEqual({ category: 'Unique', rank: 1, isDuplicate: false });
  expect(computeCodeAssignment(claimant, [other, claimant])).toEqual({
    category: 'Shared',
    rank: 1,
    isDuplicate: true,
  });
  expect(computeCodeAssignment(other, [other, claimant])).toEqual({ category: 'Shared', rank: 2, isDuplicate: true });
});

const owners = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 99 }),
    iata: fc.constant('LH'),
    rank: fc.integer({ min: 1, max: 4 }),
    isCodeClaimed: fc.boolean(),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 6 },
);

test('ranks of a day count from 1 without a gap, and there is one owner exactly when one carrier has the code alone', () => {
  fc.assert(
    fc.property(owners, (all) => {
      const assignments = all.map((each) => computeCodeAssignment(each, all));
      expect(assignments.map(({ rank }) => rank ?? 0).toSorted((one, next) => one - next)).toEqual(
        all.map((_, index) => index + 1),
      );
      const certain = all.filter(({ isCodeClaimed }) => !isCodeClaimed);
      const holders = certain.length > 0 ? certain : all;
      const alone = assignments.filter(({ category }) => category === 'Unique');
      expect(alone).toHaveLength(holders.length === 1 ? 1 : 0);
      expect(assignments.filter(({ category }) => category === 'Unconfirmed')).toHaveLength(
        all.length - holders.length,
      );
      expect(assignments.filter(({ category }) => category === 'Shared')).toHaveLength(
        holders.length > 1 ? holders.length : 0,
      );
    }),
  );
});
