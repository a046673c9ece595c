import type { Season } from './flight-plan.ts';

/** A destination of a hub: flown by a type in some of the hub's banks, on some days (1 = Monday), in some season. */
export type Route = readonly [to: string, equipment: string, banks: string, days?: string, season?: Season];

/**
 * Flights out of one hub and back. `banks` are departure times, HHMM; a route names those it flies in by a digit or a letter
 * each (1-9, then a for the tenth). The flights of a bank leave five minutes apart in the order of the table.
 */
export type Network = {
  readonly carrier: string;
  readonly hub: string;
  /** The first outbound flight; each further one is two up, its return the number between. */
  readonly firstNumber: number;
  readonly serviceType: string;
  readonly banks: readonly string[];
  readonly routes: readonly Route[];
};
