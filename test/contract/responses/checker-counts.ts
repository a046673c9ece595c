import { beforeAll, expect, test } from 'vitest';

/** How many objects each checker has checked in this process. */
const checked = new Map<string, number>();

export const countChecked = (checker: string): void => void checked.set(checker, (checked.get(checker) ?? 0) + 1);

/** Adds a test that fails when a checker has checked nothing in this file. Call it after all other tests of the file. */
export const testChecked = (...checkers: readonly string[]): void => {
  let before: ReadonlyMap<string, number>;
  beforeAll(() => {
    before = new Map(checked);
  });
  test('every checker has checked something', () => {
    expect(checkers.filter((one) => (checked.get(one) ?? 0) === (before.get(one) ?? 0))).toEqual([]);
  });
};
