import type { CarrierSchedule, Itinerary } from '../../../domain/schedule/schedule.ts';

/** Numbers legs and segment data as the lines of one file, legs first within an itinerary, so that reports can name them. */
export const numberLines = (schedules: readonly CarrierSchedule[]): readonly CarrierSchedule[] => {
  let line = 0;
  const numbered = <T>(record: T): T & { readonly line: number } => ({ ...record, line: ++line });
  const numberItinerary = ({ legs: [first, ...others], segmentData, complete }: Itinerary): Itinerary => ({
    legs: [numbered(first), ...others.map((leg) => numbered(leg))],
    segmentData: segmentData.map((data) => numbered(data)),
    complete,
  });
  return schedules.map((schedule) => ({ ...schedule, itineraries: schedule.itineraries.map(numberItinerary) }));
};
