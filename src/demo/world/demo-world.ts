import type { CarrierSchedule, Itinerary } from '#domain/schedule/schedule.ts';
import { addDays, type LocalDate } from '#domain/time/dates.ts';
import { buildItineraries } from './build-itineraries.ts';
import { carriers } from './carriers.ts';
import { addCodeshares } from './codeshares.ts';
import type { DateSpan } from '#domain/time/period.ts';
import { timetable } from './timetable.ts';

/** Numbers legs and segment data as the lines of one file, because load reports refer to lines. */
const numberLines = (schedules: readonly CarrierSchedule[]): readonly CarrierSchedule[] => {
  let line = 0;
  const numbered = <T>(record: T): T & { readonly line: number } => ({ ...record, line: ++line });
  const numberItinerary = ({ legs: [first, ...others], segmentData, complete }: Itinerary): Itinerary => ({
    legs: [numbered(first), ...others.map((leg) => numbered(leg))],
    segmentData: segmentData.map((data) => numbered(data)),
    complete,
  });
  return schedules.map((schedule) => ({ ...schedule, itineraries: schedule.itineraries.map(numberItinerary) }));
};

/** The days of the past on which flights have flown, with two more for flights that departed on an earlier local date. */
export const FLOWN_DAYS = 30;
const DAYS_BACK = FLOWN_DAYS + 2;
/** A year, so that the clocks of every zone with summer time change twice. */
const DAYS_AHEAD = 365;

/** Returns the days of the demo world around a day. */
const toWorldSpan = (today: LocalDate): DateSpan => ({
  from: addDays(today, -DAYS_BACK),
  to: addDays(today, DAYS_AHEAD),
});

const buildAllItineraries = (span: DateSpan): readonly Itinerary[] =>
  timetable.flatMap((flight) => buildItineraries(flight, span)).flatMap(addCodeshares);

/**
 * Builds the schedules of the invented airlines, from a month before a day to a year after it, or for a given span. They move with the day:
 * a flight keeps its number, times and itinerary variations, and only its periods of operation move.
 * Throws RangeError for days before 2019-12-01.
 */
export const buildDemoSchedules = (today: LocalDate, span = toWorldSpan(today)): readonly CarrierSchedule[] => {
  const byCarrier = Map.groupBy(buildAllItineraries(span), ({ legs }) => legs[0].carrier);
  return numberLines(carriers.map(({ iata }) => ({ carrier: iata, ...span, itineraries: byCarrier.get(iata) ?? [] })));
};
