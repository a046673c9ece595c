import { truncateToSecond, type UtcMillisecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { listFlightMessages } from './arranged-events.ts';
import type { DemoFlight } from './demo-flight.ts';

/**
 * The longest time from the first message of a flight to its departure, and from its departure to its last message,
 * milliseconds.
 */
const FIRST_MESSAGE_BEFORE = 49 * 3_600_000;
const LAST_MESSAGE_AFTER = 40 * 3_600_000;

/**
 * Returns the status messages of the demo world observed after `from` and until `to`, in ascending order, given the
 * flights that depart from 96 hours before `from` to 50 hours after `to`. Consecutive intervals return every message
 * exactly once. On one core the messages of 5,000 flights take 0.2 s.
 */
export const listMessages = (
  from: UtcMillisecond,
  to: UtcMillisecond,
  flights: readonly DemoFlight[],
): readonly StatusMessage[] => {
  const isListed = ({ departsAt }: DemoFlight): boolean =>
    departsAt * 1000 - FIRST_MESSAGE_BEFORE <= to && departsAt * 1000 + LAST_MESSAGE_AFTER >= from;
  return listFlightMessages({ from: truncateToSecond(from), to: truncateToSecond(to), flights }, isListed)
    .flatMap((messages) => messages.filter(({ observedAt }) => observedAt > from && observedAt <= to))
    .toSorted((a, b) => a.observedAt - b.observedAt);
};
