import { computeSecondsToEnd, computeWindow, type TimeWindow } from '../../lib/fixed-window.ts';

/** The most callers that are remembered; of more, those who came first in this minute are forgotten. */
const MAX_CALLERS = 10_000;

/** So many wrong keys a minute are mistakes; more are guesses. */
export const WRONG_KEYS_PER_MINUTE = 100;

export type WrongKeys = {
  /** Notes that a caller came with a key that opens nothing. */
  readonly note: (caller: string) => void;
  /** Seconds until a caller is listened to again; undefined while it is. */
  readonly shutFor: (caller: string) => number | undefined;
};

/** Counts wrong keys of callers, by the minute; `perMinute` 0 never shuts anybody out. One process counts by itself. */
export const countWrongKeys = (clock: () => Date, perMinute: number = WRONG_KEYS_PER_MINUTE): WrongKeys => {
  let window: TimeWindow = { startsAt: 0, endsAt: 0 };
  let counts = new Map<string, number>();
  const renew = (now: number): void => {
    if (now >= window.startsAt && now < window.endsAt) return;
    window = computeWindow('minute', now);
    counts = new Map();
  };
  return {
    note: (caller) => {
      renew(clock().getTime());
      const count = counts.get(caller);
      const [oldest] = count === undefined && counts.size >= MAX_CALLERS ? counts.keys() : [];
      if (oldest !== undefined) counts.delete(oldest);
      counts.set(caller, (count ?? 0) + 1);
    },
    shutFor: (caller) => {
      const now = clock().getTime();
      renew(now);
      return perMinute > 0 && (counts.get(caller) ?? 0) >= perMinute ? computeSecondsToEnd(window, now) : undefined;
    },
  };
};
