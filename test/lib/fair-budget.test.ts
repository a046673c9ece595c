import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairBudget } from '#lib/fair-budget.ts';

/** Takes units for an owner until it gets none; returns their number. */
const takeAll = (budget: FairBudget, owner: number): number => {
  let taken = 0;
  while (budget.acquire(owner, 1)) taken += 1;
  return taken;
};

test('a single owner can have three quarters, and each further one three quarters of what is left', () => {
  const budget = new FairBudget(1000);
  expect([1, 2, 3, 4].map((owner) => takeAll(budget, owner))).toEqual([750, 188, 47, 12]);
});

test('an owner that has its share gets no more until another one has returned some', () => {
  const budget = new FairBudget(1000);
  takeAll(budget, 1);
  expect(budget.acquire(1, 1)).toBe(false);
  budget.release(1, 300);
  expect([takeAll(budget, 2), budget.acquire(1, 1)]).toEqual([413, false]);
  budget.release(2, 413);
  expect(budget.acquire(1, 1)).toBe(true);
});

test('a budget of one unit can be used', () => {
  const budget = new FairBudget(1);
  expect([budget.acquire(1, 1), budget.acquire(2, 1)]).toEqual([true, false]);
});

test('never hands out more than there is, and an owner without anything gets a unit while four are left', () => {
  const step = fc.record({ owner: fc.integer({ min: 1, max: 5 }), amount: fc.integer({ min: 1, max: 40 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.array(fc.nat(), { maxLength: 200 }), (steps, returns) => {
      const budget = new FairBudget(100);
      const held: { owner: number; amount: number }[] = [];
      let used = 0;
      steps.forEach((one, index) => {
        if (budget.acquire(one.owner, one.amount)) {
          held.push(one);
          used += one.amount;
        }
        expect(used).toBeLessThanOrEqual(100);
        const [back] =
          (returns[index] ?? 0) % 3 === 0 ? held.splice((returns[index] ?? 0) % (held.length || 1), 1) : [];
        if (back) {
          budget.release(back.owner, back.amount);
          used -= back.amount;
        }
      });
      if (used > 96) return;
      expect(budget.acquire(99, 1)).toBe(true);
    }),
  );
});
