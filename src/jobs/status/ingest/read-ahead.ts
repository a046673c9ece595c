import { createSignal } from '../../../lib/signal.ts';

/** What is read of a source while what came before is dealt with. */
export type ReadAhead<T> = {
  readonly batches: AsyncIterable<readonly T[]>;
  /** Ends the batches with a failure, also while the source is silent. */
  readonly stop: (failure: unknown) => void;
};

/** The most items of a batch; while one is dealt with, so many more are read ahead. */
const AT_ONCE = 1000;
/** So many are worth a batch of their own; fewer wait for others, for a batch costs nearly the same whatever its size. */
const ENOUGH = 20;
/** How long they wait at most, milliseconds; only behind items that came as close after each other. */
const GATHER_MS = 25;
/** A source that sent nothing meanwhile may be waiting for us. So long it is not made to wait again, milliseconds. */
const PROMPT_MS = 1000;

/**
 * Hands on whatever has come since it was last asked: single items while the source is slow or waits to hear of each, a few together
 * while it sends them one soon after the other, full batches while it is fast.
 */
export const readAhead = <T>(items: AsyncIterable<T>): ReadAhead<T> => {
  let waiting: T[] = [];
  let ended = false;
  let failure: unknown;
  let wake = (): void => {};
  let makeRoom = (): void => {};
  let hurry = (): void => {};
  let [lastAt, gapMs, promptUntil] = [-Infinity, Infinity, -Infinity];

  const end = (cause?: unknown): void => {
    if (!ended) failure = cause;
    ended = true;
    wake();
    makeRoom();
    hurry();
  };

  const read = async (): Promise<void> => {
    for await (const item of items) {
      if (ended) return;
      const now = performance.now();
      [lastAt, gapMs] = [now, now - lastAt];
      waiting.push(item);
      wake();
      if (waiting.length >= ENOUGH) hurry();
      if (waiting.length >= AT_ONCE) await new Promise<void>((resolve) => (makeRoom = resolve));
    }
    end();
  };

  const gather = async (): Promise<void> => {
    const found = waiting.length;
    if (ended || found >= ENOUGH || gapMs > GATHER_MS || performance.now() < promptUntil) return;
    const alarm = createSignal();
    hurry = alarm.notify;
    await alarm.wait(GATHER_MS);
    if (waiting.length === found) promptUntil = performance.now() + PROMPT_MS;
  };

  async function* batches(): AsyncGenerator<readonly T[]> {
    read().catch(end);
    for (;;) {
      if (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
      await gather();
      const batch = waiting;
      waiting = [];
      makeRoom();
      if (batch.length > 0) yield batch;
      else if (ended) break;
    }
    if (failure !== undefined) throw failure;
  }

  const stop = (cause: unknown): void => {
    waiting = [];
    end(cause);
  };
  return { batches: batches(), stop };
};
