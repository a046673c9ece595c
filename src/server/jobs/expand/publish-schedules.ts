import { listCarriers, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { CarrierSchedule } from '#domain/schedule/schedule.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import type { DateSpan } from '#domain/time/period.ts';
import { countAccepted, type LoadReport } from '#feeds/load-report.ts';
import { settlePreparedEvents } from '#store/events/prepared-events.ts';
import { analyzeInstances } from '#store/flights/expanded-days.ts';
import { insertReferencedIds } from '#store/master-data/referenced-ids.ts';
import { insertScheduleTerminals, type NamedTerminal } from '#store/master-data/terminals.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { createDifferenceTables } from '#store/schedules/schedule-differences.ts';
import {
  analyzeScheduleRecords,
  deleteScheduleRecords,
  insertScheduleRecords,
} from '#store/schedules/schedule-records.ts';
import {
  insertItineraries,
  insertLoad,
  insertSegments,
  listDesignatorsInForce,
  listFiledCarriers,
  lockSchedules,
  pruneRetiredItineraries,
  retireItineraries,
  updateLoadReport,
} from '#store/schedules/schedules.ts';
import { lockAllStatuses } from '#store/status/flight-statuses.ts';
import { insertStatusUpdate } from '#store/status/status-updates.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';
import { finishStatusUpdates } from '../status/recompute/finish-status-updates.ts';
import { addMissingMasterData } from './add-missing-master-data.ts';
import { createZoneLookup, expandDays, type ExpansionResult } from './expand-days.ts';
import { addExpansionRemarks } from './expansion-remarks.ts';
import { type PlannedFlight, planSchedules, type SchedulePlan } from './plan-schedules.ts';
import { prepareScheduleEvents } from './schedule-events.ts';
import { buildRecordRows, writeMissingRecords } from './schedule-records.ts';
import { amendPublication } from './amend-publication.ts';
import {
  computeCoveredDays,
  computeDepartureSpan,
  type ExpansionWindow,
  isReplacedOn,
  listWindowDays,
} from './schedule-window.ts';

export type SchedulePublication = {
  readonly kind: 'ssim' | 'demo';
  /** The name of the source, for example a file name, and the digest of its bytes. */
  readonly source: string;
  readonly sha256: string;
  readonly schedules: readonly CarrierSchedule[];
  /** Receives the remarks, and is stored with the load. */
  readonly report: LoadReport;
  readonly today: LocalDate;
  /** By default `horizonDays` from yesterday, or from the first date of schedules that are all past. */
  readonly window?: ExpansionWindow | undefined;
  readonly horizonDays: number;
  /** Called first, in the transaction of the load. */
  readonly prepare?: ((sql: Sql) => Promise<void>) | undefined;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
};

/** A publication within its transaction. */
type PublicationContext = {
  readonly publication: SchedulePublication;
  /** The schedules that have itineraries. */
  readonly schedules: readonly CarrierSchedule[];
  readonly designators: readonly string[];
  readonly masterDataIndex: MasterDataIndex;
  readonly loadId: number;
  readonly plan: SchedulePlan;
  readonly flights: readonly PlannedFlight[];
  readonly covered: ReadonlyMap<string, DateSpan>;
  /** Whether cancellations by schedule messages were added or withdrawn. */
  readonly hasCancellations: boolean;
  /** The designators that have a schedule already. Events start with the second schedule of a designator. */
  readonly compared: ReadonlySet<string>;
};

const planPublication = async (sql: Sql, publication: SchedulePublication): Promise<PublicationContext> => {
  // A carrier without any readable leg keeps its schedule: nothing shows that it stopped flying.
  const filed = publication.schedules.filter(({ itineraries }) => itineraries.length > 0);
  const masterDataIndex = await addMissingMasterData(sql, filed, publication.report);
  const designators = filed.map(({ carrier }) => carrier);
  const loadId = await insertLoad(sql, { ...publication, carriers: designators });
  const amended = await amendPublication(sql, filed, { ...publication, masterDataIndex });
  const { schedules, amendmentOf, hasCancellations } = amended;
  const plan = await planSchedules(sql, schedules, { masterDataIndex, amendmentOf });
  const inForce = new Set(await listDesignatorsInForce(sql));
  return {
    publication,
    schedules,
    designators,
    masterDataIndex,
    loadId,
    plan,
    flights: [...plan.flights.values()].flat(),
    covered: computeCoveredDays(schedules),
    hasCancellations,
    compared: new Set(designators.filter((designator) => inForce.has(designator))),
  };
};

/** Stores itineraries, segments and schedule records in place of the previous ones. */
const storeSchedules = async (
  sql: Sql,
  { designators, masterDataIndex, loadId, plan, flights }: PublicationContext,
): Promise<void> => {
  await retireItineraries(sql, designators, loadId);
  await deleteScheduleRecords(sql, designators);
  await writeMissingRecords(sql, masterDataIndex);
  await insertItineraries(sql, plan.itineraries, loadId);
  await insertSegments(sql, plan.segments);
  await insertScheduleRecords(sql, buildRecordRows(flights, masterDataIndex));
};

/**
 * Lists the carriers that flights of each designator may have: the owner when its itineraries were loaded, and its
 * owners of today, because days that were expanded later have the owner of that time.
 */
const listCarriersByDesignator = async (
  sql: Sql,
  masterDataIndex: MasterDataIndex,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> => {
  const carriers = new Map<string, Set<number>>();
  for (const { designator, carrierId } of await listFiledCarriers(sql)) {
    const ids = carriers.get(designator) ?? new Set(listCarriers(masterDataIndex, designator).map(({ id }) => id));
    carriers.set(designator, ids.add(carrierId));
  }
  return carriers;
};

const expandSchedules = async (
  sql: Sql,
  { publication, masterDataIndex, plan, covered, compared }: PublicationContext,
  window: readonly LocalDate[],
): Promise<ExpansionResult> => {
  const { today, onDay } = publication;
  return expandDays(sql, {
    window,
    loaded: plan.flights,
    replaces: (designator, day) => isReplacedOn(day, covered.get(designator) ?? { from: today, to: today }, today),
    carriersOf: await listCarriersByDesignator(sql, masterDataIndex),
    compared,
    masterDataIndex,
    onDay,
  });
};

/** Collects the IDs of carriers and locations of flights. */
const collectReferencedIds = (flights: readonly PlannedFlight[]) => ({
  carriers: new Set(flights.flatMap(({ segments }) => segments.map(({ carrierId }) => carrierId))),
  codeshareCarriers: new Set(
    flights.flatMap(({ segments }) =>
      segments.flatMap(({ codeshares }) => codeshares.map(({ carrierId }) => carrierId)),
    ),
  ),
  locations: new Set(
    flights.flatMap(({ segments }) => segments.flatMap(({ departureId, arrivalId }) => [departureId, arrivalId])),
  ),
});

/** Collects the terminals that flights name, each once. */
const collectTerminals = (flights: readonly PlannedFlight[]): readonly NamedTerminal[] => {
  const terminals = new Map<string, NamedTerminal>();
  for (const { segments } of flights)
    for (const { segment, departureId, arrivalId } of segments)
      for (const terminal of [
        { locationId: departureId, code: segment.departureTerminal },
        { locationId: arrivalId, code: segment.arrivalTerminal },
      ])
        if (terminal.code !== '') terminals.set(`${terminal.locationId} ${terminal.code}`, terminal);
  return [...terminals.values()];
};

/** Inserts what flights refer to: IDs of carriers and locations, and terminals. */
export const insertReferences = async (sql: Sql, flights: readonly PlannedFlight[]): Promise<void> => {
  await insertReferencedIds(sql, collectReferencedIds(flights));
  await insertScheduleTerminals(sql, collectTerminals(flights));
};

/**
 * Makes the new days and events visible. The lock waits for writers of statuses and keeps new ones out until the
 * commit, so all tables that both write, such as the versions of flights, come after it. `finish` locks readers out and
 * comes last.
 */
const finishPublication = async (
  sql: Sql,
  { flights, compared }: PublicationContext,
  finish: ExpansionResult['finish'],
): Promise<void> => {
  await lockAllStatuses(sql);
  await insertReferences(sql, flights);
  if (compared.size > 0) await settlePreparedEvents(sql);
  await finish();
};

/** Replaces schedules within a transaction, and records that statuses must be updated. */
const replaceSchedules = async (sql: Sql, publication: SchedulePublication): Promise<void> => {
  const { report, today } = publication;
  await lockSchedules(sql);
  await publication.prepare?.(sql);
  const context = await planPublication(sql, publication);
  const { schedules, loadId, plan, covered, compared } = context;
  await storeSchedules(sql, context);
  if (compared.size > 0) await createDifferenceTables(sql, { designators: [...compared] });
  const period = computeDepartureSpan(schedules);
  const window = period ? listWindowDays(period, publication) : [];
  const { loaded, otherDays, finish } = await expandSchedules(sql, context, window);
  if (compared.size > 0) await prepareScheduleEvents(sql, loadId, otherDays);
  await pruneRetiredItineraries(sql, { covered, today });
  countAccepted(report, 'itineraries', plan.itineraries.length);
  countAccepted(report, 'flight instances', loaded.instances);
  addExpansionRemarks(report, { days: window, counts: loaded, zoneOf: createZoneLookup(context.masterDataIndex) });
  await updateLoadReport(sql, loadId, report);
  if (period ?? context.hasCancellations) await insertStatusUpdate(sql, period);
  await finishPublication(sql, context, finish);
};

/**
 * Recomputes stored statuses for the new schedules. A failure is only reported, because the schedules are already in
 * force.
 */
const updateStatuses = async (
  db: Database,
  { report, today }: Pick<SchedulePublication, 'report' | 'today'>,
): Promise<void> => {
  try {
    await finishStatusUpdates(db, { today }, await readMasterDataIndex(db));
  } catch (error) {
    report.entries.push({
      severity: 'notice',
      value: error instanceof Error ? error.message : String(error),
      reason: 'statuses-left',
      message: 'the schedule is loaded, but updating the statuses failed; a server or the next load repeats this',
    });
  }
};

/**
 * Puts schedules in force in one transaction: replaces the schedule of each designator and its records, and expands the
 * days of the window to flight instances. Readers see the previous state until the commit.
 */
export const publishSchedules = async (db: Database, publication: SchedulePublication): Promise<LoadReport> => {
  await db.begin((sql) => replaceSchedules(sql, publication));
  await analyzeInstances(db);
  await analyzeScheduleRecords(db);
  await updateStatuses(db, publication);
  return publication.report;
};
