/** Wakes one who waits. */
export type Alarm = {
  /** Ends the wait under way, or the next one at once. */
  readonly ring: () => void;
  /** Waits for so many milliseconds, or until it rings; that alone keeps no process alive. */
  readonly wait: (ms: number) => Promise<void>;
};

/** An alarm that is not lost when it rings while nobody waits. */
export const newAlarm = (): Alarm => {
  let hasRung = false;
  let wake = (): void => {};
  return {
    ring: () => {
      hasRung = true;
      wake();
    },
    wait: async (ms) => {
      if (!hasRung) {
        const woken = Promise.withResolvers<void>();
        wake = woken.resolve;
        const timer = setTimeout(woken.resolve, ms);
        timer.unref();
        await woken.promise;
        clearTimeout(timer);
      }
      hasRung = false;
    },
  };
};
