import { onAbort } from './on-abort.ts';

/** Clock, timer and random numbers of a client; tests replace them. */
export type Timing = {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** Resolves after `ms` milliseconds; rejects with the reason of the signal when it is aborted before. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A number in [0, 1). */
  readonly random: () => number;
};

/** `setTimeout` fires immediately for longer delays. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const wait: Timing['wait'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    const onTimeout = (): void => {
      release();
      resolve();
    };
    const timer = setTimeout(onTimeout, Math.min(ms, MAX_TIMER_MS));
    const release = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The timing of the platform. */
export const systemTiming: Timing = { now: Date.now, wait, random: Math.random };
