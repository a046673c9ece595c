import { dataElements as dei } from '../../schedule/data-elements.ts';
import { readMctStatuses } from '../../schedule/mct-status.ts';
import { byVariation, newFingerprints } from '../../schedule/record-fingerprints.ts';
import { recordsOf } from '../../schedule/schedule-records.ts';
import type { FlightSegment, Itinerary, ScheduleLeg } from '../../schedule/schedule.ts';
import { pointPairOf, textFor } from '../../schedule/segment-data.ts';
import { segmentOf } from '../../schedule/segments.ts';
import { serviceTypeOf } from '../../schedule/service-types.ts';
import type { ConnectingFlight, ConnectingRecord } from './connecting-flight.ts';
import type { ConnectionMasterData } from './connection-master-data.ts';

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

/** Why a board and off point pair is excluded: it cannot be booked, it returns to its origin, or a leg between could not be read. */
export const exclusionReasons = ['service-type', 'same-airport', 'incomplete-itinerary'] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

const lastLegOf = (legs: Legs): ScheduleLeg => legs.at(-1) ?? legs[0];

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
  if (legs[0].departure.station === lastLegOf(legs).arrival.station) return 'same-airport';
  return (serviceTypeOf(legs[0].serviceType)?.classes ?? []).length === 0 ? 'service-type' : undefined;
};

const buildConnectingFlight = (
  segment: FlightSegment,
  { source }: LegSequence,
  masterData: ConnectionMasterData,
): ConnectingFlight => {
  const { carrier, flightNumber, suffix, legs } = segment;
  const filedStatus = readMctStatuses(textFor(source.segmentData, pointPairOf(legs), dei.mctStatus));
  const [board, ...later] = legs;
  const airportsAfter = later.map(({ arrival }) => masterData.airport(arrival.station));
  const [first = '', ...others] = segment.legEquipment;
  return {
    carrier,
    flightNumber,
    suffix,
    operating: segment.operatingFlight ?? { carrier, flightNumber, suffix },
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
    departureStatus: filedStatus?.board ?? board.departure.mctStatus,
    arrivalStatus: filedStatus?.off ?? lastLegOf(legs).arrival.mctStatus,
    restrictions: segment.restrictions,
  };
};

/**
 * Builds the records of all board and off point pairs that can be part of a connection. `itineraries` are all that are in force for one
 * designator, by itinerary variation, so that fingerprints equal those of Schedules. `onExcluded` is called for each excluded pair.
 */
export function* buildConnectingRecords(
  itineraries: readonly Itinerary[],
  masterData: ConnectionMasterData,
  onExcluded: (reason: ExclusionReason) => void = () => {},
): Generator<ConnectingRecord> {
  const fingerprintOf = newFingerprints();
  for (const sequence of itineraries.flatMap(listLegSequences).toSorted(byVariation)) {
    const reason = findExclusionReason(sequence);
    if (reason !== undefined) onExcluded(reason);
    if (reason !== undefined && !sequence.isListed) continue;
    const segment = segmentOf(sequence.legs, sequence.source);
    const flight = reason === undefined ? buildConnectingFlight(segment, sequence, masterData) : undefined;
    for (const record of recordsOf(segment, { firstLeg: sequence.source.legs[0], zoneOf: masterData.zoneOf })) {
      const [board, off] = [sequence.legs[0].departure.station, lastLegOf(sequence.legs).arrival.station];
      // Excluded records count too: they take part in the numbering of equal fingerprints.
      const fingerprint = sequence.isListed
        ? fingerprintOf({ designator: segment, board, off, period: record.period }).toString('hex')
        : '';
      if (flight) yield { flight, record, fingerprint };
    }
  }
}
