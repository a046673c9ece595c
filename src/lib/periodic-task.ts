/** What is done again and again. */
export type Deed = {
  /** It ends early, and says nothing of it, when the signal asks. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** Hears of a round that failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
  /** How long it rests between two rounds, milliseconds. */
  readonly everyMs: number;
};

/** Does something now and after each rest, as long as it runs; a process that has nothing else to do may end. Answers how to stop. */
export const keepDoing = ({ round, onError, everyMs }: Deed): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  const run = async (): Promise<void> => {
    try {
      await round(signal);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    if (signal.aborted) return;
    timer = setTimeout(() => {
      running = run();
    }, everyMs);
    timer.unref();
  };
  let running = run();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
};
