import {
  findCarrier,
  findReferenceCarrier,
  findStation,
  type MasterDataIndex,
} from '#domain/master-data/master-data-index.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import type { AmendmentOutcome } from '#domain/schedule/messages/apply-amendments.ts';
import { type AmendedItinerary, listChangedDays } from '#domain/schedule/messages/flight-schedule.ts';
import type { ZoneLookup } from '#domain/schedule/instances.ts';
import type { Designator, Itinerary } from '#domain/schedule/schedule.ts';
import { addDays, type LocalDate } from '#domain/time/dates.ts';
import { listMarketingCarriers } from '#domain/schedule/segments.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { renderDetails, renderSeats } from '#products/flight-info/v2/to-flight-instance.ts';
import { settlePreparedEvents } from '#store/events/prepared-events.ts';
import { type FinishDay, listExpandedDays, replaceInstancesOfDay } from '#store/flights/expanded-days.ts';
import type { Sql } from '#store/pool/database.ts';
import { replaceCancellations } from '#store/status/schedule-cancellations.ts';
import { createDifferenceTables } from '#store/schedules/schedule-differences.ts';
import {
  insertFiledFlight,
  listAmendments,
  listConnectedFlights,
  listFiledFlights,
} from '#store/schedules/schedule-messages.ts';
import { deleteRecordsOfFlights, insertScheduleRecords } from '#store/schedules/schedule-records.ts';
import {
  getNextIds,
  insertItineraries,
  insertSegments,
  type ItineraryRecord,
  listItinerariesOfFlights,
  retireItinerariesById,
  type SegmentRecord,
  type StoredItinerary,
} from '#store/schedules/schedules.ts';
import { insertStatusUpdate } from '#store/status/status-updates.ts';
import { lockAllStatuses } from '#store/status/flight-statuses.ts';
import { addMissingMasterData } from './add-missing-master-data.ts';
import { applyStoredAmendments, type AppliedAmendments } from './apply-stored-amendments.ts';
import { buildDayRows, createExpansionCounts } from './build-day-rows.ts';
import { groupByDesignator, planItinerary, type PlannedFlight, type PlannedSegment } from './plan-schedules.ts';
import { insertReferences } from './publish-schedules.ts';
import { prepareScheduleEvents } from './schedule-events.ts';
import { buildRecordRows } from './schedule-records.ts';

export type AmendOptions = {
  readonly masterDataIndex: MasterDataIndex;
  readonly today: LocalDate;
  /** Receives remarks on carriers and stations that the master data lack. */
  readonly report: LoadReport;
  /** Returns the ID of the load; called once when a schedule changes. */
  readonly insertLoad: (carriers: readonly string[]) => Promise<number>;
};

export type AmendReport = {
  readonly outcomes: readonly AmendmentOutcome[];
  /** The ids of amendments that a schedule file contains already. */
  readonly superseded: ReadonlySet<number>;
  /** Whether statuses must be updated, which `finishStatusUpdates` does after the commit. */
  readonly hasStatusUpdates: boolean;
  /** With the carriers and stations that only the messages name. */
  readonly masterDataIndex: MasterDataIndex;
};

/** The itineraries of flights before and after their amendments. */
type Change = {
  readonly flights: readonly Designator[];
  readonly before: readonly StoredItinerary[];
  readonly kept: readonly StoredItinerary[];
  readonly added: readonly AmendedItinerary[];
};

/** Applies the amendments of flights to their itineraries as filed. */
const computeSchedules = async (
  sql: Sql,
  { flights, before, zoneOf }: Pick<Change, 'flights' | 'before'> & { readonly zoneOf: ZoneLookup },
): Promise<AppliedAmendments> => {
  const filed = new Map(
    (await listFiledFlights(sql, flights)).map(({ flight, itineraries }) => [toDesignatorKey(flight), itineraries]),
  );
  for (const flight of flights) {
    const key = toDesignatorKey(flight);
    if (filed.has(key)) continue;
    const itineraries = before.flatMap(({ itinerary }) =>
      toDesignatorKey(itinerary.legs[0]) === key ? itinerary : [],
    );
    await insertFiledFlight(sql, flight, itineraries);
    filed.set(key, itineraries);
  }
  const amendments = await listAmendments(sql, flights);
  return applyStoredAmendments(sql, { filed, amendments, zoneOf });
};

