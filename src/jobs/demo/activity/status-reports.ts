import type { UtcMillisecond, UtcSecond } from '../../../domain/status/instants.ts';
import type {
  FlightFacts,
  UnscheduledFlightDescription,
  LandingFacts,
  StatusMessage,
} from '../../../domain/status/message.ts';
import { toMessagePrefix, type DemoReference } from './demo-flight.ts';

/** Facts that become known at an instant, before they become a message with an ID and a flight. */
export type StatusReport = {
  readonly at: UtcSecond;
  readonly facts: FlightFacts;
  readonly landings?: readonly LandingFacts<string>[];
};

/** The flight of some reports; `plan` is defined for a flight without schedule. */
export type ReportedFlight = {
  readonly reference: DemoReference;
  readonly plan: UnscheduledFlightDescription | undefined;
};

/**
 * Returns the messages of some reports, in ascending order at distinct instants, numbered from 1. Equal reports have
 * equal IDs, so that the store recognizes messages that it already has.
 */
export const toMessages = (
  reports: readonly StatusReport[],
  { reference, plan }: ReportedFlight,
): readonly StatusMessage[] => {
  const prefix = toMessagePrefix(reference);
  let last = -Infinity;
  return reports
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, facts, landings = [] }, index) => {
      last = Math.max(at * 1000, last + 1000);
      return {
        id: `${prefix}/${index + 1}`,
        source: 'demo',
        observedAt: last as UtcMillisecond,
        flight: reference,
        facts,
        landings,
        plan,
      };
    });
};
