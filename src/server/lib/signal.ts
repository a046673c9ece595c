/** A signal in the sense of a condition variable with memory (an auto-reset event): it wakes one waiting task. */
export type Signal = {
  /** Ends the current wait, or the next one immediately. */
  readonly notify: () => void;
  /** Waits for the time-out or a notification; the timer does not keep the process alive. */
  readonly wait: (timeoutMs: number) => Promise<void>;
};

/** Creates a signal. A notification that arrives while no task waits is kept for the next wait. */
export const createSignal = (): Signal => {
  let isNotified = false;
  let wake = (): void => {};
  return {
    notify: () => {
      isNotified = true;
      wake();
    },
    wait: async (timeoutMs) => {
      if (!isNotified) {
        const woken = Promise.withResolvers<void>();
        wake = woken.resolve;
        const timer = setTimeout(woken.resolve, timeoutMs);
        timer.unref();
        await woken.promise;
        clearTimeout(timer);
      }
      isNotified = false;
    },
  };
};
