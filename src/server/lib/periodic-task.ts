import { setTimeout as delay } from 'node:timers/promises';
import { createSignal } from './signal.ts';

/** A task that runs repeatedly in the background: one run at a time, after each interval and whenever it is triggered. */
export type PeriodicTask = {
  /**
   * Returns the time until the next run, milliseconds, if that is not the interval; 0 runs again immediately. Returns early, without an
   * error, when the signal is aborted.
   */
  readonly run: (signal: AbortSignal) => Promise<number | undefined>;
  /** Called when a run fails. */
  readonly onError: (error: unknown) => void;
  /** Pause between the end of a run and the start of the next, unless the task is triggered. */
  readonly intervalMs: number;
  /** Pause after a failed run that no trigger shortens; without it, the next trigger or interval starts the next run. */
  readonly retryMs?: number | undefined;
};

export type RunningTask = {
  /** Starts a run immediately, or after the current one. */
  readonly trigger: () => void;
  /** Waits for the current run. */
  readonly stop: () => Promise<void>;
};

/** The longest delay of a Node timer, 25 days: longer ones fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits; returns early when the signal is aborted. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal, ref: false }).catch(() => {});
};

/** Starts a task: it runs immediately, after each interval and after each trigger. Its timers do not keep the process alive. */
export const startPeriodicTask = ({ run, onError, intervalMs, retryMs }: PeriodicTask): RunningTask => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { notify, wait } = createSignal();
  const runOnce = async (): Promise<number> => {
    try {
      return (await run(signal)) ?? intervalMs;
    } catch (error) {
      if (signal.aborted) return 0;
      onError(error);
      if (retryMs === undefined) return intervalMs;
      await pause(retryMs, signal);
      return 0;
    }
  };
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const waitMs = await runOnce();
      if (waitMs <= 0) notify();
      if (!signal.aborted) await wait(Math.min(waitMs, MAX_TIMER_MS));
    }
  };
  const running = loop();
  return {
    trigger: notify,
    stop: async () => {
      stopping.abort();
      notify();
      await running;
    },
  };
};
