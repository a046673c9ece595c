import { addDays, type LocalDate } from '../../domain/time/dates.ts';
import { stationIn, type Directory } from '../../domain/master-data/directory.ts';
import { operatesOn } from '../../domain/time/period.ts';
import type { Sql } from '../../store/pool/database.ts';
import {
  addDay,
  expandedDays,
  replaceInDay,
  type Finish,
  type InstanceRow,
  type Leaving,
} from '../../store/flights/instance-days.ts';
import type { Elsewhere } from '../../store/schedules/schedule-differences.ts';
import { currentItineraries } from '../../store/schedules/schedules.ts';
import {
  groupByDesignator,
  createExpansionCounts,
  planItinerary,
  buildDayRows,
  type ExpansionCounts,
  type PlannedFlight,
  type PlannedSegment,
} from './plan-segments.ts';

/** What is laid out: the days wanted, and the designators whose schedule a load has just replaced. */
export type DayExpansion = {
  /** The days that are to exist as instances afterwards; days that exist already stay. */
  readonly window: readonly LocalDate[];
  /** Newly loaded flights by designator as filed. */
  readonly loaded: ReadonlyMap<string, readonly PlannedFlight[]>;
  /** On which days a load replaces the flights of a designator; the other days are history. */
  readonly replaces: (designator: string, day: LocalDate) => boolean;
  /** The ids of the carriers that flights of each designator may have, loaded or not. */
  readonly carriersOf: ReadonlyMap<string, ReadonlySet<number>>;
  /** The designators of which it is noted what becomes of each flight on the days that exist already. */
  readonly compared: ReadonlySet<string>;
  readonly directory: Directory;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
};

/** What was written of the designators just loaded, and of the others. */
export type ExpansionResult = {
  readonly loaded: ExpansionCounts;
  readonly others: ExpansionCounts;
  /** Where a flight can be that has left the days that existed before. */
  readonly elsewhere: Elsewhere;
  /** Puts the days in place. It locks readers out until the commit, so call it last. */
  readonly finish: Finish;
};

const planOthers = async (
  sql: Sql,
  days: readonly LocalDate[],
  { loaded, directory }: DayExpansion,
): Promise<readonly PlannedFlight[]> => {
  const [from] = days;
  const to = days.at(-1);
  if (from === undefined || to === undefined) return [];
  const planned: PlannedSegment[] = [];
  for await (const { itinerary, segmentIds } of currentItineraries(sql, { from, to, without: [...loaded.keys()] }))
    planned.push(...planItinerary(itinerary, (index) => segmentIds[index] ?? 0, directory));
  return groupByDesignator(planned);
};

/** The flights of some designators: all of their carriers, unless one of those flies under another designator too. */
const leavingOf = (designators: readonly string[], carriersOf: DayExpansion['carriersOf']): Leaving => {
  const carriers = new Set(designators.flatMap((designator) => [...(carriersOf.get(designator) ?? [])]));
  const leaving = new Set(designators);
  const isShared = [...carriersOf].some(
    ([designator, ids]) => !leaving.has(designator) && [...ids].some((id) => carriers.has(id)),
  );
  return { carriers: [...carriers], filedUnder: isShared ? designators : undefined };
};

/** About how many rows a day has: dates as filed. */
const departuresOn = (flights: readonly PlannedFlight[], day: LocalDate): number => {
  let count = 0;
  for (const { segments } of flights)
    for (const { segment } of segments) if (operatesOn(segment.legs[0].period, day)) count += 1;
  return count;
};

/**
 * Writes instances: new days in full, from every schedule in force, and on days that exist the flights of the designators
 * just loaded. `sql` must be a transaction that holds the schedule lock; readers see nothing of it before the commit.
 */
export const expandDays = async (sql: Sql, layout: DayExpansion): Promise<ExpansionResult> => {
  const counts = { loaded: createExpansionCounts(), others: createExpansionCounts() };
  const existing = await expandedDays(sql);
  const added = layout.window.filter((day) => !existing.has(day)).toSorted((a, b) => a - b);
  const others = await planOthers(sql, added, layout);
  const zones = new Map<string, string | undefined>();
  const zoneOf = (station: string): string | undefined => {
    if (!zones.has(station)) zones.set(station, stationIn(layout.directory, station)?.zone);
    return zones.get(station);
  };
  const designators = [...layout.loaded.keys()];
  const replaced = [...existing].filter(([day]) => designators.some((one) => layout.replaces(one, day)));
  const total = added.length + replaced.length;
  let done = 0;
  const finishes: Finish[] = [];
  for (const [day, instances] of replaced) {
    const giving = designators.filter((one) => layout.replaces(one, day));
    const flights = giving.flatMap((one) => layout.loaded.get(one) ?? []);
    const compared = giving.filter((one) => layout.compared.has(one));
    const finish = await replaceInDay(sql, day, {
      leaving: leavingOf(giving, layout.carriersOf),
      rows: buildDayRows(flights, day, { zoneOf, counts: counts.loaded }),
      expected: departuresOn(flights, day),
      total: instances,
      compared: compared.length > 0 ? leavingOf(compared, layout.carriersOf) : undefined,
    });
    finishes.push(finish);
    layout.onDay?.((done += 1), total);
  }
  const loaded = [...layout.loaded.values()].flat();
  const rowsOfAll = function* (day: LocalDate): Generator<InstanceRow> {
    yield* buildDayRows(loaded, day, { zoneOf, counts: counts.loaded });
    yield* buildDayRows(others, day, { zoneOf, counts: counts.others });
  };
  for (const day of added) {
    finishes.push(await addDay(sql, day, rowsOfAll(day)));
    layout.onDay?.((done += 1), total);
  }
  const finish = async (): Promise<void> => {
    for (const one of finishes) await one();
  };
  /** A flight that is retimed over midnight may leave the days on which the new schedule is laid out. */
  const beside = function* (): Generator<InstanceRow> {
    const days = new Set(replaced.flatMap(([day]) => [addDays(day, -1), day, addDays(day, 1)]));
    for (const day of days) {
      if (added.includes(day)) continue;
      const absent = designators.filter((one) => !existing.has(day) || !layout.replaces(one, day));
      const flights = absent.flatMap((one) => layout.loaded.get(one) ?? []);
      yield* buildDayRows(flights, day, { zoneOf, counts: createExpansionCounts() });
    }
  };
  return { ...counts, elsewhere: { added, beside }, finish };
};
