import { addDays, type LocalDate } from '#domain/time/dates.ts';
import {
  addCounts,
  countFlight,
  emptyOnTimeCounts,
  computePunctuality,
  type OnTimeCounts,
  type MutableOnTimeCounts,
} from '#domain/status/on-time.ts';
import { computeFlightView } from '#domain/status/flight-view.ts';
import type { FlightObservations } from '#domain/status/observed-flight.ts';
import { isDailyTaskDone, lockDailyTask, upsertDailyTask } from '#store/tasks/daily-tasks.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import {
  readObservedFlights,
  replaceOnTime,
  type ObservedFlight,
  type OnTimeRoute,
  type OnTimeRecord,
} from '#store/schedules/on-time-performance.ts';

/** The default number of days that are counted. */
export const ON_TIME_DAYS = 90;
const NAME = 'on-time';

export type OnTimeBuildOptions = {
  /** The UTC date of the build. */
  readonly today: LocalDate;
  /** The last local departure date; yesterday by default. */
  readonly until?: LocalDate | undefined;
  readonly days?: number | undefined;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
  /** Aborts the build: throws the reason, without changes. */
  readonly signal?: AbortSignal | undefined;
};

export type OnTimeReport = {
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** The number of flight numbers per route that have figures, marketing flights included. */
  readonly numbers: number;
  /** The operated flights of each carrier by its ID; no flight counts twice. */
  readonly byCarrier: ReadonlyMap<number, OnTimeCounts>;
  readonly total: OnTimeCounts;
};

const toRouteKey = ({ carrier, flightNumber, departure, arrival }: OnTimeRoute): string =>
  `${carrier}|${flightNumber}|${departure}|${arrival}`;

const parseObservations = (text: string): FlightObservations => {
  const observations: FlightObservations = JSON.parse(text);
  return observations;
};

type CountedRoute = OnTimeRecord & { to: LocalDate; readonly counts: MutableOnTimeCounts };

/** Returns the value of a key, which is created if it is missing. */
const getOrCreate = <Key, Value>(values: Map<Key, Value>, key: Key, create: () => Value): Value => {
  const existing = values.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  values.set(key, created);
  return created;
};

type CountResult = { readonly rows: readonly OnTimeRecord[]; readonly report: OnTimeReport };

const countFlights = async (
  sql: Sql,
  { today, until = addDays(today, -1), days = ON_TIME_DAYS, onDay, signal }: OnTimeBuildOptions,
): Promise<CountResult> => {
  const rows = new Map<string, CountedRoute>();
  const byCarrier = new Map<number, MutableOnTimeCounts>();

  const countObserved = (day: LocalDate, { observationsJson, departure, scheduled, numbers }: ObservedFlight): void => {
    const punctuality = computePunctuality(
      computeFlightView(parseObservations(observationsJson), departure),
      scheduled,
    );
    if (!punctuality) return;
    for (const { isMarketing, ...route } of numbers) {
      const row = getOrCreate(rows, toRouteKey(route), () => ({
        ...route,
        from: day,
        to: day,
        counts: { ...emptyOnTimeCounts },
      }));
      countFlight(row.counts, punctuality);
      row.to = day;
      if (!isMarketing)
        countFlight(
          getOrCreate(byCarrier, route.carrier, () => ({ ...emptyOnTimeCounts })),
          punctuality,
        );
    }
  };

  const from = addDays(until, 1 - days);
  // Days are counted in order, so that the current day is the last one of each flight number.
  for (let day = from; day <= until; day = addDays(day, 1)) {
    for await (const flights of readObservedFlights(sql, day)) {
      signal?.throwIfAborted();
      for (const flight of flights) countObserved(day, flight);
    }
    onDay?.(day - from + 1, days);
  }
  const total = [...byCarrier.values()].reduce<OnTimeCounts>(addCounts, emptyOnTimeCounts);
  return { rows: [...rows.values()], report: { from, to: until, numbers: rows.size, byCarrier, total } };
};

/**
 * Counts the punctuality of flights (D15/A14) and replaces the stored figures for the rest of the UTC date `today`.
 * Readers see the previous figures until the commit.
 */
export const buildOnTime = async (db: Database, window: OnTimeBuildOptions): Promise<OnTimeReport> =>
  db.begin(async (sql) => {
    await lockDailyTask(sql, NAME);
    const { rows, report } = await countFlights(sql, window);
    await replaceOnTime(sql, rows);
    await upsertDailyTask(sql, NAME, window.today);
    return report;
  });

/**
 * Counts the punctuality of flights unless a server has done so today. Stored figures stay when there is no flight to
 * count, as in a store with past flights only.
 */
export const buildOnTimeDaily = async (db: Database, window: OnTimeBuildOptions): Promise<void> => {
  await db.begin(async (sql) => {
    await lockDailyTask(sql, NAME);
    if (await isDailyTaskDone(sql, NAME, window.today)) return;
    const { rows } = await countFlights(sql, window);
    if (rows.length > 0) await replaceOnTime(sql, rows);
    await upsertDailyTask(sql, NAME, window.today);
  });
};