/** Compares itineraries by their stored text, so that those that stay keep their rows. */
const compareItineraries = (
  before: readonly StoredItinerary[],
  after: readonly AmendedItinerary[],
): Pick<Change, 'kept' | 'added'> => {
  const open = Map.groupBy(before, ({ doc }) => doc);
  const kept: StoredItinerary[] = [];
  const added = after.filter(({ itinerary }) => {
    const stored = open.get(JSON.stringify(itinerary))?.pop();
    if (stored) kept.push(stored);
    return !stored;
  });
  return { kept, added };
};

/** Adds carriers and stations that only the message names. */
const completeMasterData = (
  sql: Sql,
  added: readonly AmendedItinerary[],
  { masterDataIndex, report }: Pick<AmendOptions, 'masterDataIndex' | 'report'>,
): Promise<MasterDataIndex> | MasterDataIndex => {
  const itineraries = added.map(({ itinerary }) => itinerary);
  const legs = itineraries.flatMap((itinerary) => itinerary.legs);
  const isKnown =
    legs.every(
      ({ carrier, departure, arrival }) =>
        findReferenceCarrier(masterDataIndex, carrier) &&
        findStation(masterDataIndex, departure.station) &&
        findStation(masterDataIndex, arrival.station),
    ) && itineraries.flatMap(listMarketingCarriers).every((code) => findReferenceCarrier(masterDataIndex, code));
  if (isKnown) return masterDataIndex;
  const schedules = [...Map.groupBy(itineraries, ({ legs: [first] }) => first.carrier)].map(([carrier, of]) => ({
    carrier,
    from: 0 as LocalDate,
    to: 0 as LocalDate,
    itineraries: of,
  }));
  return addMissingMasterData(sql, schedules, report);
};

/** Stores the itineraries of flights, and returns the flights planned with all their itineraries. */
const storeItineraries = async (
  sql: Sql,
  { flights, before, kept, added }: Change,
  { loadId, masterDataIndex }: { readonly loadId: number; readonly masterDataIndex: MasterDataIndex },
): Promise<readonly PlannedFlight[]> => {
  const keptIds = new Set(kept.map(({ id }) => id));
  let next = await getNextIds(sql);
  const itineraries: ItineraryRecord[] = [];
  const segments: SegmentRecord[] = [];
  const planned: PlannedSegment[] = kept.flatMap(({ itinerary, segmentIds }) =>
    planItinerary(itinerary, (index) => segmentIds[index] ?? 0, masterDataIndex),
  );
  for (const { itinerary, amendmentId } of added) {
    const ofItinerary = planItinerary(itinerary, (index) => next.segment + index, masterDataIndex);
    const carrierId = findCarrier(masterDataIndex, itinerary.legs[0].carrier)?.id ?? 0;
    itineraries.push({ id: next.itinerary, carrierId, itinerary, amendmentId });
    for (const { segment, segmentId } of ofItinerary)
      segments.push({
        id: segmentId,
        itineraryId: next.itinerary,
        detailsJson: renderDetails(segment),
        seatsJson: renderSeats(segment),
      });
    next = { itinerary: next.itinerary + 1, segment: next.segment + ofItinerary.length };
    planned.push(...ofItinerary);
  }
  const retired = before.flatMap(({ id }) => (keptIds.has(id) ? [] : id));
  await deleteRecordsOfFlights(sql, flights);
  await retireItinerariesById(sql, retired, loadId);
  await insertItineraries(sql, itineraries, loadId);
  await insertSegments(sql, segments);
  const grouped = groupByDesignator(planned);
  await insertScheduleRecords(sql, buildRecordRows(grouped, masterDataIndex));
  return grouped;
};

/** Returns the flights that change on each local departure date. */
const listFlightsByDay = ({ flights, before, added, kept }: Change): ReadonlyMap<LocalDate, readonly Designator[]> => {
  const byDay = new Map<LocalDate, Designator[]>();
  const keptIds = new Set(kept.map(({ id }) => id));
  const removed = before.filter(({ id }) => !keptIds.has(id));
  const ofFlight = (list: readonly { readonly itinerary: Itinerary }[], key: string): readonly Itinerary[] =>
    list.flatMap(({ itinerary }) => (toDesignatorKey(itinerary.legs[0]) === key ? itinerary : []));
  for (const flight of flights) {
    const key = toDesignatorKey(flight);
    for (const day of listChangedDays(ofFlight(removed, key), ofFlight(added, key))) {
      const ofDay = byDay.get(day);
      if (ofDay) ofDay.push(flight);
      else byDay.set(day, [flight]);
    }
  }
  return byDay;
};

