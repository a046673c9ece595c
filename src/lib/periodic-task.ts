/** A task that runs repeatedly in the background. */
export type PeriodicTask = {
  /** Returns early, without an error, when the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Called when a run fails; the next run takes place all the same. */
  readonly onError: (error: unknown) => void;
  /** Pause between the end of a run and the start of the next. */
  readonly intervalMs: number;
};

/** Runs a task immediately and after each interval. Its timer does not keep the process alive. Returns a function that stops the task. */
export const startPeriodicTask = ({ run, onError, intervalMs }: PeriodicTask): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  const runAndSchedule = async (): Promise<void> => {
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    if (signal.aborted) return;
    timer = setTimeout(() => {
      current = runAndSchedule();
    }, intervalMs);
    timer.unref();
  };
  let current = runAndSchedule();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await current;
  };
};
