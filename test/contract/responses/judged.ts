import { beforeAll, expect, test } from 'vitest';

/** How many objects each checker has judged in this process. */
const judged = new Map<string, number>();

export const countJudged = (checker: string): void => void judged.set(checker, (judged.get(checker) ?? 0) + 1);

/** Adds a test that fails when a checker has judged nothing in this file. Call it after all other tests of the file. */
export const testJudged = (...checkers: readonly string[]): void => {
  let before: ReadonlyMap<string, number>;
  beforeAll(() => {
    before = new Map(judged);
  });
  test('every checker has checked something', () => {
    expect(checkers.filter((one) => (judged.get(one) ?? 0) === (before.get(one) ?? 0))).toEqual([]);
  });
};
