import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, localDate } from '#domain/time/dates.ts';
import { clipPeriod, toDaySet, listDepartureDates, EVERY_DAY, findFirstDate } from '#domain/time/period.ts';
import { narrowPeriod, haveCommonDate, shiftPeriod } from '#domain/time/period.ts';
import type { DaySet, Period } from '#domain/time/period.ts';

const dates = { from: localDate('2026-06-01'), to: localDate('2026-06-30') };
const usual: Period = { ...dates, days: toDaySet(1, 4, 7), everyWeeks: 1 };
const june = (facts: Partial<Period> = {}): Period => ({ ...usual, ...facts });

test.each([-8, -7, -1, 0, 1, 2, 7, 9])('a period moved by %i days has each date moved by as many', (byDays) => {
  for (const period of [june(), june({ everyWeeks: 2 }), june({ days: EVERY_DAY })]) {
    const moved = [...listDepartureDates(period)].map((date) => addDays(date, byDays));
    expect([...listDepartureDates(shiftPeriod(period, byDays))]).toEqual(moved);
  }
});

test('two periods share a date exactly when their dates do', () => {
  const starts = ['2026-06-01', '2026-06-03', '2026-06-08', '2026-06-20'].map(localDate);
  const periods = starts.flatMap((from) =>
    [toDaySet(1), toDaySet(3, 5), toDaySet(6, 7), EVERY_DAY].flatMap((days) =>
      ([1, 2] as const).map((everyWeeks) => june({ from, days, everyWeeks })),
    ),
  );
  for (const one of periods) {
    const dates = new Set(listDepartureDates(one));
    for (const other of periods)
      expect(haveCommonDate(one, other)).toBe([...listDepartureDates(other)].some((date) => dates.has(date)));
  }
});

test('a narrowed period has the same dates, and periods with the same dates become equal', () => {
  const wide = june({ days: toDaySet(2, 5) });
  expect(narrowPeriod(wide)).toEqual(june({ from: localDate('2026-06-02'), days: toDaySet(2, 5) }));
  expect(narrowPeriod(june({ to: localDate('2026-06-02'), days: EVERY_DAY })).days).toBe(toDaySet(1, 2));
  for (const everyWeeks of [1, 2] as const) {
    for (const days of [toDaySet(1), toDaySet(3, 7), toDaySet(6), EVERY_DAY]) {
      for (const to of ['2026-06-07', '2026-06-18', '2026-06-30'].map(localDate)) {
        const period = june({ days, to, everyWeeks });
        expect([...listDepartureDates(narrowPeriod(period))]).toEqual([...listDepartureDates(period)]);
      }
    }
  }
});

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

test('a cut period has exactly the dates between the cuts, each once, in up to two parts', () => {
  fc.assert(
    fc.property(anyPeriod, anyDate, anyDate, (period, from, to) => {
      const parts = clipPeriod(period, { from, to });
      const within = [...listDepartureDates(period)].filter((date) => date >= from && date <= to);
      expect(parts.flatMap((part) => [...listDepartureDates(part)])).toEqual(within);
      expect(parts.length).toBeLessThanOrEqual(period.everyWeeks);
      expect(findFirstDate(period, { from, to })).toBe(within[0]);
    }),
    { seed: 20_260_601, numRuns: 2000 },
  );
});
