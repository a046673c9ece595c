import { expect, test } from 'vitest';
import { createProgress } from '#cli/shared/progress.ts';

test('without a terminal, writes a line with count, percentage, rate and remaining time every ten seconds', () => {
  const lines: string[] = [];
  let seconds = 0;
  const output = { isTTY: false as const, write: (line: string) => lines.push(line) > 0 };
  const { update, end } = createProgress({ output, now: () => seconds * 1000 });
  for (const [at, step, done, total] of [
    [1, 'read', 1e6, 80e6],
    [9, 'read', 9e6, 80e6],
    [11, 'read', 11e6, 80e6],
    [22, 'save', 0, 1],
    [23, 'expand', 0, 62],
    [43, 'expand', 2, 62],
    [53, 'check pairs', 0.5, 1],
  ] as const) {
    seconds = at;
    update(step, done, total);
  }
  end('loaded');
  expect(lines).toEqual([
    'read: 11.0 of 80.0 MB, 13 %, 1.1 MB/s, 63 s left\n',
    'save\n',
    'expand: 2 of 62 days, 3 %, 0.1 days/s, 10 min left\n',
    'check pairs: 50 %\n',
  ]);
});
