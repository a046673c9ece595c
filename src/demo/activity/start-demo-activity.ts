import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import type { BackgroundDriver, RunOutcome } from '#jobs/driver.ts';
import type { StatusIngester } from '#jobs/status/ingest/status-ingester.ts';
import type { Database } from '#store/pool/database.ts';
import { toLocalDate } from '../world/airports.ts';
import { fillDemoHistory, ingestInBatches, mergeMessages } from './demo-history.ts';
import { listFlightMessages, listMessages } from './arranged-events.ts';
import { type DemoFlight, toLegKey, listDemoFlights } from './demo-flight.ts';

/** Catches up on at most this much time; older gaps are skipped. */
const MAX_GAP_MS = 48 * 3_600_000;
/** Messages are built an hour ahead, because it takes 0.2 s. */
const LISTED_AHEAD_MS = 3_600_000;
export type DemoActivityOptions = {
  readonly ingester: StatusIngester;
  readonly clock: () => Date;
  /** Returns the first day with flights in the store; flights of earlier days have no messages. */
  readonly findFirstDay: () => Promise<LocalDate>;
  readonly onError: (error: unknown) => void;
  /** Called when new flown flights can be counted: when the messages until the start are stored, and after the history. */
  readonly onFlown: () => Promise<void>;
  readonly driver: BackgroundDriver;
};

/**
 * Lists the keys of legs whose flights start on the first stored day but that depart, by local time, on the day before: they have crossed
 * the date line, and the store does not contain them.
 */
export const listAbsentLegs = (flights: readonly DemoFlight[], firstDay: LocalDate): ReadonlySet<string> =>
  new Set(
    flights
      .filter(
        ({ reference: { originDate, departureAirport }, departsAt }) =>
          originDate === firstDay && toLocalDate(departureAirport, departsAt) < firstDay,
      )
      .map(({ reference }) => toLegKey(reference)),
  );

/** The first minute of a server is free of this work, so that people who try it get quick responses. */
const HISTORY_DELAY_MS = 60_000;

/** Starts to fill the past month, a minute after the present is complete. Returns a function that stops the task. */
const startDemoHistory = async (
  db: Database,
  { ingester, clock, onError, onFlown, driver }: DemoActivityOptions,
): Promise<() => Promise<void>> => {
  let hasWaited = false;
  const run = async (signal: AbortSignal): Promise<RunOutcome> => {
    if (!hasWaited) {
      hasWaited = true;
      return { nextInMs: HISTORY_DELAY_MS };
    }
    const days = await fillDemoHistory(db, { ingester, now: clock(), signal });
    if (days > 0 && !signal.aborted) await onFlown();
    return 'done';
  };
  const { stop } = await driver.start('demo-history', { run, onError });
  return stop;
};

/** Returns whether the store has the flight of a message: all of a day from `since` on, and those that a message itself announces. */
const createStoredFilter = (list: readonly DemoFlight[], since: LocalDate): ((message: StatusMessage) => boolean) => {
  const absent = listAbsentLegs(list, since);
  return ({ plan, flight }) =>
    plan !== undefined ||
    flight.by !== 'designator' ||
    (flight.originDate !== undefined && flight.originDate >= since && !absent.has(toLegKey(flight)));
};

/** Flights that depart or arrive within this time before or after the present are on boards, seconds. */
const BOARD_SECONDS = 2 * 3600;

/**
 * Reports what is known now of the flights of the last and the next two hours, so that the first board of a new server is right: the last message
 * of each, with the facts of those before, a twelfth of all. The activity then adds the others; the store ignores the one that it has.
 */
export const reportBoards = async ({
  ingester,
  clock,
  findFirstDay,
}: Pick<DemoActivityOptions, 'ingester' | 'clock' | 'findFirstDay'>): Promise<void> => {
  const now = clock();
  const list = listDemoFlights(toUtcDate(now));
  const isStored = createStoredFilter(list, await findFirstDay());
  const [from, to] = [-BOARD_SECONDS, BOARD_SECONDS].map((offset) => now.getTime() / 1000 + offset) as [number, number];
  const isNear = (at: UtcSecond): boolean => from <= at && at <= to;
  const messages = listFlightMessages(
    [Math.floor(from) as UtcSecond, Math.ceil(to) as UtcSecond],
    list,
    ({ departsAt, arrivesAt }) => isNear(departsAt) || isNear(arrivesAt),
  )
    .map((ofFlight) => ofFlight.filter(({ observedAt }) => observedAt <= now.getTime()))
    .flatMap((known) => {
      if (known.every(({ plan }) => plan === undefined)) return mergeMessages(known) ?? [];
      // Flights outside schedules of up to two days: those of now have been reported lately.
      return (known.at(-1)?.observedAt ?? 0) >= from * 1000 ? known : [];
    })
    .filter(isStored)
    .toSorted((a, b) => a.observedAt - b.observedAt);
  await ingestInBatches(ingester, messages, new AbortController().signal);
};

/**
 * Starts to report the status of the flights of the demo world, now and every ten seconds, through the ingester that
 * all feeds use, and then to fill the past month. Returns a function that stops both tasks.
 */
export const startDemoActivity = async (db: Database, options: DemoActivityOptions): Promise<() => Promise<void>> => {
  const { ingester, clock, findFirstDay, onError, onFlown, driver } = options;
  let listed: { readonly until: number; readonly messages: readonly StatusMessage[] } = { until: 0, messages: [] };
  let flights: { readonly day: LocalDate; readonly list: readonly DemoFlight[] } | undefined;
  let reportedUntil: UtcMillisecond | undefined;
  let stopHistory: (() => Promise<void>) | undefined;

  const listFlights = (day: LocalDate): readonly DemoFlight[] => {
    if (flights?.day !== day) flights = { day, list: listDemoFlights(day) };
    return flights.list;
  };

  const run = async (signal: AbortSignal): Promise<RunOutcome> => {
    const now = clock();
    const to = now.getTime() as UtcMillisecond;
    const earliest = (to - MAX_GAP_MS) as UtcMillisecond;
    // After a restart, messages are repeated; the store ignores those that it has.
    const from = reportedUntil === undefined || reportedUntil < earliest ? earliest : reportedUntil;
    if (to <= from) return 'done';
    const since = await findFirstDay();
    const list = listFlights(toUtcDate(now));
    // Each of these steps takes up to 0.2 s; requests are answered in between.
    await yieldToEventLoop();
    const isStored = createStoredFilter(list, since);
    await yieldToEventLoop();
    if (listed.until < to) {
      const until = (to + LISTED_AHEAD_MS) as UtcMillisecond;
      listed = { until, messages: listMessages(from, until, list) };
    }
    const messages = listed.messages.filter(({ observedAt }) => observedAt > from && observedAt <= to).filter(isStored);
    await ingestInBatches(ingester, messages, signal);
    if (signal.aborted) return 'done';
    reportedUntil = to;
    if (stopHistory) return 'done';
    await onFlown();
    stopHistory = await startDemoHistory(db, options);
    return 'done';
  };

  const { stop } = await driver.start('demo-activity', { run, onError });
  return async () => {
    await stop();
    await stopHistory?.();
  };
};
