import { type MasterDataIndex, findStation } from '#domain/master-data/master-data-index.ts';
import type { ZoneLookup } from '#domain/schedule/instances.ts';
import { compareVariations, createFingerprinter } from '#domain/schedule/keys.ts';
import { buildScheduleRecords } from '#domain/schedule/schedule-records.ts';
import { renderRecordHead } from '#products/schedules/v1/to-schedule-record.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import {
  analyzeScheduleRecords,
  areRecordsDue,
  areRecordsMissing,
  deleteAllScheduleRecords,
  insertScheduleRecords,
  type ScheduleRecordRow,
  deleteRecordsDue,
} from '#store/schedules/schedule-records.ts';
import { listDesignatorsInForce, listItinerariesInForce, lockSchedules } from '#store/schedules/schedules.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';
import { groupByDesignator, planItinerary, type PlannedFlight, type PlannedSegment } from './plan-schedules.ts';

const compareSegments = (a: PlannedSegment, b: PlannedSegment): number =>
  compareVariations(a.segment, b.segment) || a.segmentId - b.segmentId;

/** Builds the rows of the schedule records of flights. Each flight must have all segments of its designator. */
export function* buildRecordRows(
  flights: Iterable<PlannedFlight>,
  masterDataIndex: MasterDataIndex,
): Generator<ScheduleRecordRow> {
  const zoneOf: ZoneLookup = (station) => findStation(masterDataIndex, station)?.zone;
  for (const { segments } of flights) {
    const fingerprintOf = createFingerprinter();
    for (const { segment, firstLeg, ...ids } of segments.toSorted(compareSegments)) {
      const [first] = segment.legs;
      const last = segment.legs.at(-1) ?? first;
      for (const record of buildScheduleRecords(segment, { firstLeg, zoneOf })) {
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
          doc: renderRecordHead(segment, { record, fingerprint }, masterDataIndex),
        };
      }
    }
  }
}

/** Segments in one batch; the round trips of smaller batches would take longer than the writing. */
const BATCH_SIZE = 5000;

const writeRecords = async (sql: Sql, masterDataIndex: MasterDataIndex): Promise<number> => {
  let written = 0;
  let pending: PlannedSegment[] = [];
  const flush = async (): Promise<void> => {
    written += await insertScheduleRecords(sql, buildRecordRows(groupByDesignator(pending), masterDataIndex));
    pending = [];
  };
  // All segments of a flight are in one batch, because their keys depend on each other.
  for (const designator of await listDesignatorsInForce(sql)) {
    for (const { itinerary, segmentIds } of await listItinerariesInForce(sql, designator))
      pending.push(...planItinerary(itinerary, (index) => segmentIds[index] ?? 0, masterDataIndex));
    if (pending.length >= BATCH_SIZE) await flush();
  }
  await flush();
  return written;
};

/**
 * Writes the records of the schedules in force if there are none; returns their
 * number. `sql` must be a transaction that holds the schedule lock. Takes less than a millisecond when records exist.
 */
export const writeMissingRecords = async (sql: Sql, masterDataIndex: MasterDataIndex): Promise<number> =>
  (await areRecordsMissing(sql)) ? writeRecords(sql, masterDataIndex) : 0;

/**
 * Writes the records of all schedules in force if there are none or master data have changed; returns their number.
 * Readers see the previous records until the commit. Takes less than a millisecond when nothing is due.
 */
export const refreshRecords = async (db: Database): Promise<number> => {
  // Checked before the lock too, to avoid waiting for a load in progress.
  if (!(await areRecordsDue(db)) && !(await areRecordsMissing(db))) return 0;
  const written = await db.begin(async (sql) => {
    await lockSchedules(sql);
    // Deleted before master data are read, so that a later change of master data makes records due again.
    const isDue = await deleteRecordsDue(sql);
    if (isDue) await deleteAllScheduleRecords(sql);
    return isDue || (await areRecordsMissing(sql)) ? writeRecords(sql, await readMasterDataIndex(sql)) : 0;
  });
  if (written > 0) await analyzeScheduleRecords(db);
  return written;
};
