import { expect, test } from 'vitest';

import { addDays, localDate } from '../../src/domain/dates.ts';
import { daySet, departureDates, EVERY_DAY, type Period } from '../../src/domain/period.ts';
import { shareADate, shiftPeriod } from '../../src/domain/shift-period.ts';

const june = (facts: Partial<Period> = {}): Period => ({
  from: localDate('2026-06-01'),
  to: localDate('2026-06-30'),
  days: daySet(1, 4, 7),
  everyWeeks: 1,
  ...facts,
});

test.each([-8, -7, -1, 0, 1, 2, 7, 9])('moving a period by %i days moves each of its dates by as many', (byDays) => {
  for (const period of [june(), june({ everyWeeks: 2 }), june({ days: EVERY_DAY })]) {
    expect([...departureDates(shiftPeriod(period, byDays))]).toEqual(
      [...departureDates(period)].map((date) => addDays(date, byDays)),
    );
  }
});

test('two periods share a date exactly when their dates do', () => {
  const starts = ['2026-06-01', '2026-06-03', '2026-06-08', '2026-06-20'].map(localDate);
  const periods = starts.flatMap((from) =>
    [daySet(1), daySet(3, 5), daySet(6, 7), EVERY_DAY].flatMap((days) =>
      ([1, 2] as const).map((everyWeeks) => june({ from, days, everyWeeks })),
    ),
  );
  for (const one of periods) {
    const dates = new Set(departureDates(one));
    for (const other of periods)
      expect(shareADate(one, other)).toBe([...departureDates(other)].some((date) => dates.has(date)));
  }
});
