import { dataElements as dei } from '#domain/schedule/data-elements.ts';
import { compareVariations, createFingerprinter } from '#domain/schedule/keys.ts';
import { buildScheduleRecords } from '#domain/schedule/schedule-records.ts';
import type { FlightSegment, Itinerary, LegEnd, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { addDays, toDate, toMinuteOfDay, type LocalDate, type LocalMinute } from '#domain/time/dates.ts';
import { operatesOn } from '#domain/time/period.ts';
import { toLegKey } from '#domain/schedule/messages/cancellations.ts';
import { toAdHocKey } from '#domain/schedule/messages/flight-schedule.ts';
import { computeInstance, type ZoneLookup } from '#domain/schedule/instances.ts';
import { toPointPair, findText } from '#domain/schedule/segment-data.ts';
import { buildSegment, isOperatedByOther } from '#domain/schedule/segments.ts';
import { findServiceType } from '#domain/schedule/service-types.ts';
import type { ConnectingFlight, ConnectingRecord } from './connecting-flight.ts';
import type { ConnectionMasterData } from './connection-master-data.ts';

/** What counts at the board and the off point of a flight for minimum connecting times. */
type MctStatuses = { readonly board: 'D' | 'I'; readonly off: 'D' | 'I' };

const mctStatusPattern = /^([DI])\/?([DI])?$/;

/**
 * Reads data element 220: one letter is the status of both points, two are those of the board and the off point. Undefined for anything
 * else, and for no text.
 */
export const parseMctStatuses = (text: string | undefined): MctStatuses | undefined => {
  const match = mctStatusPattern.exec(text?.trim() ?? '');
  if (match === null) return undefined;
  const status = (letter: string | undefined): Exclude<LegEnd['mctStatus'], ''> => (letter === 'D' ? 'D' : 'I');
  return { board: status(match[1]), off: status(match[2] ?? match[1]) };
};

type Legs = Itinerary['legs'];

/** Consecutive legs of an itinerary, which a passenger can travel without a connection. */
type LegSequence = {
  readonly legs: Legs;
  readonly source: Itinerary;
  /** Whether the Schedules product has records of it: it lists single legs and whole flights. */
  readonly isListed: boolean;
  readonly itinerary: number;
  readonly sequence: number;
};

/**
 * Why a board and off point pair is excluded: it cannot be booked, it returns to its origin, or a leg between could not be read. The first kind is
 * part of the set, so that it can be explained, but not of any connection.
 */
export const exclusionReasons = ['service-type', 'same-airport', 'incomplete-itinerary'] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

const getLastLeg = (legs: Legs): ScheduleLeg => legs.at(-1) ?? legs[0];

/** Lists all leg sequences of an itinerary in the order of Schedules: by first leg, shorter ones first. */
const listLegSequences = (itinerary: Itinerary): readonly LegSequence[] =>
  itinerary.legs.flatMap((first, start) =>
    itinerary.legs.slice(start).map((_, further) => {
      const later = itinerary.legs.slice(start + 1, start + further + 1);
      return {
        legs: [first, ...later] as const,
        source: itinerary,
        isListed: further === 0 || (itinerary.complete && further === itinerary.legs.length - 1),
        itinerary: first.itinerary,
        sequence: first.sequence,
      };
    }),
  );

const findExclusionReason = ({ legs, source }: LegSequence): ExclusionReason | undefined => {
  if (legs.length > 1 && !source.complete) return 'incomplete-itinerary';
  if (legs[0].departure.station === getLastLeg(legs).arrival.station) return 'same-airport';
  return (findServiceType(legs[0].serviceType)?.classes ?? []).length === 0 ? 'service-type' : undefined;
};

/** The carrier of the operating flight, else the operator that all legs of a marketing flight disclose, else its own carrier. */
const findOperatingCarrier = (segment: FlightSegment): string => {
  if (segment.operatingFlight) return segment.operatingFlight.carrier;
  const isDisclosed = segment.legs.every(isOperatedByOther);
  return (isDisclosed && segment.operatingAirlineDisclosure?.code) || segment.carrier;
};

const buildConnectingFlight = (
  segment: FlightSegment,
  { source }: LegSequence,
  masterData: ConnectionMasterData,
): ConnectingFlight => {
  const { carrier, flightNumber, suffix, legs } = segment;
  const findStatuses = (some: Legs): MctStatuses | undefined =>
    parseMctStatuses(findText(source.segmentData, toPointPair(some), dei.mctStatus));
  const filedStatus = findStatuses(legs);
  const [board, ...later] = legs;
  const airportsAfter = later.map(({ arrival }) => masterData.airport(arrival.station));
  const [first = '', ...others] = segment.legEquipment;
  const operating = segment.operatingFlight ?? { carrier, flightNumber, suffix };
  return {
    carrier: masterData.carrier(carrier),
    flightNumber,
    suffix,
    operating: { ...operating, carrier: masterData.carrier(operating.carrier) },
    operatingCarrier: masterData.carrier(findOperatingCarrier(segment)),
    isMarketing: segment.isMarketing,
    airports: [
      masterData.airport(board.departure.station),
      masterData.airport(board.arrival.station),
      ...airportsAfter,
    ],
    equipment: [masterData.equipment(first), ...others.map(masterData.equipment)],
    serviceType: segment.serviceType,
    departureTerminal: segment.departureTerminal,
    arrivalTerminal: segment.arrivalTerminal,
    departureStatus: filedStatus?.board ?? findStatuses([board])?.board ?? board.departure.mctStatus,
    arrivalStatus: filedStatus?.off ?? findStatuses([getLastLeg(legs)])?.off ?? getLastLeg(legs).arrival.mctStatus,
    restrictions: segment.restrictions,
  };
};

/** The cancelled legs of a flight (`toLegKey`), by the local date on which it leaves its first station (`toAdHocKey`). */
export type CancelledLegs = ReadonlyMap<LocalDate, ReadonlySet<string>>;

/** The flights of one designator, and which of their legs are cancelled. */
type FlightsInForce = {
  /** All that are in force for the designator, by itinerary variation, so that fingerprints equal those of Schedules. */
  readonly itineraries: readonly Itinerary[];
  readonly cancelled?: CancelledLegs | undefined;
};

/** Lists when a segment would depart if none of its legs were cancelled. */
const listCancelledDepartures = (
  segment: FlightSegment,
  { legs }: Itinerary,
  { cancelled, zoneOf }: { readonly cancelled: CancelledLegs; readonly zoneOf: ZoneLookup },
): readonly LocalMinute[] => {
  const [{ period, departure }] = segment.legs;
  const keys = segment.legs.map(toLegKey);
  const dates = new Set([...cancelled].flatMap(([date, ofDate]) => (keys.some((key) => ofDate.has(key)) ? date : [])));
  // Dates in UTC differ from local dates by up to a day.
  const origins = new Set([...dates].flatMap((date) => [-1, 0, 1].map((days) => addDays(date, days))));
  return [...origins].flatMap((origin) => {
    const filed = addDays(origin, departure.dateVariation);
    if (!operatesOn(period, filed) || !dates.has(toAdHocKey({ legs }, origin, zoneOf))) return [];
    return [computeInstance(segment, filed, { firstLeg: legs[0], zoneOf }).departsAtLocal];
  });
};

/**
 * Builds the records of all board and off point pairs that can be part of a connection, or be explained. `onExcluded` is called for
 * each excluded pair.
 */
export function* buildConnectingRecords(
  { itineraries, cancelled = new Map() }: FlightsInForce,
  masterData: ConnectionMasterData,
  onExcluded: (reason: ExclusionReason) => void = () => {},
): Generator<ConnectingRecord> {
  const fingerprintOf = createFingerprinter();
  for (const sequence of itineraries.flatMap(listLegSequences).toSorted(compareVariations)) {
    const reason = findExclusionReason(sequence);
    if (reason !== undefined) onExcluded(reason);
    const isInSet = reason === undefined || reason === 'service-type';
    if (!isInSet && !sequence.isListed) continue;
    const segment = buildSegment(sequence.legs, sequence.source);
    const flight = isInSet ? buildConnectingFlight(segment, sequence, masterData) : undefined;
    const cancelledDepartures =
      cancelled.size === 0
        ? []
        : listCancelledDepartures(segment, sequence.source, { cancelled, zoneOf: masterData.zoneOf });
    for (const record of buildScheduleRecords(segment, {
      firstLeg: sequence.source.legs[0],
      zoneOf: masterData.zoneOf,
    })) {
      const [board, off] = [sequence.legs[0].departure.station, getLastLeg(sequence.legs).arrival.station];
      // Excluded records count too: they take part in the numbering of equal fingerprints.
      const fingerprint = sequence.isListed
        ? fingerprintOf({ designator: segment, board, off, period: record.period }).toString('hex')
        : '';
      // A flight in UTC can leave twice on a local date, by two records.
      const cancelledOn = cancelledDepartures
        .filter((minute) => toMinuteOfDay(minute) === record.departureLocalMinutes)
        .map(toDate);
      if (flight) yield { flight, record, fingerprint, cancelledOn };
    }
  }
}
