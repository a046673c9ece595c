import type { Itinerary, ScheduleLeg, SegmentData } from '../../domain/schedule/schedule.ts';
import { bearsOn } from '../../domain/schedule/segment-data.ts';
import { countAccepted, type LoadReport } from '../load-report.ts';
import { completeLeg } from './complete-leg.ts';
import type { FlightBucket, SegmentDraft } from './record-reader.ts';
import { groupLegs } from './group-legs.ts';

type Legs = readonly [ScheduleLeg, ...ScheduleLeg[]];
type Growing = { readonly legs: Legs; readonly whole: boolean; readonly data: SegmentData[] };

/** Whether the data names the board point of one leg and the off point of that or a later one. */
const fits = (legs: Legs, data: SegmentData): boolean =>
  legs.some((board, index) =>
    legs.some((off, offIndex) => {
      if (offIndex < index) return false;
      const ends = { boardStation: board.departure.station, offStation: off.arrival.station };
      return bearsOn(data, { ...ends, boardIndex: board.sequence - 1, offIndex: off.sequence });
    }),
  );

type Homes = { readonly flights: readonly Growing[]; readonly reason: string; readonly message: string };

/**
 * Where a record 4 belongs: to the flights of its itinerary that have its pair of points. When a variation holds several flights, the
 * record 3 it follows decides between them. Without a home, the reason tells why.
 */
const homesOf = (flights: readonly Growing[], { data, afterLine }: SegmentDraft): Homes => {
  if (flights.length === 0)
    return { flights, reason: 'no-such-flight', message: 'No leg of this flight and variation was taken.' };
  const fitting = flights.filter(({ legs }) => fits(legs, data));
  const noPair = { reason: 'no-such-segment', message: 'The flight and variation has no such pair of points.' };
  if (flights.length === 1 || afterLine === undefined) return { flights: fitting, ...noPair };
  const isFollowed = ({ legs }: Growing): boolean => legs.some(({ line }) => line === afterLine);
  if (!flights.some(isFollowed))
    return {
      flights: [],
      reason: 'leg-kept-out',
      message: 'The leg it follows was kept out, and the variation has other flights.',
    };
  const followed = fitting.filter(isFollowed);
  return { flights: followed.length > 0 ? followed : fitting, ...noPair };
};

const attach = (flights: readonly Growing[], bucket: FlightBucket, report: LoadReport): void => {
  for (const segment of bucket.segments) {
    const homes = homesOf(flights, segment);
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

const complete = (leg: ScheduleLeg, data: readonly SegmentData[], report: LoadReport): ScheduleLeg => {
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
export const buildItineraries = (bucket: FlightBucket, report: LoadReport): readonly Itinerary[] => {
  const flights: readonly Growing[] = groupLegs(bucket.drafts, report).map(({ legs, whole }) => ({
    legs,
    whole,
    data: [],
  }));
  if (bucket.segments.length > 0) attach(flights, bucket, report);
  return flights.map(({ legs: [first, ...rest], whole, data }) => {
    countAccepted(report, 'leg', rest.length + 1);
    return {
      legs: [complete(first, data, report), ...rest.map((leg) => complete(leg, data, report))],
      segmentData: data,
      complete: whole && !bucket.damaged,
    };
  });
};
