import { dateOfInstant, type LocalDate } from '../../../domain/time/dates.ts';
import type { UtcMillisecond } from '../../../domain/status/instants.ts';
import type { StatusDoor } from '../../status/ingest/status-ingester.ts';
import { createDemoMessageSource } from './message-source.ts';
import type { DemoFlight } from './demo-flight.ts';
import { listDemoFlights } from './list-demo-flights.ts';

const TICK_MS = 10_000;
/** A world that was at rest for longer, or nobody knows how long, begins anew this long ago. */
const LONGEST_GAP_MS = 48 * 3_600_000;
/** A small part at a time, so that the server goes on answering while two days are made up for. */
const AT_ONCE = 200;
/** Flights from two days before today to four after it. */
const DAYS_AROUND = 7;

export type DemoActivityOptions = {
  readonly door: StatusDoor;
  readonly clock: () => Date;
  /** The first day that the store has flights of: of those of days before nothing is heard. */
  readonly since: LocalDate;
  readonly onFailure: (error: unknown) => void;
  /** Called once, when all that would have been heard until the start has been heard. */
  readonly onCaughtUp: () => Promise<void>;
};

/**
 * Lets the flights of the demo world go on with the clock: what would have been heard of them since the last time goes
 * through the same door as the messages of any feed, now and every ten seconds. Answers how to stop.
 */
export const startDemoActivity = ({
  door,
  clock,
  since,
  onFailure,
  onCaughtUp,
}: DemoActivityOptions): (() => Promise<void>) => {
  const life = createDemoMessageSource();
  let flights: { readonly day: LocalDate; readonly list: readonly DemoFlight[] } | undefined;
  let until: UtcMillisecond | undefined;
  const stopping = new AbortController();

  const flightsOn = (day: LocalDate): readonly DemoFlight[] => {
    if (flights?.day !== day) {
      const list = listDemoFlights(day, DAYS_AROUND).filter(({ reference }) => reference.originDate >= since);
      flights = { day, list };
    }
    return flights.list;
  };

  const tick = async (): Promise<void> => {
    const now = clock();
    const to = now.getTime() as UtcMillisecond;
    const earliest = (to - LONGEST_GAP_MS) as UtcMillisecond;
    // What is known from before a restart comes again, and has no further effect.
    const from = until === undefined || until < earliest ? earliest : until;
    if (to <= from) return;
    const messages = life.messagesBetween(from, to, flightsOn(dateOfInstant(now)));
    for (let start = 0; start < messages.length && !stopping.signal.aborted; start += AT_ONCE)
      await door.take(messages.slice(start, start + AT_ONCE));
    if (stopping.signal.aborted) return;
    const isFirst = until === undefined;
    until = to;
    if (isFirst) await onCaughtUp();
  };

  let ticking: Promise<void> = Promise.resolve();
  const next = (): void => {
    ticking = ticking.then(tick).catch(onFailure);
  };
  const timer = setInterval(next, TICK_MS);
  next();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await ticking;
  };
};
