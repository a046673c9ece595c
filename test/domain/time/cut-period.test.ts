import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPeriod, firstDateOf } from '../../../src/domain/time/cut-period.ts';
import { addDays, localDate, type LocalDate } from '../../../src/domain/time/dates.ts';
import { daySet, departureDates, type DaySet, type Period } from '../../../src/domain/time/period.ts';

const start = localDate('2026-06-01');

const anyPeriod: fc.Arbitrary<Period> = fc
  .record({
    length: fc.integer({ min: 0, max: 60 }),
    days: fc.integer({ min: 1, max: 0b1111111 }),
    everyWeeks: fc.constantFrom<1 | 2>(1, 2),
  })
  .map(({ length, days, everyWeeks }) => ({
    from: start,
    to: addDays(start, length),
    days: days as DaySet,
    everyWeeks,
  }));

const anyDate = fc.integer({ min: -5, max: 65 }).map((days) => addDays(start, days));

test('a cut period has exactly the dates between the cuts, each once, in two parts at most', () => {
  fc.assert(
    fc.property(anyPeriod, anyDate, anyDate, (period, from, to) => {
      const parts = cutPeriod(period, { from, to });
      const within = [...departureDates(period)].filter((date) => date >= from && date <= to);
      expect(parts.flatMap((part) => [...departureDates(part)])).toEqual(within);
      expect(parts.length).toBeLessThanOrEqual(period.everyWeeks);
      expect(firstDateOf(period, { from, to })).toBe(within[0]);
    }),
    { seed: 20_260_601, numRuns: 2000 },
  );
});

test('every other week, cut between two days of a week that operates, is the rest of that week and the weeks after it', () => {
  const period: Period = { from: start, to: localDate('2026-07-31'), days: daySet(1, 5), everyWeeks: 2 };
  const on = (date: string): LocalDate => localDate(date);
  expect(cutPeriod(period, { from: on('2026-06-02'), to: on('2026-07-15') })).toEqual([
    { from: on('2026-06-05'), to: on('2026-06-05'), days: daySet(5), everyWeeks: 1 },
    { from: on('2026-06-15'), to: on('2026-07-13'), days: daySet(1, 5), everyWeeks: 2 },
  ]);
});
