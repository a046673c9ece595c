import { stationIn, type Directory } from '../../domain/master-data/directory.ts';
import type { ZoneOf } from '../../domain/schedule/instances.ts';
import { byVariation, newFingerprints } from '../../domain/schedule/record-fingerprints.ts';
import { recordsOf } from '../../domain/schedule/schedule-records.ts';
import { showRecord } from '../../products/schedules/v1/to-schedule-record.ts';
import type { ScheduleRecordRow } from '../../store/schedules/schedule-records.ts';
import type { PlannedFlight, PlannedSegment } from './plan-segments.ts';

const inOrder = (a: PlannedSegment, b: PlannedSegment): number =>
  byVariation(a.segment, b.segment) || a.segmentId - b.segmentId;

/** The schedule records of flights, ready to be stored. Each flight must hold all segments of its designator. */
export function* recordRowsOf(flights: Iterable<PlannedFlight>, directory: Directory): Generator<ScheduleRecordRow> {
  const zoneOf: ZoneOf = (station) => stationIn(directory, station)?.zone;
  for (const { segments } of flights) {
    const fingerprintOf = newFingerprints();
    for (const { segment, firstLeg, ...ids } of segments.toSorted(inOrder)) {
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
