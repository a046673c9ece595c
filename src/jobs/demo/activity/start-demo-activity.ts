import { toUtcDate, type LocalDate } from '../../../domain/time/dates.ts';
import type { UtcMillisecond } from '../../../domain/status/instants.ts';
import type { BackgroundDriver, RunOutcome } from '../../driver.ts';
import type { StatusIngester } from '../../status/ingest/status-ingester.ts';
import { DemoMessageSource } from './message-source.ts';
import type { DemoFlight } from './demo-flight.ts';
import { listDemoFlights } from './list-demo-flights.ts';

/** Catches up on at most this much time; older gaps are skipped. */
const MAX_GAP_MS = 48 * 3_600_000;
/** Messages in one batch; batches are small, so that the server stays responsive while it catches up. */
const BATCH_SIZE = 200;
/** Flights from two days before today to four after it. */
const DAYS_AROUND = 7;

export type DemoActivityOptions = {
  readonly ingester: StatusIngester;
  readonly clock: () => Date;
  /** The first day with flights in the store; flights of earlier days have no messages. */
  readonly since: LocalDate;
  readonly onError: (error: unknown) => void;
  /** Called once, when the messages until the start are stored. */
  readonly onCaughtUp: () => Promise<void>;
  readonly driver: BackgroundDriver;
};

/**
 * Starts to report the status of the flights of the demo world, now and every ten seconds, through the ingester that
 * all feeds use. Returns a function that stops the task.
 */
export const startDemoActivity = async ({
  ingester,
  clock,
  since,
  onError,
  onCaughtUp,
  driver,
}: DemoActivityOptions): Promise<() => Promise<void>> => {
  const source = new DemoMessageSource();
  let flights: { readonly day: LocalDate; readonly list: readonly DemoFlight[] } | undefined;
  let reportedUntil: UtcMillisecond | undefined;

  const listFlights = (day: LocalDate): readonly DemoFlight[] => {
    if (flights?.day !== day) {
      const list = listDemoFlights(day, DAYS_AROUND).filter(({ reference }) => reference.originDate >= since);
      flights = { day, list };
    }
    return flights.list;
  };

  const run = async (signal: AbortSignal): Promise<RunOutcome> => {
    const now = clock();
    const to = now.getTime() as UtcMillisecond;
    const earliest = (to - MAX_GAP_MS) as UtcMillisecond;
    // After a restart, messages are repeated; the store ignores those that it has.
    const from = reportedUntil === undefined || reportedUntil < earliest ? earliest : reportedUntil;
    if (to <= from) return 'done';
    const messages = source.listMessages(from, to, listFlights(toUtcDate(now)));
    for (let start = 0; start < messages.length && !signal.aborted; start += BATCH_SIZE)
      await ingester.ingest(messages.slice(start, start + BATCH_SIZE));
    if (signal.aborted) return 'done';
    const isFirst = reportedUntil === undefined;
    reportedUntil = to;
    if (isFirst) await onCaughtUp();
    return 'done';
  };

  const { stop } = await driver.start('demo-activity', { run, onError });
  return stop;
};
