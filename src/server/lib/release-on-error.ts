/**
 * Runs work that opens several things and adds a release of each to the stack. When it fails, what it has opened is released, the last first; an
 * error of a release does not replace the one that comes first.
 */
export const releaseOnError = async <T>(work: (opened: AsyncDisposableStack) => Promise<T>): Promise<T> => {
  const opened = new AsyncDisposableStack();
  try {
    return await work(opened);
  } catch (error) {
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
};
