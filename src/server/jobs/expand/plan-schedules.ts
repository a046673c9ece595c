import { findCarrier, findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { Designator, FlightSegment, Itinerary, ScheduleLeg, CarrierSchedule } from '#domain/schedule/schedule.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import { toCompany } from '#domain/schedule/segment-lookups.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import {
  createRowRenderer,
  type RenderRow,
  renderDetails,
  renderSeats,
  toCodes,
} from '#products/flight-info/v2/to-flight-instance.ts';
import type { Codeshare } from '#store/flights/codeshares.ts';
import type { Sql } from '#store/pool/database.ts';
import { getNextIds, type ItineraryRecord, type SegmentRecord } from '#store/schedules/schedules.ts';

/** A marketing flight of a segment, without the keys of its instances. */
export type PlannedCodeshare = Omit<Codeshare, 'key' | 'order'> & { readonly designator: Designator };

/** A segment that is ready to be expanded: its IDs are resolved, and the part that its rows share is rendered. */
export type PlannedSegment = {
  readonly segment: FlightSegment;
  readonly firstLeg: ScheduleLeg;
  readonly segmentId: number;
  readonly carrierId: number;
  readonly departureId: number;
  readonly arrivalId: number;
  /** The departure airport of the last leg. */
  readonly lastDepartureId: number;
  readonly renderRow: RenderRow;
  /** The marketing flights that an operating flight names. */
  readonly codeshares: readonly PlannedCodeshare[];
};

/** The segments of one flight designator; only these can have equal keys. */
export type PlannedFlight = { readonly designator: Designator; readonly segments: readonly PlannedSegment[] };

const toId = (owner: { readonly id: number } | undefined, code: string): number => {
  if (!owner) throw new Error(`'${code}' has no record; a load must add missing records before planning`);
  return owner.id;
};

const toStationId = (masterDataIndex: MasterDataIndex, station: string): number =>
  toId(findStation(masterDataIndex, station), station);

/** Plans the marketing flights that an operating flight names; the carriers that master data lack are left out. */
const planCodeshares = (segment: FlightSegment, masterDataIndex: MasterDataIndex): readonly PlannedCodeshare[] => {
  if (segment.isMarketing) return [];
  const operator = toCompany({ code: segment.carrier, name: '' }, masterDataIndex);
  return segment.marketingFlights.flatMap((designator): readonly PlannedCodeshare[] => {
    const { carrier: code, flightNumber, suffix } = designator;
    const carrier = findCarrier(masterDataIndex, code);
    if (!carrier || toDesignatorKey(designator) === toDesignatorKey(segment)) return [];
    return [{ designator, carrierId: carrier.id, carrier: toCodes(carrier), flightNumber, suffix, operator }];
  });
};

/** Plans the segments of an itinerary; `idAt` returns the ID of each in the order of `buildSegments`. */
export const planItinerary = (
  itinerary: Itinerary,
  idAt: (index: number) => number,
  masterDataIndex: MasterDataIndex,
): readonly PlannedSegment[] => {
  const owner = findCarrier(masterDataIndex, itinerary.legs[0].carrier);
  const letters = owner && masterDataIndex.cabinLetters(owner.id);
  return buildSegments(itinerary, letters).map((segment, index) => {
    const [first] = segment.legs;
    const last = segment.legs.at(-1) ?? first;
    return {
      segment,
      firstLeg: itinerary.legs[0],
      segmentId: idAt(index),
      carrierId: toId(findCarrier(masterDataIndex, segment.carrier), segment.carrier),
      departureId: toStationId(masterDataIndex, first.departure.station),
      arrivalId: toStationId(masterDataIndex, last.arrival.station),
      lastDepartureId: toStationId(masterDataIndex, last.departure.station),
      renderRow: createRowRenderer(segment, masterDataIndex),
      codeshares: planCodeshares(segment, masterDataIndex),
    };
  });
};

/** Groups planned segments by flight designator. */
export const groupByDesignator = (segments: Iterable<PlannedSegment>): readonly PlannedFlight[] => {
  const flights = new Map<string, PlannedSegment[]>();
  for (const planned of segments) {
    const { carrier, flightNumber, suffix } = planned.segment;
    const key = `${carrier}|${flightNumber}|${suffix}`;
    const group = flights.get(key);
    if (group) group.push(planned);
    else flights.set(key, [planned]);
  }
  return [...flights.values()].flatMap((group) =>
    group[0] ? [{ designator: group[0].segment, segments: group }] : [],
  );
};

/** What a publication stores and expands. */
export type SchedulePlan = {
  /** Flights by designator as filed. */
  readonly flights: ReadonlyMap<string, readonly PlannedFlight[]>;
  readonly itineraries: readonly ItineraryRecord[];
  readonly segments: readonly SegmentRecord[];
};

/** Plans the itineraries, segments and flights of schedules, with new IDs. */
export const planSchedules = async (
  sql: Sql,
  schedules: readonly CarrierSchedule[],
  {
    masterDataIndex,
    amendmentOf,
  }: {
    readonly masterDataIndex: MasterDataIndex;
    /** The amendment that caused an itinerary; none for one of a schedule file. */
    readonly amendmentOf: ReadonlyMap<Itinerary, number>;
  },
): Promise<SchedulePlan> => {
  let next = await getNextIds(sql);
  const flights = new Map<string, readonly PlannedFlight[]>();
  const itineraries: ItineraryRecord[] = [];
  const segments: SegmentRecord[] = [];
  const planOne = (itinerary: Itinerary, carrierId: number) => {
    const planned = planItinerary(itinerary, (index) => next.segment + index, masterDataIndex);
    itineraries.push({ id: next.itinerary, carrierId, itinerary, amendmentId: amendmentOf.get(itinerary) });
    for (const { segment, segmentId } of planned)
      segments.push({
        id: segmentId,
        itineraryId: next.itinerary,
        detailsJson: renderDetails(segment),
        seatsJson: renderSeats(segment),
      });
    next = { itinerary: next.itinerary + 1, segment: next.segment + planned.length };
    return planned;
  };
  for (const schedule of schedules) {
    const carrierId = findCarrier(masterDataIndex, schedule.carrier)?.id ?? 0;
    const planned = schedule.itineraries.flatMap((itinerary) => planOne(itinerary, carrierId));
    flights.set(schedule.carrier, groupByDesignator(planned));
  }
  return { flights, itineraries, segments };
};
