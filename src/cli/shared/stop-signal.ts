/**
 * Resolves on the first SIGINT or SIGTERM. A second signal calls `onSecondSignal`, which by default exits at once with code 1.
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
  });
