import { createSignal } from '../../../lib/signal.ts';

/** Batches of a source that is read while earlier batches are processed. */
export type ReadAhead<T> = {
  readonly batches: AsyncIterable<readonly T[]>;
  /** Ends the batches with an error, also while the source is silent. */
  readonly stop: (error: unknown) => void;
};

/** The maximum size of a batch, and of what is read ahead. */
const MAX_BATCH = 1000;
/** A batch costs nearly the same whatever its size: smaller ones wait for more items. */
const MIN_BATCH = 20;
/** How long a batch waits for more items, milliseconds, if the last ones arrived within this time. */
const GATHER_MS = 25;
/** A source that sends nothing while a batch waits may itself wait for an acknowledgement: for this long, batches do not wait again, ms. */
const NO_GATHER_MS = 1000;

/** Reads a source and groups its items: single items if it is slow or waits for acknowledgements, full batches if it is fast. */
export const readAhead = <T>(items: AsyncIterable<T>): ReadAhead<T> => {
  let waiting: T[] = [];
  let ended = false;
  let failure: unknown;
  let onItem = (): void => {};
  let onRoom = (): void => {};
  let endGathering = (): void => {};
  let [lastItemAt, gapMs, noGatherUntil] = [-Infinity, Infinity, -Infinity];

  const end = (error?: unknown): void => {
    if (!ended) failure = error;
    ended = true;
    onItem();
    onRoom();
    endGathering();
  };

  const read = async (): Promise<void> => {
    for await (const item of items) {
      if (ended) return;
      const now = performance.now();
      [lastItemAt, gapMs] = [now, now - lastItemAt];
      waiting.push(item);
      onItem();
      if (waiting.length >= MIN_BATCH) endGathering();
      if (waiting.length >= MAX_BATCH) await new Promise<void>((resolve) => (onRoom = resolve));
    }
    end();
  };

  const gather = async (): Promise<void> => {
    const count = waiting.length;
    if (ended || count >= MIN_BATCH || gapMs > GATHER_MS || performance.now() < noGatherUntil) return;
    const { notify, wait } = createSignal();
    endGathering = notify;
    await wait(GATHER_MS);
    if (waiting.length === count) noGatherUntil = performance.now() + NO_GATHER_MS;
  };

  async function* batches(): AsyncGenerator<readonly T[]> {
    read().catch(end);
    for (;;) {
      if (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (onItem = resolve));
      await gather();
      const batch = waiting;
      waiting = [];
      onRoom();
      if (batch.length > 0) yield batch;
      else if (ended) break;
    }
    if (failure !== undefined) throw failure;
  }

  const stop = (error: unknown): void => {
    waiting = [];
    end(error);
  };
  return { batches: batches(), stop };
};
