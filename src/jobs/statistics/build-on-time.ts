import { addDays, type LocalDate } from '../../domain/time/dates.ts';
import {
  addCounts,
  countFlight,
  emptyOnTimeCounts,
  computePunctuality,
  type OnTimeCounts,
  type MutableOnTimeCounts,
} from '../../domain/status/on-time.ts';
import { computeFlightView } from '../../domain/status/flight-view.ts';
import type { FlightObservations } from '../../domain/status/observed-flight.ts';
import { isDailyTaskDone, lockDailyTask, upsertDailyTask } from '../../store/tasks/daily-tasks.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import {
  readObservedFlights,
  replaceOnTime,
  type ObservedFlight,
  type OnTimeRoute,
  type OnTimeRecord,
} from '../../store/schedules/on-time-performance.ts';

/** How far back flights are looked at unless told otherwise, days. */
export const ON_TIME_DAYS = 90;
const NAME = 'on-time';

/** Which flights are counted: those that depart on so many local dates up to one, that one included. */
export type OnTimeBuildOptions = {
  /** The UTC date on which this is done. */
  readonly today: LocalDate;
  /** Yesterday unless told otherwise. */
  readonly until?: LocalDate | undefined;
  readonly days?: number | undefined;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
  /** Ends the work early: nothing changes, and the reason is thrown. */
  readonly signal?: AbortSignal | undefined;
};

/** What was counted. */
export type OnTimeReport = {
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** How many numbers on a route have figures, those of marketing flights included. */
  readonly numbers: number;
  /** The flights that each carrier (an id) operates: none is counted twice. */
  readonly byCarrier: ReadonlyMap<number, OnTimeCounts>;
  readonly total: OnTimeCounts;
};

const placeName = ({ carrier, flightNumber, departure, arrival }: OnTimeRoute): string =>
  `${carrier}|${flightNumber}|${departure}|${arrival}`;

const readKnown = (text: string): FlightObservations => {
  const known: FlightObservations = JSON.parse(text);
  return known;
};

type Tallied = OnTimeRecord & { to: LocalDate; readonly counts: MutableOnTimeCounts };

/** Finds what is kept under a name, or begins it. */
const under = <Name, Value>(values: Map<Name, Value>, name: Name, begin: () => Value): Value => {
  const found = values.get(name);
  if (found !== undefined) return found;
  const begun = begin();
  values.set(name, begun);
  return begun;
};

type Counted = { readonly rows: readonly OnTimeRecord[]; readonly built: OnTimeReport };

const count = async (
  sql: Sql,
  { today, until = addDays(today, -1), days = ON_TIME_DAYS, onDay, signal }: OnTimeBuildOptions,
): Promise<Counted> => {
  const rows = new Map<string, Tallied>();
  const byCarrier = new Map<number, MutableOnTimeCounts>();

  const countOn = (day: LocalDate, { known, departure, scheduled, numbers }: ObservedFlight): void => {
    const punctuality = computePunctuality(computeFlightView(readKnown(known), departure), scheduled);
    if (!punctuality) return;
    for (const { isMarketing, ...place } of numbers) {
      const row = under(rows, placeName(place), () => ({
        ...place,
        from: day,
        to: day,
        counts: { ...emptyOnTimeCounts },
      }));
      countFlight(row.counts, punctuality);
      row.to = day;
      if (!isMarketing)
        countFlight(
          under(byCarrier, place.carrier, () => ({ ...emptyOnTimeCounts })),
          punctuality,
        );
    }
  };

  const from = addDays(until, 1 - days);
  // In order, so that the day at hand is the last one so far of every number that it counts for.
  for (let day = from; day <= until; day = addDays(day, 1)) {
    for await (const flights of readObservedFlights(sql, day)) {
      signal?.throwIfAborted();
      for (const flight of flights) countOn(day, flight);
    }
    onDay?.(day - from + 1, days);
  }
  const total = [...byCarrier.values()].reduce<OnTimeCounts>(addCounts, emptyOnTimeCounts);
  return { rows: [...rows.values()], built: { from, to: until, numbers: rows.size, byCarrier, total } };
};

/**
 * Counts anew how punctual flights were (D15/A14) and puts the figures in the place of those before, for the rest of the UTC
 * date `today`. Readers see the old figures until all days are counted.
 */
export const buildOnTime = async (db: Database, window: OnTimeBuildOptions): Promise<OnTimeReport> =>
  db.begin(async (sql) => {
    await lockDailyTask(sql, NAME);
    const { rows, built } = await count(sql, window);
    await replaceOnTime(sql, rows);
    await upsertDailyTask(sql, NAME, window.today);
    return built;
  });

/**
 * The same, unless it has been done today, by this server or another one. Where no flight at all is to be counted, as in a store
 * that holds flights of the past alone, the figures there are stay.
 */
export const buildOnTimeDaily = async (db: Database, window: OnTimeBuildOptions): Promise<void> => {
  await db.begin(async (sql) => {
    await lockDailyTask(sql, NAME);
    if (await isDailyTaskDone(sql, NAME, window.today)) return;
    const { rows } = await count(sql, window);
    if (rows.length > 0) await replaceOnTime(sql, rows);
    await upsertDailyTask(sql, NAME, window.today);
  });
};
