import { afterAll, expect, test } from 'vitest';
import { printAtEnd } from '#test/support/vitest/print-at-end.ts';

export class FaultTally {
  #planted = 0;
  #caught = 0;

  /** Counts a planted fault. Returns `caught` when the messages match the pattern, otherwise the messages. */
  check(messages: readonly string[] | string, pattern: RegExp): string {
    const text = [messages].flat().join('\n');
    const isCaught = pattern.test(text);
    this.#planted += 1;
    this.#caught += isCaught ? 1 : 0;
    return isCaught ? 'caught' : `${text || 'no message'}: not ${String(pattern)}`;
  }

  /** Prints the counts at the end of the run, and adds a test that they reach the minimum. Call it last. */
  testCounts(what: string, least: number): void {
    afterAll(() => printAtEnd(2, what, `planted faults of ${what} caught: ${this.#caught} of ${this.#planted}`));
    test(`detected all of at least ${least} planted faults`, () => {
      expect(this.#caught).toBe(this.#planted);
      expect(this.#planted).toBeGreaterThanOrEqual(least);
    });
  }
}
