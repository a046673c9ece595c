import { addDays, type LocalDate } from '../../domain/time/dates.ts';
import { departureSpan, type DateSpan } from '../../domain/schedule/departure-span.ts';
import type { CarrierSchedule } from '../../domain/schedule/schedule.ts';

/** The days to lay out around a schedule. */
export type ExpansionWindow = { readonly from: LocalDate; readonly days: number };

const earlier = (a: LocalDate, b: LocalDate): LocalDate => (a < b ? a : b);
const later = (a: LocalDate, b: LocalDate): LocalDate => (a > b ? a : b);

/** The first and last local date on which schedules can depart; undefined when they hold no flight. */
export const computeDepartureSpan = (schedules: readonly CarrierSchedule[]): DateSpan | undefined => {
  let all: DateSpan | undefined;
  for (const { itineraries } of schedules)
    for (const itinerary of itineraries) {
      const { from, to } = departureSpan(itinerary);
      all = all ? { from: earlier(from, all.from), to: later(to, all.to) } : { from, to };
    }
  return all;
};

/** The days that are laid out of those on which schedules depart. */
export const listWindowDays = (
  { from, to }: DateSpan,
  {
    today,
    window,
    horizonDays,
  }: { readonly today: LocalDate; readonly window?: ExpansionWindow | undefined; readonly horizonDays: number },
): readonly LocalDate[] => {
  const yesterday = addDays(today, -1);
  const start = window?.from ?? (to < yesterday ? from : yesterday);
  const end = addDays(start, (window?.days ?? horizonDays) - 1);
  const first = Math.max(start, from);
  const last = Math.min(end, to);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) as LocalDate);
};

/** Whether a designator's flights of a day give way to a new schedule: what has been flown and it does not cover is history. */
export const isReplacedOn = (day: LocalDate, { from, to }: DateSpan, today: LocalDate): boolean =>
  day >= today || (day >= from && day <= to);

/** The days that new schedules cover, by designator as filed. */
export const computeCoveredDays = (schedules: readonly CarrierSchedule[]): ReadonlyMap<string, DateSpan> =>
  new Map(
    schedules.map((schedule) => {
      const flown = computeDepartureSpan([schedule]) ?? schedule;
      return [schedule.carrier, { from: earlier(schedule.from, flown.from), to: later(schedule.to, flown.to) }];
    }),
  );
