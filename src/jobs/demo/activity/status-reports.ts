import type { UtcMillisecond, UtcSecond } from '../../../domain/status/instants.ts';
import type { FlightFacts, FlightPlan, LandingFacts, StatusMessage } from '../../../domain/status/message.ts';
import { toMessagePrefix, type DemoReference } from './demo-flight.ts';

/** Something that becomes known of a flight, before it is numbered and addressed. */
export type StatusReport = {
  readonly at: UtcSecond;
  readonly facts: FlightFacts;
  readonly landings?: readonly LandingFacts<string>[];
};

/** What all reports of a flight share. `plan` is given when no schedule holds the flight. */
export type ReportedFlight = { readonly reference: DemoReference; readonly plan: FlightPlan | undefined };

/**
 * The messages that carry these reports, ascending, numbered from 1, no two at one moment. The ids are the same whenever the
 * reports are, so that a store that has them already takes them for what they are.
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
