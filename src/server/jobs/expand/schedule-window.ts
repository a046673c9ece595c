import { addDays, type LocalDate } from '#domain/time/dates.ts';
import { computeItinerarySpan } from '#domain/schedule/instances.ts';
import type { DateSpan } from '#domain/time/period.ts';
import type { CarrierSchedule } from '#domain/schedule/schedule.ts';

/** The days to expand. */
export type ExpansionWindow = { readonly from: LocalDate; readonly days: number };

const earlier = (a: LocalDate, b: LocalDate): LocalDate => (a < b ? a : b);
const later = (a: LocalDate, b: LocalDate): LocalDate => (a > b ? a : b);

/** Returns the first and last local date on which schedules can depart; undefined for schedules without flights. */
export const computeDepartureSpan = (schedules: readonly CarrierSchedule[]): DateSpan | undefined => {
  let span: DateSpan | undefined;
  for (const { itineraries } of schedules)
    for (const itinerary of itineraries) {
      const { from, to } = computeItinerarySpan(itinerary);
      span = span ? { from: earlier(from, span.from), to: later(to, span.to) } : { from, to };
    }
  return span;
};

/** Returns the days to expand, out of those on which schedules depart. */
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

/** Returns whether a new schedule replaces the flights of a day. Past days that it does not cover are history. */
export const isReplacedOn = (day: LocalDate, { from, to }: DateSpan, today: LocalDate): boolean =>
  day >= today || (day >= from && day <= to);

/** Returns the days that new schedules cover, by designator as filed. */
export const computeCoveredDays = (schedules: readonly CarrierSchedule[]): ReadonlyMap<string, DateSpan> =>
  new Map(
    schedules.map((schedule) => {
      const departures = computeDepartureSpan([schedule]) ?? schedule;
      return [
        schedule.carrier,
        { from: earlier(schedule.from, departures.from), to: later(schedule.to, departures.to) },
      ];
    }),
  );
