/** npm forwards a signal that a terminal or service manager sends to all processes: it arrives twice within a few milliseconds. */
const FORWARDED_WITHIN_MS = 500;
/** How often the parent process is checked, milliseconds. */
const PARENT_CHECK_MS = 500;

const parentPid = process.ppid;

/**
 * Whether npm or make started this process. Both run commands in a shell, and the signal that ends the shell does not always reach the
 * command: only the change of its parent process shows the end.
 */
const hasRunner = process.env['npm_lifecycle_event'] !== undefined || process.env['MAKELEVEL'] !== undefined;

/**
 * Resolves on the first SIGINT or SIGTERM, or when the npm or make that started this process ends. A second signal calls `onSecondSignal`, which
 * by default exits at once with code 1. Call it before anything is opened: until then a signal ends the process. When `ended` is aborted,
 * signals end the process again, and the promise never resolves.
 */
export const waitForStopSignal = (onSecondSignal = (): void => process.exit(1), ended?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    let stoppingSince: number | undefined;
    const onSignal = (): void => {
      const now = performance.now();
      if (stoppingSince !== undefined && (!hasRunner || now - stoppingSince > FORWARDED_WITHIN_MS)) onSecondSignal();
      stoppingSince ??= now;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, onSignal);
      ended?.addEventListener('abort', () => process.off(signal, onSignal));
    }
    if (!hasRunner) return;
    const timer = setInterval(() => {
      if (process.ppid === parentPid) return;
      clearInterval(timer);
      if (stoppingSince === undefined) onSignal();
    }, PARENT_CHECK_MS).unref();
    ended?.addEventListener('abort', () => clearInterval(timer));
  });

/** Returns a signal that SIGINT and SIGTERM abort with `message` until `ended` is aborted, and a promise that then rejects. */
export const watchStopSignal = (
  message: string,
  ended: AbortSignal,
): { readonly signal: AbortSignal; readonly interrupted: Promise<never> } => {
  const stop = new AbortController();
  const interrupted = waitForStopSignal(undefined, ended).then(() => {
    stop.abort(new Error(message));
    throw stop.signal.reason;
  });
  // Until it is awaited, a rejection would end the process.
  interrupted.catch(() => {});
  return { signal: stop.signal, interrupted };
};
