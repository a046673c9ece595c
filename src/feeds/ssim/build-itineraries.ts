import type { Itinerary, ScheduleLeg, SegmentData } from '../../domain/schedule/schedule.ts';
import { bearsOn } from '../../domain/schedule/segment-data.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import { completeLeg } from './complete-leg.ts';
import type { ItineraryRecords, SegmentDraft } from './record-reader.ts';
import { groupLegs } from './group-legs.ts';

type FlightLegs = readonly [ScheduleLeg, ...ScheduleLeg[]];
type FlightDraft = { readonly legs: FlightLegs; readonly isComplete: boolean; readonly data: SegmentData[] };

/** Whether the data names the board point of one leg and the off point of that or a later one. */
const hasPointPair = (legs: FlightLegs, data: SegmentData): boolean =>
  legs.some((board, index) =>
    legs.some((off, offIndex) => {
      if (offIndex < index) return false;
      const ends = { boardStation: board.departure.station, offStation: off.arrival.station };
      return bearsOn(data, { ...ends, boardIndex: board.sequence - 1, offIndex: off.sequence });
    }),
  );

type SegmentMatch = { readonly flights: readonly FlightDraft[]; readonly reason: string; readonly message: string };

/**
 * Where a record 4 belongs: to the flights of its itinerary that have its pair of points. When a variation holds several flights, the
 * record 3 it follows decides between them. Without a home, the reason tells why.
 */
const matchFlights = (
  flights: readonly FlightDraft[],
  { data, followedLegLine: afterLine }: SegmentDraft,
): SegmentMatch => {
  if (flights.length === 0)
    return { flights, reason: 'no-such-flight', message: 'No leg of this flight and variation was taken.' };
  const fitting = flights.filter(({ legs }) => hasPointPair(legs, data));
  const noPair = { reason: 'no-such-segment', message: 'The flight and variation has no such pair of points.' };
  if (flights.length === 1 || afterLine === undefined) return { flights: fitting, ...noPair };
  const isFollowed = ({ legs }: FlightDraft): boolean => legs.some(({ line }) => line === afterLine);
  if (!flights.some(isFollowed))
    return {
      flights: [],
      reason: 'leg-kept-out',
      message: 'The leg it follows was kept out, and the variation has other flights.',
    };
  const followed = fitting.filter(isFollowed);
  return { flights: followed.length > 0 ? followed : fitting, ...noPair };
};

const attachSegmentData = (flights: readonly FlightDraft[], bucket: ItineraryRecords, report: LoadReport): void => {
  for (const segment of bucket.segments) {
    const homes = matchFlights(flights, segment);
    for (const home of homes.flights) home.data.push(segment.data);
    if (homes.flights.length > 0) {
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
      reason: homes.reason,
      message: homes.message,
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
      message: `The record leaves ${field} to a data element which the file does not have.`,
    });
  }
  return completed.leg;
};

/** The itineraries of one bucket, with their segment data attached and their legs filled from it. */
export const buildItineraries = (bucket: ItineraryRecords, report: LoadReport): readonly Itinerary[] => {
  const flights: readonly FlightDraft[] = groupLegs(bucket.drafts, report).map(({ legs, isComplete }) => ({
    legs,
    isComplete,
    data: [],
  }));
  if (bucket.segments.length > 0) attachSegmentData(flights, bucket, report);
  return flights.map(({ legs: [first, ...rest], isComplete: whole, data }) => {
    countAccepted(report, 'leg', rest.length + 1);
    return {
      legs: [completeWithReport(first, data, report), ...rest.map((leg) => completeWithReport(leg, data, report))],
      segmentData: data,
      complete: whole && !bucket.isDamaged,
    };
  });
};
