import type { LocalDate } from '../../domain/time/dates.ts';
import type { DateSpan } from '../../domain/schedule/departure-span.ts';
import { carrierIn, carriersIn, stationIn, type Directory } from '../../domain/master-data/directory.ts';
import type { CarrierSchedule, Itinerary } from '../../domain/schedule/schedule.ts';
import { countAccepted, type LoadReport } from '../../feeds/load-report.ts';
import { renderDetails, renderSeats } from '../../products/flight-info/v2/to-flight-instance.ts';
import { addMissingCarrier } from '../../store/master-data/carriers.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import { analyzeInstances } from '../../store/flights/instance-days.ts';
import { markInUse } from '../../store/master-data/in-use.ts';
import { addMissingLocation } from '../../store/master-data/locations.ts';
import { settleEvents } from '../../store/events/prepared-events.ts';
import { openDifferences } from '../../store/schedules/schedule-differences.ts';
import {
  analyzeScheduleRecords,
  removeScheduleRecords,
  saveScheduleRecords,
} from '../../store/schedules/schedule-records.ts';
import {
  addLoad,
  carriersFiled,
  designatorsInForce,
  lockSchedules,
  pruneRetiredItineraries,
  reserveIds,
  retireItineraries,
  saveItineraries,
  saveLoadReport,
  saveSegments,
  type ItineraryRecord,
  type SegmentRecord,
} from '../../store/schedules/schedules.ts';
import { lockAllStatuses } from '../../store/status/status-lock.ts';
import { readDirectory } from '../cache/directory.ts';
import { buildRecordRows, writeMissingRecords } from './schedule-records.ts';
import { addExpansionRemarks } from './expansion-remarks.ts';
import { expandDays } from './expand-days.ts';
import { groupByDesignator, planItinerary, type PlannedFlight } from './plan-segments.ts';
import { prepareScheduleEvents } from './prepare-schedule-events.ts';
import { followSchedules } from '../status/recompute/update-for-schedules.ts';
import {
  computeCoveredDays,
  computeDepartureSpan,
  isReplacedOn,
  listWindowDays,
  type ExpansionWindow,
} from './schedule-window.ts';

export type SchedulePublication = {
  readonly kind: 'ssim' | 'demo';
  /** Name of the source for people, e.g. a file name, and the digest of its bytes. */
  readonly source: string;
  readonly sha256: string;
  readonly schedules: readonly CarrierSchedule[];
  /** Remarks are added to it, and it is kept with the load. */
  readonly report: LoadReport;
  readonly today: LocalDate;
  /** Undefined means: from yesterday, or from the first date of a schedule that is all past, for `horizonDays`. */
  readonly window?: ExpansionWindow | undefined;
  readonly horizonDays: number;
  /** Is done first, in the transaction of the load: both take place, or neither. */
  readonly prepare?: ((sql: Sql) => Promise<void>) | undefined;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
};

const stationsOf = (schedules: readonly CarrierSchedule[]): ReadonlySet<string> => {
  const stations = new Set<string>();
  for (const { itineraries } of schedules)
    for (const { legs } of itineraries)
      for (const { departure, arrival } of legs) stations.add(departure.station).add(arrival.station);
  return stations;
};

/** Adds the carriers and stations that no master data knows, and says so. */
const addMissing = async (sql: Sql, { schedules, report }: SchedulePublication): Promise<Directory> => {
  const before = await readDirectory(sql);
  const carriers = schedules.map(({ carrier }) => carrier).filter((code) => !carrierIn(before, code));
  const stations = [...stationsOf(schedules)].filter((code) => !stationIn(before, code)).toSorted();
  for (const code of carriers) {
    await addMissingCarrier(sql, code.length === 3 ? { icao: code } : { iata: code });
    report.entries.push({
      severity: 'notice',
      field: 'carrier',
      value: code,
      reason: 'carrier-unknown',
      message: 'no master data knows this carrier; it was added with its code alone',
    });
  }
  for (const code of stations) {
    await addMissingLocation(sql, { iata: code });
    report.entries.push({
      severity: 'notice',
      field: 'station',
      value: code,
      reason: 'station-unknown',
      message:
        'no master data knows this station; it was added with its code alone, and its times rest on the filed variations from UTC',
    });
  }
  return carriers.length + stations.length > 0 ? readDirectory(sql) : before;
};

type Planned = {
  /** By designator as filed. */
  readonly flights: ReadonlyMap<string, readonly PlannedFlight[]>;
  readonly itineraries: readonly ItineraryRecord[];
  readonly segments: readonly SegmentRecord[];
};

