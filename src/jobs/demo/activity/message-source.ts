import { truncateToSecond, type UtcMillisecond } from '#domain/status/instants.ts';
import type { StatusMessage } from '#domain/status/message.ts';
import { arrangeEventsBetween } from './arranged-events.ts';
import { type DemoFlight, linkLegs, toLegKey } from './demo-flight.ts';
import { buildFlightMessages } from './flight-messages.ts';

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
  const linked = linkLegs(flights);
  const { outcomes, extraMessages } = arrangeEventsBetween(truncateToSecond(from), truncateToSecond(to), linked);
  const arranged = new Map(outcomes.map(({ flight, outcome }) => [toLegKey(flight.reference), outcome]));
  const scheduled = linked.flights
    .filter(({ departsAt }) => departsAt * 1000 - FIRST_MESSAGE_BEFORE <= to)
    .filter(({ departsAt }) => departsAt * 1000 + LAST_MESSAGE_AFTER >= from)
    .map((flight) => buildFlightMessages(flight, arranged.get(toLegKey(flight.reference))));
  return [...scheduled, ...extraMessages]
    .flatMap((messages) => messages.filter(({ observedAt }) => observedAt > from && observedAt <= to))
    .toSorted((a, b) => a.observedAt - b.observedAt);
};
