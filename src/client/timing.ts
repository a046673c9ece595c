import { onAbort } from './on-abort.ts';

/** The clock and the chance a client works by; another one can be given to make it do so in no time. */
export type Timing = {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects with the reason of the signal when that is aborted before. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 on, less than 1. */
  readonly random: () => number;
};

/** A timer that is set to more than this is over at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const wait: Timing['wait'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    const after = (): void => {
      release();
      resolve();
    };
    const timer = setTimeout(after, Math.min(ms, LONGEST_TIMER_MS));
    const release = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The clock of the system. */
export const systemTiming: Timing = { now: Date.now, wait, random: Math.random };
