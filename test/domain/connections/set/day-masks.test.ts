import { describe, expect, test } from 'vitest';
import { createDayFrame, listMaskDates, toDateSpan } from '../../../../src/domain/connections/set/day-masks.ts';
import { readShiftedWord, buildPeriodMask, buildSpanMask } from '../../../../src/domain/connections/set/day-masks.ts';
import { addDays, formatDate, localDate } from '../../../../src/domain/time/dates.ts';
import { toDaySet, EVERY_DAY } from '../../../../src/domain/time/period.ts';

const from = localDate('2026-03-01');
const frame = createDayFrame(from, 90);
const texts = (mask: Uint32Array): readonly string[] => listMaskDates(frame, mask).map(formatDate);

describe('the dates of a set as bits', () => {
  test('a period is its dates of operation within a span, across word boundaries', () => {
    const filed = { from: localDate('2026-03-25'), to: localDate('2026-04-30'), days: toDaySet(1, 6) };
    const period = { ...filed, everyWeeks: 2 } as const;
    const span = { from: localDate('2026-03-27'), to: localDate('2026-04-25') };
    const dates = '2026-03-28 2026-03-30 2026-04-11 2026-04-13 2026-04-25';
    expect(texts(buildPeriodMask(frame, period, span)).join(' ')).toBe(dates);
  });

  test('dates outside the day frame are omitted', () => {
    const span = { from: localDate('2020-01-01'), to: localDate('2030-01-01') };
    const always = { ...span, days: EVERY_DAY, everyWeeks: 1 } as const;
    const { from: first, to: last } = toDateSpan(frame);
    expect([first < from, last > addDays(from, 89)]).toEqual([true, true]);
    expect(listMaskDates(frame, buildPeriodMask(frame, always, always))).toHaveLength(last - first + 1);
    expect(texts(buildSpanMask(frame, { from: localDate('2020-01-01'), to: localDate('2026-02-01') }))).toEqual([]);
  });

  test('a span is all its dates in the day frame, wherever in a word it begins and ends', () => {
    const every = Array.from({ length: frame.words * 32 }, (_, day) => addDays(frame.base, day));
    const edges = [-3, 0, 1, 30, 31, 32, 33, 63, 64, 95, every.length - 1, every.length, every.length + 5];
    for (const first of edges)
      for (const last of edges) {
        const span = { from: addDays(frame.base, first), to: addDays(frame.base, last) };
        expect(listMaskDates(frame, buildSpanMask(frame, span)), `${first} to ${last}`).toEqual(
          every.filter((date) => date >= span.from && date <= span.to),
        );
      }
  });

  test.each([-2, -1, 0, 1, 2, 5, 31])('a mask moved by %i days contains the days that much later', (days) => {
    const dates = [0, 1, 30, 31, 32, 33, 62, 63, 64, 80].map((day) => addDays(frame.base, day));
    const mask = new Uint32Array(frame.words * 2);
    for (const date of dates) {
      const bit = frame.words * 32 + date - frame.base;
      mask[bit >>> 5] = (mask[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    const at = { start: frame.words, words: frame.words, days };
    const moved = Uint32Array.from({ length: frame.words }, (_, index) => readShiftedWord(mask, at, index));
    const inFrame = dates
      .map((date) => addDays(date, -days))
      .filter((date) => date >= frame.base && date <= toDateSpan(frame).to);
    expect(listMaskDates(frame, moved)).toEqual(inFrame);
  });
});
