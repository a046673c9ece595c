import { ACCOUNT_EVENTS_CHANNEL, lastNumbers } from '../../store/events/account-events.ts';
import type { Database } from '../../store/pool/database.ts';

/** A place in a stream, and for how long it is waited there, milliseconds. */
export type Waiting = { readonly stream: number; readonly after: number; readonly ms: number };

/** Whoever waits for events of accounts waits here: one connection of a process hears of them for all. */
export type AccountEventsWatch = {
  /**
   * Resolves as soon as a stream has an event after a number, and with nothing new after `ms`, when the signal is aborted, or when the
   * watch is stopped. What was there already is found too.
   */
  readonly untilMore: (waiting: Waiting, signal: AbortSignal) => Promise<void>;
  /** Whether it has been stopped: nobody should wait any more. */
  readonly isStopped: () => boolean;
  readonly stop: () => Promise<void>;
};

export type WatchOptions = {
  readonly onError: (error: unknown) => void;
  /** How often it is looked for events whose announcement did not come, milliseconds. */
  readonly pollMs?: number;
};

type Waiter = { readonly stream: number; readonly after: number; readonly wake: () => void };

const POLL_MS = 5000;

/**
 * Watches the streams of accounts. It begins to listen when somebody waits for the first time. However many wait, an announcement costs
 * one question, which asks how far their streams have come: only those whose stream has moved are woken.
 */
export const watchAccountEvents = (db: Database, { onError, pollMs = POLL_MS }: WatchOptions): AccountEventsWatch => {
  const waiters = new Set<Waiter>();
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  let isLooking = false;
  let isDue = false;
  let listening: ReturnType<Database['listen']> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const wakeMoved = async (): Promise<void> => {
    const waiting = [...waiters];
    if (waiting.length === 0) return;
    const ends = await lastNumbers(db, [...new Set(waiting.map(({ stream }) => stream))]);
    for (const { stream, after, wake } of waiting) if ((ends.get(stream) ?? 0) > after) wake();
  };

  /** One look at a time: what is announced during one is seen by the next. */
  const look = async (): Promise<void> => {
    isDue = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isDue && !isStopped()) {
        isDue = false;
        await wakeMoved();
      }
    } catch (error) {
      if (!isStopped()) onError(error);
    } finally {
      isLooking = false;
    }
  };
  const hear = (): void => void look();

  const begin = (): void => {
    if (listening) return;
    if (!timer) {
      timer = setInterval(hear, pollMs);
      timer.unref();
    }
    // The second function runs at every (re)connection: what was announced meanwhile has been missed.
    listening = db.listen(ACCOUNT_EVENTS_CHANNEL, hear, hear);
    listening.catch((error: unknown) => {
      // Until the next who waits makes it try again, it looks now and then.
      if (!isStopped()) onError(error);
      listening = undefined;
    });
  };

  return {
    untilMore: async ({ stream, after, ms }, signal) => {
      if (isStopped() || signal.aborted) return;
      begin();
      const woken = Promise.withResolvers<void>();
      const wake = (): void => woken.resolve();
      const waiter = { stream, after, wake };
      const timeout = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
      waiters.add(waiter);
      hear();
      await woken.promise;
      waiters.delete(waiter);
      clearTimeout(timeout);
      signal.removeEventListener('abort', wake);
    },
    isStopped,
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      for (const { wake } of waiters) wake();
      const heard = await listening?.catch(() => undefined);
      await heard?.unlisten();
    },
  };
};
