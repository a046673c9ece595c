import { addDays, type LocalDate } from '#domain/time/dates.ts';
import { findStation, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { ZoneLookup } from '#domain/schedule/instances.ts';
import { operatesOn } from '#domain/time/period.ts';
import type { Sql } from '#store/pool/database.ts';
import {
  insertDay,
  listExpandedDays,
  replaceInstancesOfDay,
  type FinishDay,
  type RemovedFlights,
} from '#store/flights/expanded-days.ts';
import type { InstanceRow } from '#store/flights/instance-row.ts';
import type { OtherDays } from '#store/schedules/schedule-differences.ts';
import { readCurrentItineraries } from '#store/schedules/schedules.ts';
import { createExpansionCounts, buildDayRows, type ExpansionCounts } from './build-day-rows.ts';
import { groupByDesignator, planItinerary, type PlannedFlight, type PlannedSegment } from './plan-schedules.ts';

/** What to expand: days, and the designators whose schedule a load has just replaced. */
export type DayExpansion = {
  /** The days that must be expanded afterwards; days that are expanded already stay. */
  readonly window: readonly LocalDate[];
  /** Newly loaded flights by designator as filed. */
  readonly loaded: ReadonlyMap<string, readonly PlannedFlight[]>;
  /** Returns whether the load replaces the flights of a designator on a day; other days are history. */
  readonly replaces: (designator: string, day: LocalDate) => boolean;
  /** IDs of the carriers that flights of each designator may have, loaded or not. */
  readonly carriersOf: ReadonlyMap<string, ReadonlySet<number>>;
  /** The designators whose flights are compared with the previous schedule on days that are expanded already. */
  readonly compared: ReadonlySet<string>;
  readonly masterDataIndex: MasterDataIndex;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
};

/** The counts of the designators just loaded and of the others, and the steps that remain. */
export type ExpansionResult = {
  readonly loaded: ExpansionCounts;
  readonly others: ExpansionCounts;
  /** Other days to which a flight may have moved from the days that were expanded before. */
  readonly otherDays: OtherDays;
  /** Attaches the new days. It locks readers out until the commit, so it must be the last step. */
  readonly finish: FinishDay;
};

const planOthers = async (
  sql: Sql,
  days: readonly LocalDate[],
  { loaded, masterDataIndex }: DayExpansion,
): Promise<readonly PlannedFlight[]> => {
  const [from] = days;
  const to = days.at(-1);
  if (from === undefined || to === undefined) return [];
  const planned: PlannedSegment[] = [];
  for await (const { itinerary, segmentIds } of readCurrentItineraries(sql, { from, to, without: [...loaded.keys()] }))
    planned.push(...planItinerary(itinerary, (index) => segmentIds[index] ?? 0, masterDataIndex));
  return groupByDesignator(planned);
};

/**
 * Returns which rows to remove for some designators: all rows of their carriers, unless one of these has another
 * designator too.
 */
const toRemovedFlights = (designators: readonly string[], carriersOf: DayExpansion['carriersOf']): RemovedFlights => {
  const carriers = new Set(designators.flatMap((designator) => [...(carriersOf.get(designator) ?? [])]));
  const removed = new Set(designators);
  const isShared = [...carriersOf].some(
    ([designator, ids]) => !removed.has(designator) && [...ids].some((id) => carriers.has(id)),
  );
  return { carriers: [...carriers], filedUnder: isShared ? designators : undefined };
};

/** Estimates the number of rows of a day from the dates as filed. */
const estimateRows = (flights: readonly PlannedFlight[], day: LocalDate): number => {
  let count = 0;
  for (const { segments } of flights)
    for (const { segment } of segments) if (operatesOn(segment.legs[0].period, day)) count += 1;
  return count;
};

/** Looks up zones by station, with a cache. */
export const createZoneLookup = (masterDataIndex: MasterDataIndex): ZoneLookup => {
  const zones = new Map<string, string | undefined>();
  return (station) => {
    if (!zones.has(station)) zones.set(station, findStation(masterDataIndex, station)?.zone);
    return zones.get(station);
  };
};

const findFlights = ({ loaded }: DayExpansion, designators: readonly string[]): readonly PlannedFlight[] =>
  designators.flatMap((designator) => loaded.get(designator) ?? []);

/** Replaces the flights of the loaded designators on a day that is expanded already. */
const replaceFlights = (
  sql: Sql,
  expansion: DayExpansion,
  {
    day,
    total,
    zoneOf,
    counts,
  }: {
    readonly day: LocalDate;
    readonly total: number;
    readonly zoneOf: ZoneLookup;
    readonly counts: ExpansionCounts;
  },
): Promise<FinishDay> => {
  const replaced = [...expansion.loaded.keys()].filter((designator) => expansion.replaces(designator, day));
  const compared = replaced.filter((designator) => expansion.compared.has(designator));
  const flights = findFlights(expansion, replaced);
  return replaceInstancesOfDay(sql, day, {
    removed: toRemovedFlights(replaced, expansion.carriersOf),
    rows: buildDayRows(flights, day, { zoneOf, counts }),
    expected: estimateRows(flights, day),
    total,
    compared: compared.length > 0 ? toRemovedFlights(compared, expansion.carriersOf) : undefined,
  });
};

/**
 * Expands schedules to instances: new days in full, from all schedules in force, and on days that are expanded already
 * the flights of the designators just loaded. `sql` must be a transaction that holds the schedule lock; readers see
 * nothing before the commit.
 */
export const expandDays = async (sql: Sql, expansion: DayExpansion): Promise<ExpansionResult> => {
  const counts = { loaded: createExpansionCounts(), others: createExpansionCounts() };
  const existing = await listExpandedDays(sql);
  const added = expansion.window.filter((day) => !existing.has(day)).toSorted((a, b) => a - b);
  const others = await planOthers(sql, added, expansion);
  const zoneOf = createZoneLookup(expansion.masterDataIndex);
  const designators = [...expansion.loaded.keys()];
  const replaced = [...existing].filter(([day]) =>
    designators.some((designator) => expansion.replaces(designator, day)),
  );
  const days = added.length + replaced.length;
  const finishDays: FinishDay[] = [];
  for (const [day, total] of replaced) {
    finishDays.push(await replaceFlights(sql, expansion, { day, total, zoneOf, counts: counts.loaded }));
    expansion.onDay?.(finishDays.length, days);
  }
  const loaded = findFlights(expansion, designators);
  const buildAllRows = function* (day: LocalDate): Generator<InstanceRow> {
    yield* buildDayRows(loaded, day, { zoneOf, counts: counts.loaded });
    yield* buildDayRows(others, day, { zoneOf, counts: counts.others });
  };
  for (const day of added) {
    finishDays.push(await insertDay(sql, day, buildAllRows(day)));
    expansion.onDay?.(finishDays.length, days);
  }
  const finish = async (): Promise<void> => {
    for (const finishDay of finishDays) await finishDay();
  };
  /** A flight that is retimed over midnight may move to a day on which the new schedule is not expanded. */
  const unexpanded = function* (): Generator<InstanceRow> {
    const neighbours = new Set(replaced.flatMap(([day]) => [addDays(day, -1), day, addDays(day, 1)]));
    for (const day of neighbours) {
      if (added.includes(day)) continue;
      const absent = designators.filter((designator) => !existing.has(day) || !expansion.replaces(designator, day));
      yield* buildDayRows(findFlights(expansion, absent), day, { zoneOf, counts: createExpansionCounts() });
    }
  };
  return { ...counts, otherDays: { added, unexpanded }, finish };
};
