import { addDays, type LocalDate } from '../../domain/time/dates.ts';
import {
  addCounts,
  countFlight,
  noFlights,
  punctualityOf,
  type OnTimeCounts,
  type OnTimeTally,
} from '../../domain/status/on-time.ts';
import { viewFlight } from '../../domain/status/flight-view.ts';
import type { KnownFlight } from '../../domain/status/known-flight.ts';
import { isDone, lockWork, noteDone } from '../../store/tasks/daily-tasks.ts';
import type { Database, Sql } from '../../store/pool/database.ts';
import {
  observedFlights,
  replaceOnTime,
  type ObservedFlight,
  type OnTimePlace,
  type OnTimeRow,
} from '../../store/schedules/on-time.ts';

/** How far back flights are looked at unless told otherwise, days. */
export const ON_TIME_DAYS = 90;
const NAME = 'on-time';

/** Which flights are counted: those that depart on so many local dates up to one, that one included. */
export type OnTimeOptions = {
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

const placeName = ({ carrier, flightNumber, departure, arrival }: OnTimePlace): string =>
  `${carrier}|${flightNumber}|${departure}|${arrival}`;

const readKnown = (text: string): KnownFlight => {
  const known: KnownFlight = JSON.parse(text);
  return known;
};

type Tallied = OnTimeRow & { to: LocalDate; readonly counts: OnTimeTally };

/** Finds what is kept under a name, or begins it. */
const under = <Name, Value>(values: Map<Name, Value>, name: Name, begin: () => Value): Value => {
  const found = values.get(name);
  if (found !== undefined) return found;
  const begun = begin();
  values.set(name, begun);
  return begun;
};

type Counted = { readonly rows: readonly OnTimeRow[]; readonly built: OnTimeReport };

const count = async (
  sql: Sql,
  { today, until = addDays(today, -1), days = ON_TIME_DAYS, onDay, signal }: OnTimeOptions,
): Promise<Counted> => {
  const rows = new Map<string, Tallied>();
  const byCarrier = new Map<number, OnTimeTally>();

  const countOn = (day: LocalDate, { known, departure, scheduled, numbers }: ObservedFlight): void => {
    const punctuality = punctualityOf(viewFlight(readKnown(known), departure), scheduled);
    if (!punctuality) return;
    for (const { isMarketing, ...place } of numbers) {
      const row = under(rows, placeName(place), () => ({ ...place, from: day, to: day, counts: { ...noFlights } }));
      countFlight(row.counts, punctuality);
      row.to = day;
      if (!isMarketing)
        countFlight(
          under(byCarrier, place.carrier, () => ({ ...noFlights })),
          punctuality,
        );
    }
  };

  const from = addDays(until, 1 - days);
  // In order, so that the day at hand is the last one so far of every number that it counts for.
  for (let day = from; day <= until; day = addDays(day, 1)) {
    for await (const flights of observedFlights(sql, day)) {
      signal?.throwIfAborted();
      for (const flight of flights) countOn(day, flight);
    }
    onDay?.(day - from + 1, days);
  }
  const total = [...byCarrier.values()].reduce<OnTimeCounts>(addCounts, noFlights);
  return { rows: [...rows.values()], built: { from, to: until, numbers: rows.size, byCarrier, total } };
};

/**
 * Counts anew how punctual flights were (D15/A14) and puts the figures in the place of those before, for the rest of the UTC
 * date `today`. Readers see the old figures until all days are counted.
 */
export const buildOnTime = async (db: Database, window: OnTimeOptions): Promise<OnTimeReport> =>
  db.begin(async (sql) => {
    await lockWork(sql, NAME);
    const { rows, built } = await count(sql, window);
    await replaceOnTime(sql, rows);
    await noteDone(sql, NAME, window.today);
    return built;
  });

/**
 * The same, unless it has been done today, by this server or another one. Where no flight at all is to be counted, as in a store
 * that holds flights of the past alone, the figures there are stay.
 */
export const buildOnTimeDaily = async (db: Database, window: OnTimeOptions): Promise<void> => {
  await db.begin(async (sql) => {
    await lockWork(sql, NAME);
    if (await isDone(sql, NAME, window.today)) return;
    const { rows } = await count(sql, window);
    if (rows.length > 0) await replaceOnTime(sql, rows);
    await noteDone(sql, NAME, window.today);
  });
};
