/** How much a subscription may ask, with all its keys together; 0 means that there is no such limit. */
export type RequestLimits = {
  /** In a minute of the clock, over all servers. */
  readonly perMinute: number;
  /** In a month of the calendar, UTC, over all servers. */
  readonly perMonth: number;
  /** Being answered at the same time, by one server process. */
  readonly atOnce: number;
};

/** Far more than anybody asks by hand, and little enough that a program which has lost its way is stopped. */
export const defaultRequestLimits: RequestLimits = { perMinute: 60_000, perMonth: 100_000_000, atOnce: 200 };
