/**
 * Resolves once the process is asked to end (SIGINT, SIGTERM). Whoever asks a second time is not kept waiting: `atOnce` runs then, which by
 * default ends the process with exit code 1, whatever is under way.
 */
export const untilStopped = (atOnce = (): void => process.exit(1)): Promise<void> =>
  new Promise((resolve) => {
    let isAsked = false;
    const ask = (): void => {
      if (isAsked) atOnce();
      isAsked = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ask);
  });
