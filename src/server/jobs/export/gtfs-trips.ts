import { toLegKey } from '#domain/schedule/messages/cancellations.ts';
import { computeInstance, computeItinerarySpan, type ZoneLookup } from '#domain/schedule/instances.ts';
import { listRestrictions } from '#domain/schedule/restrictions.ts';
import type { FlightSegment, Itinerary, Restriction, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { findServiceType } from '#domain/schedule/service-types.ts';
import { findTrafficRestriction } from '#domain/schedule/traffic-restrictions.ts';
import { findTransportMode, type TransportMode } from '#domain/schedule/transport-modes.ts';
import { addDays, buildLocalMinute, toDate, type LocalDate, type UtcMinute } from '#domain/time/dates.ts';
import { operatesOn, type DateSpan } from '#domain/time/period.ts';
import { convertLocalToUtc, toLocalMinute } from '#domain/time/zones.ts';

/** How passengers may board or alight, as in GTFS: 0 regularly, 1 not at all, 2 by arrangement with the agency. */
export type Access = 0 | 1 | 2;

/** A stop of a trip; times are minutes after noon minus 12 hours of the service day. */
export type TripStop = {
  readonly station: string;
  readonly arrives: number;
  readonly departs: number;
  readonly pickup: Access;
  readonly dropOff: Access;
};

/** The modes of passenger transport. */
export type PassengerMode = Exclude<TransportMode, 'truck'>;

/** The departures of a flight that have the same mode, stops and times. `dates` are the service days, in the order of the schedule. */
export type Trip = {
  readonly mode: PassengerMode;
  readonly stops: readonly TripStop[];
  readonly dates: ReadonlySet<LocalDate>;
  /** Whether the access of the stops hides a restriction between two of them. */
  readonly isInexact: boolean;
};

/** Why the departure of a leg is in no trip. */
export type LeftOutReason =
  | 'marketing'
  | 'no passengers'
  | 'unknown vehicle'
  | 'no position'
  | 'cancelled'
  | 'reversed';

export type TripContext = {
  /** The local dates on which trips leave their first stop. */
  readonly span: DateSpan;
  readonly zoneOf: ZoneLookup;
  /** The zone of all agencies. */
  readonly agencyZone: string;
  readonly hasPosition: (station: string) => boolean;
  /** The keys of cancelled legs by local origin date. */
  readonly cancelled: ReadonlyMap<LocalDate, ReadonlySet<string>> | undefined;
  readonly onLeftOut?: ((reason: LeftOutReason) => void) | undefined;
};

const NOON = 720;

const findServiceStart = (zone: string, date: LocalDate): number =>
  convertLocalToUtc(zone, buildLocalMinute(date, NOON), 0).utc - NOON;

/**
 * Returns the service day of a departure in a zone, and its start: noon minus 12 hours (GTFS). It is midnight except on days of a clock change.
 * When clocks are set back, the first hour of a date is before its start and belongs to the day before.
 */
const findServiceDay = (zone: string, departs: UtcMinute): { readonly date: LocalDate; readonly start: number } => {
  const date = toDate(toLocalMinute(zone, departs));
  const start = findServiceStart(zone, date);
  if (departs >= start) return { date, start };
  const before = addDays(date, -1);
  return { date: before, start: findServiceStart(zone, before) };
};

/** Rates a restriction: connecting and stopover traffic needs another flight, which GTFS cannot require. */
const toAccess = ({ code }: Restriction): Access => {
  const restriction = findTrafficRestriction(code);
  if (!restriction || restriction.localSale === 'yes') return 0;
  return restriction.connection === 'none' && !restriction.stopover ? 1 : 2;
};

type PairAccess = { readonly board: number; readonly off: number; readonly pickup: Access; readonly dropOff: Access };

/** Returns the access of a pair of stops by its passenger restrictions, at its board and off point. */
const ratePair = (
  legs: readonly ScheduleLeg[],
  { segmentData }: Itinerary,
  { board, off }: { readonly board: number; readonly off: number },
): PairAccess => {
  const [first, ...others] = legs.slice(board, off);
  const restrictions = first ? listRestrictions([first, ...others], segmentData) : [];
  const rate = (point: 'boardPoint' | 'offPoint'): Access => {
    const rated = restrictions.filter((each) => each.passenger && each[point]).map(toAccess);
    return rated.includes(1) ? 1 : rated.includes(2) ? 2 : 0;
  };
  return { board, off, pickup: rate('boardPoint'), dropOff: rate('offPoint') };
};

/** Returns the most open of some accesses; 1 for none, as at the end of a trip. */
const findMostOpen = (accesses: readonly Access[]): Access => (accesses.includes(0) ? 0 : accesses.includes(2) ? 2 : 1);

type TripAccess = {
  readonly stops: readonly { readonly pickup: Access; readonly dropOff: Access }[];
  readonly isInexact: boolean;
};

/** Computes the access of each stop: passengers may board if they may travel to any later stop, and alight if from any earlier one. */
const computeAccess = (legs: readonly ScheduleLeg[], itinerary: Itinerary): TripAccess => {
  const points = Array.from({ length: legs.length + 1 }, (_, index) => index);
  const pairs = points.flatMap((board) =>
    points.filter((off) => off > board).map((off) => ratePair(legs, itinerary, { board, off })),
  );
  const stops = points.map((point) => ({
    pickup: findMostOpen(pairs.filter(({ board }) => board === point).map(({ pickup }) => pickup)),
    dropOff: findMostOpen(pairs.filter(({ off }) => off === point).map(({ dropOff }) => dropOff)),
  }));
  const isInexact = pairs.some(({ board, off, pickup, dropOff }) => {
    const shown = Math.max(stops[board]?.pickup ?? 0, stops[off]?.dropOff ?? 0);
    return (shown === 0) !== (pickup === 0 && dropOff === 0);
  });
  return { stops, isInexact };
};

/** A departure of a leg; `index` is that of the leg in its itinerary. */
type LegDeparture = {
  readonly index: number;
  readonly leg: ScheduleLeg;
  readonly mode: PassengerMode;
  readonly departsOn: LocalDate;
  readonly departs: UtcMinute;
  readonly arrives: UtcMinute;
};

/** How a leg is operated, or why no departure of it is in a trip. */
type LegUse = { readonly mode: PassengerMode } | { readonly reason: LeftOutReason };

const findUse = (segment: FlightSegment, { hasPosition }: TripContext): LegUse => {
  const [{ departure, arrival, serviceType, equipment }] = segment.legs;
  if (segment.isMarketing) return { reason: 'marketing' };
  const mode = findTransportMode(equipment, serviceType);
  if (mode === 'truck' || findServiceType(serviceType)?.classes.includes('Passenger') !== true)
    return { reason: 'no passengers' };
  if (!mode) return { reason: 'unknown vehicle' };
  return hasPosition(departure.station) && hasPosition(arrival.station) ? { mode } : { reason: 'no position' };
};

type PlannedLeg = { readonly segment: FlightSegment; readonly use: LegUse };

/** Lists the departures of the legs of a flight that leaves on a filed origin date, without those left out. */
const listLegDepartures = (
  planned: readonly PlannedLeg[],
  filedOrigin: LocalDate,
  { zoneOf, cancelled, span, onLeftOut }: TripContext,
): readonly LegDeparture[] => {
  const [first] = planned;
  if (!first) return [];
  const [firstLeg] = first.segment.legs;
  return planned.flatMap(({ segment, use }, index): readonly LegDeparture[] => {
    const [leg] = segment.legs;
    const filed = addDays(filedOrigin, leg.departure.dateVariation);
    if (!operatesOn(leg.period, filed)) return [];
    const instance = computeInstance(segment, filed, { firstLeg, zoneOf });
    const { departsAtUtc: departs, arrivesAtUtc: arrives } = instance;
    const departsOn = toDate(instance.departsAtLocal);
    const isCancelled = cancelled?.get(instance.originDate)?.has(toLegKey(leg)) === true;
    const reason =
      'reason' in use ? use.reason : isCancelled ? 'cancelled' : arrives < departs ? 'reversed' : undefined;
    if ('mode' in use && reason === undefined) return [{ index, leg, mode: use.mode, departsOn, departs, arrives }];
    if (reason !== undefined && departsOn >= span.from && departsOn <= span.to) onLeftOut?.(reason);
    return [];
  });
};

/** Joins departures of consecutive legs; a leg that is left out in between separates two trips, and so does a change of the mode. */
const joinDepartures = (departures: readonly LegDeparture[], { complete }: Itinerary): readonly LegDeparture[][] => {
  const trips: LegDeparture[][] = [];
  let previous: LegDeparture | undefined;
  for (const departure of departures) {
    const continues =
      complete &&
      previous?.index === departure.index - 1 &&
      previous.mode === departure.mode &&
      previous.leg.arrival.station === departure.leg.departure.station &&
      previous.arrives <= departure.departs;
    if (continues) trips.at(-1)?.push(departure);
    else trips.push([departure]);
    previous = departure;
  }
  return trips;
};

const buildStops = (departures: readonly LegDeparture[], start: number, { stops }: TripAccess): readonly TripStop[] =>
  stops.flatMap(({ pickup, dropOff }, index): readonly TripStop[] => {
    const [before, after] = [departures[index - 1], departures[index]];
    const station = after?.leg.departure.station ?? before?.leg.arrival.station;
    const arrives = before?.arrives ?? after?.departs;
    const departs = after?.departs ?? before?.arrives;
    if (station === undefined || arrives === undefined || departs === undefined) return [];
    return [{ station, arrives: arrives - start, departs: departs - start, pickup, dropOff }];
  });

/** The date variation of a departure is -1 to 7 (SSIM record 3), and a UTC date differs from the local one by up to 1. */
const ORIGIN_MARGIN = { before: 8, after: 2 };

/** Yields the filed origin dates of an itinerary of which a leg can depart in a span. */
function* listOrigins(itinerary: Itinerary, span: DateSpan): Generator<LocalDate> {
  const { from, to } = computeItinerarySpan(itinerary);
  const last = addDays(to < span.to ? to : span.to, ORIGIN_MARGIN.after);
  const first = addDays(from > span.from ? from : span.from, -ORIGIN_MARGIN.before);
  for (let date = first; date <= last; date = addDays(date, 1)) yield date;
}

/**
 * Builds the trips of the itineraries of one flight. Departures with the same mode, stops and times, in the zone of the agencies, are one trip, whatever
 * itinerary they are from. Two equal departures on a day are two trips.
 */
export const buildTrips = (itineraries: readonly Itinerary[], context: TripContext): readonly Trip[] => {
  const trips = new Map<string, Trip & { readonly dates: Set<LocalDate> }>();
  const { span, agencyZone } = context;
  for (const itinerary of itineraries) {
    const planned = buildSegments(itinerary)
      .slice(0, itinerary.legs.length)
      .map((segment) => ({ segment, use: findUse(segment, context) }));
    const accesses = new Map<string, TripAccess>();
    for (const origin of listOrigins(itinerary, span))
      for (const departures of joinDepartures(listLegDepartures(planned, origin, context), itinerary)) {
        const [first] = departures;
        if (!first || first.departsOn < span.from || first.departsOn > span.to) continue;
        const legs = departures.map(({ leg }) => leg);
        const accessKey = `${first.index}-${legs.length}`;
        const access = accesses.get(accessKey) ?? computeAccess(legs, itinerary);
        accesses.set(accessKey, access);
        const { date, start } = findServiceDay(agencyZone, first.departs);
        const stops = buildStops(departures, start, access);
        const { mode } = first;
        let key = JSON.stringify([mode, stops]);
        while (trips.get(key)?.dates.has(date) === true) key += '+';
        const trip = trips.get(key) ?? { mode, stops, dates: new Set(), isInexact: access.isInexact };
        trip.dates.add(date);
        trips.set(key, trip);
      }
  }
  return [...trips.values()];
};
