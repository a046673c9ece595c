import { addDays, type LocalDate } from '../time/dates.ts';
import { passengerMinutesOf } from './passenger-minutes.ts';
import type { Itinerary, ScheduleLeg } from './schedule.ts';

/** Local dates, both included. */
export type DateSpan = { readonly from: LocalDate; readonly to: LocalDate };

/** A date filed in UTC, or for an aircraft that leaves on the other side of midnight, can be a local one beside it. */
const isFiledLocally = ({ timeMode, departure }: ScheduleLeg): boolean =>
  timeMode === 'local' && passengerMinutesOf(departure) === departure.passengerMinutes;

/** The first and last local date on which a leg of an itinerary can depart. */
export const departureSpan = ({ legs }: Itinerary): DateSpan => {
  const spans = legs.map((leg) => {
    const margin = isFiledLocally(leg) ? 0 : 1;
    return { from: addDays(leg.period.from, -margin), to: addDays(leg.period.to, margin) };
  });
  return spans.reduce((all, { from, to }) => ({
    from: from < all.from ? from : all.from,
    to: to > all.to ? to : all.to,
  }));
};
