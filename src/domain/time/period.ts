import { addDays, weekdayOf, type LocalDate, type Weekday } from './dates.ts';

/** Days of operation as a bit set: bit 0 is Monday, bit 6 is Sunday. */
export type DaySet = number & { readonly brand: 'DaySet' };

/** A period of operation: both ends included, on the given weekdays, every week or every other week counted from `from`. */
export type Period = {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly days: DaySet;
  readonly everyWeeks: 1 | 2;
};

export const daySet = (...days: readonly Weekday[]): DaySet =>
  days.reduce((set, day) => set | (1 << (day - 1)), 0) as DaySet;

export const EVERY_DAY = daySet(1, 2, 3, 4, 5, 6, 7);

/** The weekdays of a set, Monday first. */
export const weekdaysOf = (set: DaySet): readonly Weekday[] =>
  ([1, 2, 3, 4, 5, 6, 7] as const).filter((day) => set & (1 << (day - 1)));

/** Whether a flight of this period departs on a date (SSIM chapter 7, record 3, bytes 15-36). */
export const operatesOn = ({ from, to, days, everyWeeks }: Period, date: LocalDate): boolean =>
  date >= from &&
  date <= to &&
  (days & (1 << (weekdayOf(date) - 1))) !== 0 &&
  (everyWeeks === 1 || Math.floor((date - from) / 7) % 2 === 0);

/** The departure dates of a period, earliest first. */
export function* departureDates(period: Period): Generator<LocalDate> {
  for (let date = period.from; date <= period.to; date = addDays(date, 1)) if (operatesOn(period, date)) yield date;
}
