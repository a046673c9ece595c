/** Limits of a subscription, for all its keys together; 0 means no limit. */
export type RequestLimits = {
  /** Requests in a minute (UTC), over all servers. */
  readonly perMinute: number;
  /** Requests in a calendar month (UTC), over all servers: the quota. */
  readonly perMonth: number;
  /** Concurrent requests on one server process. */
  readonly atOnce: number;
};

/** Far above normal use, and low enough to stop a client in an endless loop. */
export const defaultRequestLimits: RequestLimits = { perMinute: 60_000, perMonth: 100_000_000, atOnce: 200 };
