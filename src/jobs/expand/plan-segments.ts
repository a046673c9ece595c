import { dateAt, formatDate, type LocalDate } from '../../domain/time/dates.ts';
import { carrierIn, stationIn, type Directory } from '../../domain/master-data/directory.ts';
import { instancesDeparting, type SegmentInstance, type ZoneOf } from '../../domain/schedule/instances.ts';
import { scheduleKey, statusKey } from '../../domain/schedule/keys.ts';
import type { Designator, FlightSegment, Itinerary, ScheduleLeg } from '../../domain/schedule/schedule.ts';
import { segmentsOf } from '../../domain/schedule/segments.ts';
import { createRowRenderer, type RenderRow } from '../../products/flight-info/v2/to-flight-instance.ts';
import type { InstanceRow } from '../../store/flights/instance-days.ts';

/** A segment ready to be laid out: its places are resolved and the shared part of its rows is written. */
export type PlannedSegment = {
  readonly segment: FlightSegment;
  readonly firstLeg: ScheduleLeg;
  readonly segmentId: number;
  readonly carrierId: number;
  readonly departureId: number;
  readonly arrivalId: number;
  /** The airport that the last leg leaves. */
  readonly lastDepartureId: number;
  readonly show: RenderRow;
};

/** The segments of one flight designator: all that can share a key. */
export type PlannedFlight = { readonly designator: Designator; readonly segments: readonly PlannedSegment[] };

const idOf = (owner: { readonly id: number } | undefined, code: string): number => {
  if (!owner) throw new Error(`'${code}' has no record; a load adds missing ones before it plans`);
  return owner.id;
};

const idOfStation = (directory: Directory, station: string): number => idOf(stationIn(directory, station), station);

/** Plans the segments of an itinerary; `idAt` answers the id of each in the order of `segmentsOf`. */
export const planItinerary = (
  itinerary: Itinerary,
  idAt: (index: number) => number,
  directory: Directory,
): readonly PlannedSegment[] =>
  segmentsOf(itinerary).map((segment, index) => {
    const [first] = segment.legs;
    const last = segment.legs.at(-1) ?? first;
    return {
      segment,
      firstLeg: itinerary.legs[0],
      segmentId: idAt(index),
      carrierId: idOf(carrierIn(directory, segment.carrier), segment.carrier),
      departureId: idOfStation(directory, first.departure.station),
      arrivalId: idOfStation(directory, last.arrival.station),
      lastDepartureId: idOfStation(directory, last.departure.station),
      show: createRowRenderer(segment, directory),
    };
  });

/** What is counted while days are laid out. */
export type ExpansionCounts = {
  instances: number;
  doubleDepartures: number;
  /** Legs whose filed variations from UTC are not those of their zones, by line of the source. */
  readonly mismatches: Map<number, { readonly leg: ScheduleLeg; flights: number; asFiled: boolean }>;
};

/** Counts of nothing yet. */
export const createExpansionCounts = (): ExpansionCounts => ({
  instances: 0,
  doubleDepartures: 0,
  mismatches: new Map(),
});

const countMismatch = ({ mismatches }: ExpansionCounts, leg: ScheduleLeg, { utcAsFiled }: SegmentInstance): void => {
  const entry = mismatches.get(leg.line) ?? { leg, flights: 0, asFiled: false };
  entry.flights += 1;
  entry.asFiled ||= utcAsFiled;
  mismatches.set(leg.line, entry);
};

/** Which departure of its kind this is: of the flight's origin date for the schedule key, of its own day for the status key. */
type Occurrence = { readonly ofOrigin: number; readonly ofDay: number };
const only: Occurrence = { ofOrigin: 1, ofDay: 1 };

const rowOf = (planned: PlannedSegment, instance: SegmentInstance, { ofOrigin, ofDay }: Occurrence): InstanceRow => {
  const { segment } = planned;
  const [first] = segment.legs;
  const last = segment.legs.at(-1) ?? first;
  const [board, off] = [first.departure.station, last.arrival.station];
  const key = scheduleKey({ designator: segment, date: instance.originDate, board, off, occurrence: ofOrigin });
  const observed = statusKey({
    designator: segment.operatingFlight ?? segment,
    date: dateAt(instance.departsAtLocal),
    board,
    off,
    occurrence: ofDay,
  });
  return {
    departsAt: instance.departsAtLocal,
    arrivesAt: instance.arrivesAtLocal,
    key,
    statusKey: observed,
    carrierId: planned.carrierId,
    departureId: planned.departureId,
    arrivalId: planned.arrivalId,
    segmentId: planned.segmentId,
    flightNumber: segment.flightNumber,
    flightType: 'S',
    serviceType: segment.serviceType,
    isMarketing: segment.isMarketing,
    doc: planned.show(instance, { scheduleInstanceKey: key.toString('hex'), statusKey: observed.toString('hex') }),
  };
};

type Departure = { readonly planned: PlannedSegment; readonly instance: SegmentInstance };

/**
 * A designator should leave a station for another once a day. When its itineraries overlap all the same, the departures
 * are told apart by their order in time, so that none is lost and each keeps its key.
 */
function* rowsOfOverlapping(departures: Departure[], counts: ExpansionCounts): Generator<InstanceRow> {
  departures.sort(
    (a, b) => a.instance.departsAtUtc - b.instance.departsAtUtc || a.planned.segmentId - b.planned.segmentId,
  );
  const seen = new Map<string, number>();
  const next = (kind: string): number => {
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count;
  };
  for (const { planned, instance } of departures) {
    const { legs } = planned.segment;
    const way = `${legs[0].departure.station}|${legs.at(-1)?.arrival.station}`;
    const ofOrigin = next(`${formatDate(instance.originDate)}|${way}`);
    if (ofOrigin > 1) counts.doubleDepartures += 1;
    yield rowOf(planned, instance, { ofOrigin, ofDay: next(way) });
  }
}

/** The rows of the flights that depart on a local date. */
export function* buildDayRows(
  flights: Iterable<PlannedFlight>,
  day: LocalDate,
  { zoneOf, counts }: { readonly zoneOf: ZoneOf; readonly counts: ExpansionCounts },
): Generator<InstanceRow> {
  for (const { segments } of flights) {
    const departures: Departure[] = [];
    for (const planned of segments)
      for (const instance of instancesDeparting(planned.segment, day, { firstLeg: planned.firstLeg, zoneOf })) {
        counts.instances += 1;
        if (instance.variationMismatch && planned.segment.legs.length === 1)
          countMismatch(counts, planned.segment.legs[0], instance);
        departures.push({ planned, instance });
      }
    const [first] = departures;
    if (departures.length === 1 && first) yield rowOf(first.planned, first.instance, only);
    else yield* rowsOfOverlapping(departures, counts);
  }
}

/** Collects planned segments into flights by designator. */
export const groupByDesignator = (segments: Iterable<PlannedSegment>): readonly PlannedFlight[] => {
  const flights = new Map<string, PlannedSegment[]>();
  for (const planned of segments) {
    const { carrier, flightNumber, suffix } = planned.segment;
    const name = `${carrier}|${flightNumber}|${suffix}`;
    const group = flights.get(name);
    if (group) group.push(planned);
    else flights.set(name, [planned]);
  }
  return [...flights.values()].flatMap((group) =>
    group[0] ? [{ designator: group[0].segment, segments: group }] : [],
  );
};
