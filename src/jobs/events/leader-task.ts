import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../store/pool/database.ts';
import { createSignal } from '../../lib/signal.ts';

/** What a turn came to: it was somebody else's, there may be more to do at once, or all was done. */
export type Turn = 'busy' | 'more' | 'done';

export type Turns = {
  /** The channel on which it is heard that there is something to do. */
  readonly channel: string;
  readonly take: () => Promise<Turn>;
  readonly onError: (error: unknown) => void;
  /** How often it is looked for what was not announced, milliseconds. */
  readonly pollMs: number;
  /** How long it is left to another process after one of its turns, milliseconds. */
  readonly restMs: number;
};

/**
 * Takes a turn whenever there may be something to do, as long as it runs. A turn that fails is reported, and another is taken after
 * `pollMs`. Answers how to stop; the turn under way is ended first.
 */
export const takeTurns = async (
  db: Database,
  { channel, take, onError, pollMs, restMs }: Turns,
): Promise<() => Promise<void>> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { notify: ring, wait } = createSignal();
  ring();
  const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal }).catch(() => {});
  const takeOne = async (): Promise<void> => {
    try {
      const turn = await take();
      if (turn === 'busy') await pause(restMs);
      if (turn !== 'done') ring();
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      await pause(pollMs);
      ring();
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await wait(pollMs);
      if (!signal.aborted) await takeOne();
    }
  };

  // The second function runs at every (re)connection: what was announced meanwhile has been missed.
  const { unlisten } = await db.listen(channel, ring, ring);
  const running = run();
  return async () => {
    stopping.abort();
    ring();
    await running;
    await unlisten();
  };
};
