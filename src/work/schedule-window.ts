import { addDays, type LocalDate } from '../domain/dates.ts';
import { departureSpan, type DateSpan } from '../domain/departure-span.ts';
import type { Directory } from '../domain/directory.ts';
import type { CarrierSchedule } from '../domain/schedule.ts';

/** The days to lay out around a schedule. */
export type Window = { readonly from: LocalDate; readonly days: number };

/** The first and last local date on which schedules can depart; undefined when they hold no flight. */
export const extent = (schedules: readonly CarrierSchedule[]): DateSpan | undefined => {
  let all: DateSpan | undefined;
  for (const { itineraries } of schedules)
    for (const itinerary of itineraries) {
      const { from, to } = departureSpan(itinerary);
      all = all ? { from: from < all.from ? from : all.from, to: to > all.to ? to : all.to } : { from, to };
    }
  return all;
};

/** The days that are laid out of those on which schedules depart. */
export const windowDays = (
  { from, to }: DateSpan,
  {
    today,
    window,
    horizonDays,
  }: { readonly today: LocalDate; readonly window?: Window | undefined; readonly horizonDays: number },
): readonly LocalDate[] => {
  const yesterday = addDays(today, -1);
  const start = window?.from ?? (to < yesterday ? from : yesterday);
  const end = addDays(start, (window?.days ?? horizonDays) - 1);
  const first = Math.max(start, from);
  const last = Math.min(end, to);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) as LocalDate);
};

/**
 * From which day on a carrier's flights are replaced, by carrier id: what has been flown and the new schedule does not
 * cover is history. Every owner of a designator is named, for its flights may have been loaded when another answered first.
 */
export const replacedFrom = (
  schedules: readonly CarrierSchedule[],
  directory: Directory,
  today: LocalDate,
): ReadonlyMap<number, LocalDate> => {
  const starts = new Map<number, LocalDate>();
  for (const schedule of schedules) {
    const start = Math.min(schedule.from, extent([schedule])?.from ?? today, today);
    for (const { id } of directory.carriers(schedule.carrier.length === 3 ? 'icao' : 'iata', schedule.carrier))
      starts.set(id, Math.min(starts.get(id) ?? start, start) as LocalDate);
  }
  return starts;
};
