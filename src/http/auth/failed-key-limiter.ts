import { computeSecondsToEnd, computeWindow, type TimeWindow } from '../../lib/fixed-window.ts';

/** The most callers that are remembered; of more, those who came first in this minute are forgotten. */
const MAX_CALLERS = 10_000;

/** So many wrong keys a minute are mistakes; more are guesses. */
export const FAILED_KEYS_PER_MINUTE = 100;

export type FailedKeyLimiter = {
  /** Notes that a caller came with a key that opens nothing. */
  readonly count: (caller: string) => void;
  /** Seconds until a caller is listened to again; undefined while it is. */
  readonly getBlockedSeconds: (caller: string) => number | undefined;
};

/** Counts wrong keys of callers, by the minute; `perMinute` 0 never shuts anybody out. One process counts by itself. */
export const createFailedKeyLimiter = (
  clock: () => Date,
  perMinute: number = FAILED_KEYS_PER_MINUTE,
): FailedKeyLimiter => {
  let window: TimeWindow = { startsAt: 0, endsAt: 0 };
  let counts = new Map<string, number>();
  const renew = (now: number): void => {
    if (now >= window.startsAt && now < window.endsAt) return;
    window = computeWindow('minute', now);
    counts = new Map();
  };
  return {
    count: (caller) => {
      renew(clock().getTime());
      const count = counts.get(caller);
      const [oldest] = count === undefined && counts.size >= MAX_CALLERS ? counts.keys() : [];
      if (oldest !== undefined) counts.delete(oldest);
      counts.set(caller, (count ?? 0) + 1);
    },
    getBlockedSeconds: (caller) => {
      const now = clock().getTime();
      renew(now);
      return perMinute > 0 && (counts.get(caller) ?? 0) >= perMinute ? computeSecondsToEnd(window, now) : undefined;
    },
  };
};
