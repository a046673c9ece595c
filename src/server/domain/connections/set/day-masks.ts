import { addDays, type LocalDate } from '#domain/time/dates.ts';
import type { DateSpan } from '#domain/time/period.ts';
import { operatesOn, type Period } from '#domain/time/period.ts';

/** The dates that the bits of a mask stand for: bit 0 is `base`. */
export type DayFrame = { readonly base: LocalDate; readonly words: number };

/** Leg 2 can depart up to 2 local dates before leg 1, and up to 10 after it when leg 1 takes a week: masks contain these dates too. */
export const DAYS_BEFORE = 2;
export const DAYS_AFTER = 10;
const BITS = 32;

/** Creates the frame of a set whose first legs depart on `days` dates from `from` on. */
export const createDayFrame = (from: LocalDate, days: number): DayFrame => ({
  base: addDays(from, -DAYS_BEFORE),
  words: Math.ceil((DAYS_BEFORE + days + DAYS_AFTER) / BITS),
});

/** Returns the first and last date of a frame. */
export const toDateSpan = ({ base, words }: DayFrame): DateSpan => ({
  from: base,
  to: addDays(base, words * BITS - 1),
});

/** Builds the mask of the dates of a period within a span. */
export const buildPeriodMask = (frame: DayFrame, period: Period, { from, to }: DateSpan): Uint32Array => {
  const mask = new Uint32Array(frame.words);
  const frameDates = toDateSpan(frame);
  const first = Math.max(from, period.from, frameDates.from);
  const last = Math.min(to, period.to, frameDates.to);
  for (let date = first as LocalDate; date <= last; date = addDays(date, 1)) {
    if (!operatesOn(period, date)) continue;
    const bit = date - frame.base;
    const word = bit >>> 5;
    mask[word] = (mask[word] ?? 0) | (1 << (bit & 31));
  }
  return mask;
};

/** Removes a date from a mask; a date outside the frame has no effect. */
export const clearMaskDate = ({ base, words }: DayFrame, mask: Uint32Array, date: LocalDate): void => {
  const bit = date - base;
  if (bit < 0 || bit >= words * BITS) return;
  mask[bit >>> 5] = (mask[bit >>> 5] ?? 0) & ~(1 << (bit & 31));
};

/** Builds the mask of all dates of a span. Called for every pair of flights whose MCT has dates, therefore word by word. */
export const buildSpanMask = ({ base, words }: DayFrame, { from, to }: DateSpan): Uint32Array => {
  const mask = new Uint32Array(words);
  const first = Math.max(from - base, 0);
  const last = Math.min(to - base, words * BITS - 1);
  if (first > last) return mask;
  const [firstWord, lastWord] = [first >>> 5, last >>> 5];
  mask.fill(-1, firstWord, lastWord + 1);
  mask[firstWord] = -1 << (first & 31);
  mask[lastWord] = (mask[lastWord] ?? 0) & (-1 >>> (31 - (last & 31)));
  return mask;
};

/** Lists the dates of a mask, earliest first. */
export const listMaskDates = ({ base }: DayFrame, mask: Uint32Array): readonly LocalDate[] => {
  const dates: LocalDate[] = [];
  for (const [index, word] of mask.entries())
    for (let bit = 0; bit < BITS; bit += 1) if ((word >>> bit) & 1) dates.push(addDays(base, index * BITS + bit));
  return dates;
};

/** A mask to read, and the days to shift it by (less than 32 either way). */
export type ShiftedMask = { readonly start: number; readonly words: number; readonly days: number };

/**
 * Returns a word of the mask at `start`, shifted so that bit i is the date `days` after day i: the dates on which leg 1 meets a leg 2 that departs
 * that many days later.
 */
export const readShiftedWord = (masks: Uint32Array, { start, words, days }: ShiftedMask, index: number): number => {
  const own = masks[start + index] ?? 0;
  if (days === 0) return own;
  if (days > 0) {
    const next = index + 1 < words ? (masks[start + index + 1] ?? 0) : 0;
    return (own >>> days) | (next << (BITS - days));
  }
  const before = index > 0 ? (masks[start + index - 1] ?? 0) : 0;
  return (own << -days) | (before >>> (BITS + days));
};
