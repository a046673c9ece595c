import { stationIn, type Directory } from '../domain/directory.ts';
import type { ZoneOf } from '../domain/instances.ts';
import { recordFingerprint, type RecordIdentity } from '../domain/keys.ts';
import { recordsOf } from '../domain/schedule-records.ts';
import { showRecord } from '../products/schedules/v1/show-record.ts';
import type { ScheduleRecordRow } from '../store/schedule-records.ts';
import type { PlannedFlight, PlannedSegment } from './plan-segments.ts';

/** Of records that agree in all that makes a record, the first by itinerary variation and leg has the plain fingerprint. */
const fingerprinter = (): ((identity: Omit<RecordIdentity, 'occurrence'>) => Buffer) => {
  const seen = new Map<string, number>();
  return (identity) => {
    const plain = recordFingerprint({ ...identity, occurrence: 1 });
    const name = plain.toString('latin1');
    const occurrence = (seen.get(name) ?? 0) + 1;
    seen.set(name, occurrence);
    return occurrence === 1 ? plain : recordFingerprint({ ...identity, occurrence });
  };
};

const byVariation = (a: PlannedSegment, b: PlannedSegment): number =>
  a.segment.itinerary - b.segment.itinerary || a.segment.sequence - b.segment.sequence || a.segmentId - b.segmentId;

/** The schedule records of flights, ready to be stored. Each flight must hold all segments of its designator. */
export function* recordRowsOf(flights: Iterable<PlannedFlight>, directory: Directory): Generator<ScheduleRecordRow> {
  const zoneOf: ZoneOf = (station) => stationIn(directory, station)?.zone;
  for (const { segments } of flights) {
    const fingerprintOf = fingerprinter();
    for (const { segment, firstLeg, ...ids } of segments.toSorted(byVariation)) {
      const [first] = segment.legs;
      const last = segment.legs.at(-1) ?? first;
      for (const record of recordsOf(segment, { firstLeg, zoneOf })) {
        const fingerprint = fingerprintOf({
          designator: segment,
          board: first.departure.station,
          off: last.arrival.station,
          period: record.period,
        });
        yield {
          fingerprint,
          designator: segment.carrier,
          flightNumber: segment.flightNumber,
          legOrder: segment.legs.length > 1 ? 0 : segment.sequence,
          period: record.period,
          segmentId: ids.segmentId,
          carrierId: ids.carrierId,
          departureId: ids.departureId,
          arrivalId: ids.arrivalId,
          lastDepartureId: ids.lastDepartureId,
          serviceType: segment.serviceType,
          doc: showRecord(segment, { record, fingerprint }, directory),
        };
      }
    }
  }
}
