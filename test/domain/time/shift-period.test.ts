import { expect, test } from 'vitest';

import { addDays, localDate } from '../../../src/domain/time/dates.ts';
import { daySet, departureDates, EVERY_DAY, type Period } from '../../../src/domain/time/period.ts';
import { narrowPeriod, shareADate, shiftPeriod } from '../../../src/domain/time/shift-period.ts';

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

test('a narrowed period has the same dates, and periods of the same dates are the same then', () => {
  const wide = june({ days: daySet(2, 5) });
  expect(narrowPeriod(wide)).toEqual(june({ from: localDate('2026-06-02'), days: daySet(2, 5) }));
  expect(narrowPeriod(june({ to: localDate('2026-06-02'), days: EVERY_DAY })).days).toBe(daySet(1, 2));
  for (const everyWeeks of [1, 2] as const) {
    for (const days of [daySet(1), daySet(3, 7), daySet(6), EVERY_DAY]) {
      for (const to of ['2026-06-07', '2026-06-18', '2026-06-30'].map(localDate)) {
        const period = june({ days, to, everyWeeks });
        expect([...departureDates(narrowPeriod(period))]).toEqual([...departureDates(period)]);
      }
    }
  }
});
