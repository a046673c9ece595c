import { expect, test } from 'vitest';
import { createDayFrame, listMaskDates, toDateSpan } from '#domain/connections/set/day-masks.ts';
import { buildSpanMask, readShiftedWord } from '#domain/connections/set/day-masks.ts';
import { addDays, localDate } from '#domain/time/dates.ts';

const from = localDate('2026-03-01');
const frame = createDayFrame(from, 90);

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

test.each([
  [0, 0],
  [31, 32],
  [5, 100],
  [-7, 3],
  [100, 999],
  [999, 1000],
])('the mask of a span from day %i to day %i contains all its dates in the frame', (first, last) => {
  const all = Array.from({ length: frame.words * 32 }, (_, day) => day);
  const mask = buildSpanMask(frame, { from: addDays(frame.base, first), to: addDays(frame.base, last) });
  const dates = all.filter((day) => day >= first && day <= last).map((day) => addDays(frame.base, day));
  expect(listMaskDates(frame, mask)).toEqual(dates);
});
