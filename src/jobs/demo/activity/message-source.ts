import { toSecond, type UtcMillisecond } from '../../../domain/status/instants.ts';
import type { StatusMessage } from '../../../domain/status/message.ts';
import { arrangeEventsBetween } from './arranged-events.ts';
import { type DemoFlight, linkLegs, toLegKey } from './demo-flight.ts';
import type { FlightOutcome } from './flight-outcome.ts';
import { buildFlightMessages } from './flight-messages.ts';

/** The demo world as it goes on; it remembers when something is due, not what: that is worked out again when it is. */
export type DemoMessageSource = {
  /**
   * The messages observed after `from` and until `to`, ascending. The flights are all those that depart from 40 hours before
   * `from` to 50 hours after `to`. Stretches that follow one another give every message of every life exactly once.
   */
  readonly messagesBetween: (
    from: UtcMillisecond,
    to: UtcMillisecond,
    flights: readonly DemoFlight[],
  ) => readonly StatusMessage[];
};

/** When the messages of a flight are due, in milliseconds, if this becomes of it. */
type Due = { readonly kind: string; readonly at: Float64Array };

/** A flight departs at most so much later than its first message, or earlier than its last, milliseconds. */
const LIFE_BEGINS_BEFORE = 49 * 3_600_000;
const LIFE_ENDS_AFTER = 40 * 3_600_000;

/**
 * A demo world that goes on. On one core 5,000 lives take about 0.2 s; among 5,900 flights, those of the demo world for a tick,
 * the first tick takes as long and one of a minute later about 20 ms.
 */
export const createDemoMessageSource = (): DemoMessageSource => {
  const known = new Map<string, Due>();

  const forget = (flights: readonly DemoFlight[]): void => {
    if (known.size <= 2 * flights.length) return;
    const wanted = new Set(flights.map(({ reference }) => toLegKey(reference)));
    for (const key of known.keys()) if (!wanted.has(key)) known.delete(key);
  };

  const messagesBetween: DemoMessageSource['messagesBetween'] = (from, to, flights) => {
    const linked = linkLegs(flights);
    const { chosen, extraLives } = arrangeEventsBetween(toSecond(from), toSecond(to), linked);
    const fates = new Map(
      chosen.map(({ flight, fate }): [string, FlightOutcome] => [toLegKey(flight.reference), fate]),
    );
    const isDue = ({ observedAt }: StatusMessage): boolean => observedAt > from && observedAt <= to;

    const messagesOf = (flight: DemoFlight): readonly StatusMessage[] => {
      const departsAt = flight.departsAt * 1000;
      if (departsAt - LIFE_BEGINS_BEFORE > to || departsAt + LIFE_ENDS_AFTER < from) return [];
      const key = toLegKey(flight.reference);
      const fate = fates.get(key);
      const kind = fate?.kind ?? 'by chance';
      const due = known.get(key);
      if (due?.kind === kind && !due.at.some((at) => at > from && at <= to)) return [];
      const life = buildFlightMessages(flight, fate);
      if (due?.kind !== kind) known.set(key, { kind, at: Float64Array.from(life, ({ observedAt }) => observedAt) });
      return life.filter(isDue);
    };

    forget(flights);
    return [...linked.flights.flatMap(messagesOf), ...extraLives.flatMap((life) => life.filter(isDue))].toSorted(
      (a, b) => a.observedAt - b.observedAt,
    );
  };
  return { messagesBetween };
};
