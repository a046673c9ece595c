import type { Itinerary, ScheduleLeg, SegmentData } from '#domain/schedule/schedule.ts';
import { appliesTo } from '#domain/schedule/segment-data.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import { completeLeg } from './complete-leg.ts';
import type { ItineraryRecords, SegmentDraft } from './record-reader.ts';
import { groupLegs } from './group-legs.ts';

type FlightLegs = readonly [ScheduleLeg, ...ScheduleLeg[]];
type FlightDraft = { readonly legs: FlightLegs; readonly isComplete: boolean; readonly data: SegmentData[] };

/** Whether the data applies from the board point of one leg to the off point of that or a later one. */
const hasPointPair = (legs: FlightLegs, data: SegmentData): boolean =>
  legs.some((board, index) =>
    legs.some((off, offIndex) => {
      if (offIndex < index) return false;
      const ends = { boardStation: board.departure.station, offStation: off.arrival.station };
      return appliesTo(data, { ...ends, boardIndex: board.sequence - 1, offIndex: off.sequence });
    }),
  );

type SegmentMatch = { readonly flights: readonly FlightDraft[]; readonly reason: string; readonly message: string };

/**
 * Finds the flights of an itinerary to which a record 4 applies: those with its pair of points. When a variation has several
 * flights, the record 3 that it follows decides. `reason` and `message` explain why there are none.
 */
const matchFlights = (flights: readonly FlightDraft[], { data, followedLegLine }: SegmentDraft): SegmentMatch => {
  if (flights.length === 0)
    return {
      flights,
      reason: 'no-such-flight',
      message: 'No leg of this flight and itinerary variation was accepted.',
    };
  const matching = flights.filter(({ legs }) => hasPointPair(legs, data));
  const noPair = {
    reason: 'no-such-segment',
    message: 'The flight and itinerary variation does not contain this pair of points.',
  };
  if (flights.length === 1 || followedLegLine === undefined) return { flights: matching, ...noPair };
  const isFollowed = ({ legs }: FlightDraft): boolean => legs.some(({ line }) => line === followedLegLine);
  if (!flights.some(isFollowed))
    return {
      flights: [],
      reason: 'leg-kept-out',
      message: 'The leg before this record was quarantined, and the itinerary variation contains other flights.',
    };
  const followedFlights = matching.filter(isFollowed);
  return { flights: followedFlights.length > 0 ? followedFlights : matching, ...noPair };
};

const attachSegmentData = (flights: readonly FlightDraft[], itinerary: ItineraryRecords, report: LoadReport): void => {
  for (const segment of itinerary.segments) {
    const match = matchFlights(flights, segment);
    for (const flight of match.flights) flight.data.push(segment.data);
    if (match.flights.length > 0) {
      countAccepted(report, 'segmentData');
      continue;
    }
    const { line, dei, boardStation, offStation } = segment.data;
    const value = `${String(dei).padStart(3, '0')} ${boardStation || 'QQQ'}-${offStation || 'QQQ'}`;
    report.entries.push({
      severity: 'quarantined',
      line,
      bytes: [29, 39],
      value,
      reason: match.reason,
      message: match.message,
    });
  }
};

const completeWithReport = (leg: ScheduleLeg, data: readonly SegmentData[], report: LoadReport): ScheduleLeg => {
  const completed = completeLeg(leg, data);
  for (const field of completed.missing) {
    report.entries.push({
      severity: 'notice',
      line: leg.line,
      field,
      value: '',
      reason: 'data-element-missing',
      message: `The value of ${field} refers to a data element that the file does not contain.`,
    });
  }
  return completed.leg;
};

/** Builds the itineraries of one itinerary variation, with their segment data and with legs completed from it. */
export const buildItineraries = (itinerary: ItineraryRecords, report: LoadReport): readonly Itinerary[] => {
  const flights: readonly FlightDraft[] = groupLegs(itinerary.legs, report).map(({ legs, isComplete }) => ({
    legs,
    isComplete,
    data: [],
  }));
  if (itinerary.segments.length > 0) attachSegmentData(flights, itinerary, report);
  return flights.map(({ legs: [first, ...rest], isComplete, data }) => {
    countAccepted(report, 'leg', rest.length + 1);
    return {
      legs: [completeWithReport(first, data, report), ...rest.map((leg) => completeWithReport(leg, data, report))],
      segmentData: data,
      complete: isComplete && !itinerary.isDamaged,
    };
  });
};
