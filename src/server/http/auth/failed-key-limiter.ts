import { computeSecondsToEnd, computeWindow, type TimeWindow } from '#lib/fixed-window.ts';

/** Beyond this number the client that was counted first in this minute is dropped. */
const MAX_CLIENTS = 10_000;

/** Up to this number, invalid keys are treated as mistakes; beyond it, as guesses. */
export const FAILED_KEYS_PER_MINUTE = 100;

export type FailedKeyLimiter = {
  /** Counts an invalid key of a client. */
  readonly count: (clientId: string) => void;
  /** Returns the seconds until a client is unblocked; undefined when it is not blocked. */
  readonly getBlockedSeconds: (clientId: string) => number | undefined;
};

/** Creates a limiter of invalid keys by client and minute, for this process only; `perMinute` 0 means no limit. */
export const createFailedKeyLimiter = (
  clock: () => Date,
  perMinute: number = FAILED_KEYS_PER_MINUTE,
): FailedKeyLimiter => {
  let window: TimeWindow = { startsAt: 0, endsAt: 0 };
  let counts = new Map<string, number>();
  const enterWindow = (now: number): void => {
    if (now >= window.startsAt && now < window.endsAt) return;
    window = computeWindow('minute', now);
    counts = new Map();
  };
  return {
    count: (clientId) => {
      enterWindow(clock().getTime());
      const count = counts.get(clientId);
      const [oldest] = count === undefined && counts.size >= MAX_CLIENTS ? counts.keys() : [];
      if (oldest !== undefined) counts.delete(oldest);
      counts.set(clientId, (count ?? 0) + 1);
    },
    getBlockedSeconds: (clientId) => {
      const now = clock().getTime();
      enterWindow(now);
      return perMinute > 0 && (counts.get(clientId) ?? 0) >= perMinute ? computeSecondsToEnd(window, now) : undefined;
    },
  };
};
