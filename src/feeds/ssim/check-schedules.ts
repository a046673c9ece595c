import { dataElements } from '../../domain/schedule/data-elements.ts';
import { designatorKey, readFlightReferences } from '../../domain/schedule/flight-references.ts';
import type {
  CarrierSchedule,
  Designator,
  Itinerary,
  ScheduleLeg,
  SegmentData,
} from '../../domain/schedule/schedule.ts';
import { bearsOn } from '../../domain/schedule/segment-data.ts';
import { shareADate } from '../../domain/time/shift-period.ts';
import type { LoadReport } from '../load-report.ts';

const checkStationPair = (legs: readonly ScheduleLeg[], report: LoadReport): void => {
  const open: ScheduleLeg[] = [];
  for (const leg of legs.toSorted((one, other) => one.period.from - other.period.from)) {
    const current = open.filter((each) => each.period.to >= leg.period.from);
    open.length = 0;
    open.push(...current);
    const rival = open.find((each) => shareADate(each.period, leg.period));
    // A leg in conflict is not compared with further ones, so that those still open never share a date and stay few.
    if (rival === undefined) {
      open.push(leg);
      continue;
    }
    const value = `${leg.carrier}${leg.flightNumber}${leg.suffix} ${leg.departure.station}-${leg.arrival.station}`;
    const message = `The same designator departs between the same stations on a common date by the record of line ${rival.line}.`;
    report.entries.push({
      severity: 'notice',
      line: leg.line,
      bytes: [15, 57],
      value,
      reason: 'double-departure',
      message,
    });
  }
};

/** Reports legs of one designator and one pair of stations that share a date: one of them cannot be true, but which is not for the reader to say. */
export const checkDepartures = ({ itineraries }: CarrierSchedule, report: LoadReport): void => {
  const byFlight = new Map<string, ScheduleLeg[]>();
  for (const { legs } of itineraries) {
    for (const leg of legs) {
      const key = `${designatorKey(leg)} ${leg.departure.station} ${leg.arrival.station}`;
      const found = byFlight.get(key);
      if (found === undefined) byFlight.set(key, [leg]);
      else found.push(leg);
    }
  }
  for (const legs of byFlight.values()) if (legs.length > 1) checkStationPair(legs, report);
};

type FlightCrossReference = {
  readonly from: Designator;
  readonly to: Designator;
  readonly points: string;
  readonly data: SegmentData;
};

/** Every pair of points of an itinerary that the data speaks of, as text. */
const listPointPairs = ({ legs }: Itinerary, data: SegmentData): readonly string[] =>
  legs.flatMap((board, index) =>
    legs.slice(index).flatMap((off) => {
      const stations = { boardStation: board.departure.station, offStation: off.arrival.station };
      const pair = { ...stations, boardIndex: board.sequence - 1, offIndex: off.sequence };
      return bearsOn(data, pair) ? [`${stations.boardStation}-${stations.offStation}`] : [];
    }),
  );

const listReferences = (itinerary: Itinerary): readonly FlightCrossReference[] =>
  itinerary.segmentData
    .filter(({ dei }) => dei === dataElements.marketingFlights || dei === dataElements.operatingFlight)
    .flatMap((data) => {
      const named = readFlightReferences(data.data) ?? [];
      return listPointPairs(itinerary, data).flatMap((points) =>
        named.map((to) => ({ from: itinerary.legs[0], to, points, data })),
      );
    });

const keyOf = (dei: number, { from, to, points }: Pick<FlightCrossReference, 'from' | 'to' | 'points'>): string =>
  `${dei} ${designatorKey(from)} ${designatorKey(to)} ${points}`;

/**
 * Reports cross-references between an operating and a marketing flight that only one side makes. Senders file the two apart, so this is
 * common and hurts nothing; it is looked at only where both carriers are in the file.
 */
export const checkCodeshares = (schedules: readonly CarrierSchedule[], report: LoadReport): void => {
  const carriers = new Set(schedules.map(({ carrier }) => carrier));
  const flights = new Set<string>();
  const references: FlightCrossReference[] = [];
  for (const { itineraries } of schedules) {
    for (const itinerary of itineraries) {
      flights.add(designatorKey(itinerary.legs[0]));
      for (const reference of listReferences(itinerary)) references.push(reference);
    }
  }
  const made = new Set(references.map((reference) => keyOf(reference.data.dei, reference)));
  const said = new Set<string>();
  for (const { from, to, points, data } of references) {
    if (!carriers.has(to.carrier)) continue;
    const opposite =
      data.dei === dataElements.marketingFlights ? dataElements.operatingFlight : dataElements.marketingFlights;
    const key = `${data.line} ${designatorKey(to)}`;
    if (made.has(keyOf(opposite, { from: to, to: from, points })) || said.has(key)) continue;
    said.add(key);
    const why = flights.has(designatorKey(to))
      ? `does not list it back by element ${opposite} between ${points}`
      : 'is not in the file';
    const message = `Data element ${data.dei} names ${to.carrier} ${to.flightNumber}${to.suffix}, which ${why}.`;
    report.entries.push({
      severity: 'notice',
      line: data.line,
      bytes: [40, 194],
      value: data.data,
      reason: 'codeshare-one-sided',
      message,
    });
  }
};