type DayChanges = {
  readonly byDay: ReadonlyMap<LocalDate, readonly Designator[]>;
  readonly planned: ReadonlyMap<string, PlannedFlight>;
  readonly zoneOf: ZoneLookup;
};

/** Expands changed flights on the days that are expanded already; returns the last steps. */
const expandFlights = async (
  sql: Sql,
  { byDay, planned, zoneOf }: DayChanges,
  existing: ReadonlyMap<LocalDate, number>,
): Promise<readonly FinishDay[]> => {
  const finishDays: FinishDay[] = [];
  for (const [day, flights] of byDay) {
    const total = existing.get(day);
    if (total === undefined) continue;
    const ofDay = flights.flatMap((flight) => planned.get(toDesignatorKey(flight)) ?? []);
    const rows = [...buildDayRows(ofDay, day, { zoneOf, counts: createExpansionCounts() })];
    const selected = { carriers: [], flights };
    finishDays.push(
      await replaceInstancesOfDay(sql, day, {
        removed: selected,
        rows,
        expected: rows.length,
        total,
        compared: selected,
      }),
    );
  }
  return finishDays;
};

/** Applies a change to the store, with its events. */
const publishChange = async (
  sql: Sql,
  change: Change,
  { today, insertLoad, ...options }: AmendOptions,
): Promise<{ readonly days: readonly LocalDate[]; readonly masterDataIndex: MasterDataIndex }> => {
  const masterDataIndex = await completeMasterData(sql, change.added, options);
  const zoneOf: ZoneLookup = (station) => findStation(masterDataIndex, station)?.zone;
  const loadId = await insertLoad([...new Set(change.flights.map(({ carrier }) => carrier))]);
  const flights = await storeItineraries(sql, change, { loadId, masterDataIndex });
  const planned = new Map(flights.map((flight) => [toDesignatorKey(flight.designator), flight]));
  await createDifferenceTables(sql, change);
  const existing = await listExpandedDays(sql);
  // Days before yesterday are history, as in a schedule file.
  const byDay = new Map([...listFlightsByDay(change)].filter(([day]) => day >= addDays(today, -1)));
  const finishDays = await expandFlights(sql, { byDay, planned, zoneOf }, existing);
  const unexpanded = function* () {
    for (const [day, ofDay] of byDay)
      if (!existing.has(day))
        yield* buildDayRows(
          ofDay.flatMap((flight) => planned.get(toDesignatorKey(flight)) ?? []),
          day,
          { zoneOf, counts: createExpansionCounts() },
        );
  };
  await prepareScheduleEvents(sql, loadId, { added: [], unexpanded });
  // From here on as in a schedule load: the lock waits for writers of statuses.
  await lockAllStatuses(sql);
  await insertReferences(sql, flights);
  await settlePreparedEvents(sql);
  for (const finishDay of finishDays) await finishDay();
  const days = [...byDay.keys()].filter((day) => existing.has(day)).toSorted((a, b) => a - b);
  return { days, masterDataIndex };
};

/**
 * Applies the amendments of flights to their schedules as filed: itineraries, records, instances and events of what changed. Other flights and
 * days stay as they are. `sql` must be a transaction that holds the schedule lock.
 */
export const amendSchedules = async (
  sql: Sql,
  named: readonly Designator[],
  options: AmendOptions,
): Promise<AmendReport> => {
  const flights = await listConnectedFlights(sql, named);
  const { masterDataIndex: known } = options;
  if (flights.length === 0)
    return { outcomes: [], superseded: new Set(), hasStatusUpdates: false, masterDataIndex: known };
  const before = await listItinerariesOfFlights(sql, flights);
  const zoneOf: ZoneLookup = (station) => findStation(known, station)?.zone;
  const amended = await computeSchedules(sql, { flights, before, zoneOf });
  const { outcomes, superseded, cancellationRows } = amended;
  const { kept, added } = compareItineraries(before, [...amended.flights.values()].flat());
  const isChanged = added.length > 0 || kept.length < before.length;
  const cancelledDates = await replaceCancellations(sql, { flights }, cancellationRows);
  const { days, masterDataIndex } = isChanged
    ? await publishChange(sql, { flights, before, kept, added }, options)
    : { days: [], masterDataIndex: known };
  const [from, to] = [days[0], days.at(-1)];
  const hasStatusUpdates = from !== undefined || cancelledDates.length > 0;
  if (hasStatusUpdates)
    await insertStatusUpdate(sql, from === undefined || to === undefined ? undefined : { from, to });
  return { outcomes, superseded, hasStatusUpdates, masterDataIndex };
};
