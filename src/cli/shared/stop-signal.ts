import { isStartedByRunner } from '../../config.ts';

/** How often the parent process is checked, milliseconds. */
const PARENT_CHECK_MS = 500;

const parentPid = process.ppid;

/**
 * Resolves on the first SIGINT or SIGTERM, or when the npm or make that started this process ends. A second signal calls `onSecondSignal`, which
 * by default exits at once with code 1. Call it before anything is opened: until then a signal ends the process.
 */
export const waitForStopSignal = (onSecondSignal = (): void => process.exit(1)): Promise<void> =>
  new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (): void => {
      if (isStopping) onSecondSignal();
      isStopping = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
    if (!isStartedByRunner()) return;
    const timer = setInterval(() => {
      if (process.ppid === parentPid) return;
      clearInterval(timer);
      if (!isStopping) onSignal();
    }, PARENT_CHECK_MS).unref();
  });
