import { dataElements as dei } from '../schedule/data-elements.ts';
import { readMctStatuses } from '../schedule/mct-status.ts';
import { byVariation, newFingerprints } from '../schedule/record-fingerprints.ts';
import { recordsOf } from '../schedule/schedule-records.ts';
import type { FlightSegment, Itinerary, ScheduleLeg } from '../schedule/schedule.ts';
import { pointPairOf, textFor } from '../schedule/segment-data.ts';
import { segmentOf } from '../schedule/segments.ts';
import { serviceTypeOf } from '../schedule/service-types.ts';
import type { ConnectingFlight, ConnectingRecord } from './connecting-flight.ts';
import type { ConnectionPlaces } from './connection-places.ts';

type Legs = Itinerary['legs'];

/** Some consecutive legs of an itinerary: what one can travel on without a change. */
type Run = {
  readonly legs: Legs;
  readonly of: Itinerary;
  /** Whether Schedules has records of it: it lists the legs and the whole of a flight. */
  readonly isListed: boolean;
  readonly itinerary: number;
  readonly sequence: number;
};

/** Why a pair of a board and an off point takes no part: nobody can book it, it leads nowhere, or a leg between could not be read. */
export const leftOutReasons = ['service-type', 'same-airport', 'incomplete-itinerary'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

const lastOf = (legs: Legs): ScheduleLeg => legs.at(-1) ?? legs[0];

/** Every run of an itinerary, in the order of Schedules: the legs by sequence, a leg before the longer runs that begin with it. */
const runsOf = (itinerary: Itinerary): readonly Run[] =>
  itinerary.legs.flatMap((first, start) =>
    itinerary.legs.slice(start).map((_, further) => {
      const later = itinerary.legs.slice(start + 1, start + further + 1);
      return {
        legs: [first, ...later] as const,
        of: itinerary,
        isListed: further === 0 || (itinerary.complete && further === itinerary.legs.length - 1),
        itinerary: first.itinerary,
        sequence: first.sequence,
      };
    }),
  );

const reasonAgainst = ({ legs, of }: Run): LeftOutReason | undefined => {
  if (legs.length > 1 && !of.complete) return 'incomplete-itinerary';
  if (legs[0].departure.station === lastOf(legs).arrival.station) return 'same-airport';
  return (serviceTypeOf(legs[0].serviceType)?.classes ?? []).length === 0 ? 'service-type' : undefined;
};

const flightOf = (segment: FlightSegment, { of }: Run, places: ConnectionPlaces): ConnectingFlight => {
  const { carrier, flightNumber, suffix, legs } = segment;
  const told = readMctStatuses(textFor(of.segmentData, pointPairOf(legs), dei.mctStatus));
  const [board, ...later] = legs;
  const airportsAfter = later.map(({ arrival }) => places.airport(arrival.station));
  const [first = '', ...others] = segment.legEquipment;
  return {
    carrier,
    flightNumber,
    suffix,
    operating: segment.operatingFlight ?? { carrier, flightNumber, suffix },
    isMarketing: segment.isMarketing,
    airports: [places.airport(board.departure.station), places.airport(board.arrival.station), ...airportsAfter],
    equipment: [places.equipment(first), ...others.map(places.equipment)],
    serviceType: segment.serviceType,
    departureTerminal: segment.departureTerminal,
    arrivalTerminal: segment.arrivalTerminal,
    departureStatus: told?.board ?? board.departure.mctStatus,
    arrivalStatus: told?.off ?? lastOf(legs).arrival.mctStatus,
    restrictions: segment.restrictions,
  };
};

/**
 * The records of every pair of a board and an off point that can take part in connections. `itineraries` are all that one designator has in
 * force, by itinerary variation, so that records have the fingerprints that Schedules gives them. `onLeftOut` hears of each pair that takes
 * no part.
 */
export function* connectingRecordsOf(
  itineraries: readonly Itinerary[],
  places: ConnectionPlaces,
  onLeftOut: (reason: LeftOutReason) => void = () => {},
): Generator<ConnectingRecord> {
  const fingerprintOf = newFingerprints();
  for (const run of itineraries.flatMap(runsOf).toSorted(byVariation)) {
    const reason = reasonAgainst(run);
    if (reason !== undefined) onLeftOut(reason);
    if (reason !== undefined && !run.isListed) continue;
    const segment = segmentOf(run.legs, run.of);
    const flight = reason === undefined ? flightOf(segment, run, places) : undefined;
    for (const record of recordsOf(segment, { firstLeg: run.of.legs[0], zoneOf: places.zoneOf })) {
      const [board, off] = [run.legs[0].departure.station, lastOf(run.legs).arrival.station];
      // Also where the record itself takes no part: it has its place among those that are alike.
      const fingerprint = run.isListed
        ? fingerprintOf({ designator: segment, board, off, period: record.period }).toString('hex')
        : '';
      if (flight) yield { flight, record, fingerprint };
    }
  }
}