const plan = async (sql: Sql, schedules: readonly CarrierSchedule[], directory: Directory): Promise<Planned> => {
  let next = await reserveIds(sql);
  const flights = new Map<string, readonly PlannedFlight[]>();
  const itineraries: ItineraryRecord[] = [];
  const segments: SegmentRecord[] = [];
  const planOne = (itinerary: Itinerary, carrierId: number) => {
    const planned = planItinerary(itinerary, (index) => next.segment + index, directory);
    itineraries.push({ id: next.itinerary, carrierId, itinerary });
    for (const { segment, segmentId } of planned)
      segments.push({
        id: segmentId,
        itineraryId: next.itinerary,
        details: renderDetails(segment),
        seats: renderSeats(segment),
      });
    next = { itinerary: next.itinerary + 1, segment: next.segment + planned.length };
    return planned;
  };
  for (const schedule of schedules) {
    const carrierId = carrierIn(directory, schedule.carrier)?.id ?? 0;
    const planned = schedule.itineraries.flatMap((itinerary) => planOne(itinerary, carrierId));
    flights.set(schedule.carrier, groupByDesignator(planned));
  }
  return { flights, itineraries, segments };
};

/**
 * The carriers whose flights may be laid out under each designator: those that had its itineraries when they were loaded, and
 * its owners of today, since days that came later were laid out with the owner of their time.
 */
const carriersOfDesignators = async (sql: Sql, directory: Directory): Promise<ReadonlyMap<string, Set<number>>> => {
  const found = new Map<string, Set<number>>();
  for (const { designator, carrierId } of await carriersFiled(sql)) {
    const ids = found.get(designator) ?? new Set(carriersIn(directory, designator).map(({ id }) => id));
    found.set(designator, ids.add(carrierId));
  }
  return found;
};

const pointedAt = (flights: readonly PlannedFlight[]) => ({
  carriers: new Set(flights.flatMap(({ segments }) => segments.map(({ carrierId }) => carrierId))),
  locations: new Set(
    flights.flatMap(({ segments }) => segments.flatMap(({ departureId, arrivalId }) => [departureId, arrivalId])),
  ),
});

/** Whatever was observed before a schedule came is brought in line with it. The schedule is in force all the same should that fail. */
const bringStatusesInLine = async (
  db: Database,
  span: DateSpan,
  { report, today }: Pick<SchedulePublication, 'report' | 'today'>,
): Promise<void> => {
  try {
    await followSchedules(db, { ...span, today }, await readDirectory(db));
  } catch (error) {
    report.entries.push({
      severity: 'notice',
      value: error instanceof Error ? error.message : String(error),
      reason: 'statuses-left',
      message: 'the schedule is in force, but statuses could not be brought in line with it; the next load does that',
    });
  }
};

/**
 * Puts schedules in force, all or nothing: the schedule of each designator is replaced, its records are written, and the days of the
 * window are laid out as flight instances. Readers keep the old state until the commit.
 */
export const publishSchedules = async (db: Database, publication: SchedulePublication): Promise<LoadReport> => {
  const { report, today } = publication;
  // A carrier of whose legs none could be read has not announced that it flies no more.
  const schedules = publication.schedules.filter(({ itineraries }) => itineraries.length > 0);
  const laid = await db.begin(async (sql) => {
    await lockSchedules(sql);
    await publication.prepare?.(sql);
    const directory = await addMissing(sql, { ...publication, schedules });
    const carriers = schedules.map(({ carrier }) => carrier);
    const loadId = await addLoad(sql, { ...publication, carriers });
    const planned = await plan(sql, schedules, directory);
    const covered = computeCoveredDays(schedules);
    const flights = [...planned.flights.values()].flat();
    const inForce = new Set(await designatorsInForce(sql));
    // The events of a designator begin with its first schedule: nobody is told of each flight that is in it.
    const compared = new Set(carriers.filter((designator) => inForce.has(designator)));
    await retireItineraries(sql, carriers, loadId);
    await removeScheduleRecords(sql, carriers);
    await writeMissingRecords(sql, directory);
    await saveItineraries(sql, planned.itineraries, loadId);
    await saveSegments(sql, planned.segments);
    await saveScheduleRecords(sql, buildRecordRows(flights, directory));
    if (compared.size > 0) await openDifferences(sql, [...compared]);
    const period = computeDepartureSpan(schedules);
    const window = period ? listWindowDays(period, publication) : [];
    const { loaded, elsewhere, finish } = await expandDays(sql, {
      window,
      loaded: planned.flights,
      replaces: (designator, day) => isReplacedOn(day, covered.get(designator) ?? { from: today, to: today }, today),
      carriersOf: await carriersOfDesignators(sql, directory),
      compared,
      directory,
      onDay: publication.onDay,
    });
    if (compared.size > 0) await prepareScheduleEvents(sql, loadId, elsewhere);
    await pruneRetiredItineraries(sql, { covered, today });
    countAccepted(report, 'itineraries', planned.itineraries.length);
    countAccepted(report, 'flight instances', loaded.instances);
    addExpansionRemarks(report, window, loaded);
    await saveLoadReport(sql, loadId, report);
    // Whoever stores statuses is waited for, while nothing is held that it may wait for in turn; from here to the commit nobody else
    // stores any. So all that both write, the versions of flights above all, comes after this, and readers are locked out last.
    await lockAllStatuses(sql);
    await markInUse(sql, pointedAt(flights));
    if (compared.size > 0) await settleEvents(sql);
    await finish();
    return period;
  });
  await analyzeInstances(db);
  await analyzeScheduleRecords(db);
  if (laid) await bringStatusesInLine(db, laid, publication);
  return report;
};
