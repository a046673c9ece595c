import { type Directory, stationIn } from '../../domain/master-data/directory.ts';
import type { ZoneOf } from '../../domain/schedule/instances.ts';
import { byVariation, newFingerprints } from '../../domain/schedule/record-fingerprints.ts';
import { recordsOf } from '../../domain/schedule/schedule-records.ts';
import { renderRecordHead } from '../../products/schedules/v1/to-schedule-record.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import {
  analyzeScheduleRecords,
  areRecordsDue,
  areRecordsMissing,
  removeAllScheduleRecords,
  saveScheduleRecords,
  type ScheduleRecordRow,
  takeRecordsDue,
} from '../../store/schedules/schedule-records.ts';
import { designatorsInForce, itinerariesInForce, lockSchedules } from '../../store/schedules/schedules.ts';
import { readDirectory } from '../cache/directory.ts';
import { groupByDesignator, planItinerary, type PlannedFlight, type PlannedSegment } from './plan-segments.ts';

const inOrder = (a: PlannedSegment, b: PlannedSegment): number =>
  byVariation(a.segment, b.segment) || a.segmentId - b.segmentId;

/** The schedule records of flights, ready to be stored. Each flight must hold all segments of its designator. */
export function* buildRecordRows(flights: Iterable<PlannedFlight>, directory: Directory): Generator<ScheduleRecordRow> {
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
          doc: renderRecordHead(segment, { record, fingerprint }, directory),
        };
      }
    }
  }
}

/** Writing few at a time would cost more for the asking than for the writing. */
const SEGMENTS_AT_ONCE = 5000;

const writeRecords = async (sql: Sql, directory: Directory): Promise<number> => {
  let saved = 0;
  let waiting: PlannedSegment[] = [];
  const save = async (): Promise<void> => {
    saved += await saveScheduleRecords(sql, buildRecordRows(groupByDesignator(waiting), directory));
    waiting = [];
  };
  // All segments of a flight come together: they are told apart by what they share.
  for (const designator of await designatorsInForce(sql)) {
    for (const { itinerary, segmentIds } of await itinerariesInForce(sql, designator))
      waiting.push(...planItinerary(itinerary, (index) => segmentIds[index] ?? 0, directory));
    if (waiting.length >= SEGMENTS_AT_ONCE) await save();
  }
  await save();
  return saved;
};

/**
 * Gives the schedules in force their records, in a store from before there were records; returns how many were written. `sql`
 * must be a transaction that holds the schedule lock. Finding out that nothing is to do costs less than a millisecond.
 */
export const writeMissingRecords = async (sql: Sql, directory: Directory): Promise<number> =>
  (await areRecordsMissing(sql)) ? writeRecords(sql, directory) : 0;

/**
 * Writes the records of all schedules in force when there are none, or anew when master data have changed since; returns how
 * many were written. Readers see the old ones until all are there. Finding out that nothing is to do costs less than a millisecond.
 */
export const refreshRecords = async (db: Database): Promise<number> => {
  // Asked before the lock too, so that nobody waits for a load that is under way.
  if (!(await areRecordsDue(db)) && !(await areRecordsMissing(db))) return 0;
  const written = await db.begin(async (sql) => {
    await lockSchedules(sql);
    // Before the master data are read: what changes them from here on is noted again, and is for the next time.
    const isDue = await takeRecordsDue(sql);
    if (isDue) await removeAllScheduleRecords(sql);
    return isDue || (await areRecordsMissing(sql)) ? writeRecords(sql, await readDirectory(sql)) : 0;
  });
  if (written > 0) await analyzeScheduleRecords(db);
  return written;
};
