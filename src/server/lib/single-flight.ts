import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Wraps a call so that concurrent callers share it (single-flight). Only one call runs at a time. Callers that arrive during a run wait for the
 * next run, because the current result may be older than their call. A failed call rejects for all its callers; the next call runs again.
 * A run starts after all requests that have already arrived were read, which the database driver waits for anyway. Its result is passed on
 * once the next run has been sent, so that the database works while the callers are served.
 */
export const singleFlight = (call: () => Promise<void>): (() => Promise<void>) => {
  let waiting: PromiseWithResolvers<void> | undefined;
  let isRunning = false;

  /** Runs the call for all who wait; returns a function that passes the outcome on to them. */
  const runOnce = async (): Promise<() => void> => {
    const callers = waiting;
    waiting = undefined;
    try {
      await call();
      return () => callers?.resolve();
    } catch (error) {
      return () => callers?.reject(error);
    }
  };

  const runWhileWanted = async (): Promise<void> => {
    let passOn = (): void => {};
    isRunning = true;
    for (;;) {
      await nextTurn();
      if (!waiting) break;
      const run = runOnce();
      // One turn until the driver takes the query, and one until it has written it.
      await nextTurn();
      await nextTurn();
      passOn();
      passOn = await run;
    }
    isRunning = false;
    passOn();
  };

  return () => {
    waiting ??= Promise.withResolvers();
    if (!isRunning) void runWhileWanted();
    return waiting.promise;
  };
};
