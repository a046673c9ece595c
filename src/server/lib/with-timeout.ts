/**
 * Returns what a promise resolves with, or undefined after the time-out; rejects as the promise does. A result that arrived while the event
 * loop was blocked is in time.
 */
export const withTimeout = async <T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, undefined), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};
