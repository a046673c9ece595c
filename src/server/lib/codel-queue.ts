import { createLinkedList, type ListNode } from './linked-list.ts';

export type CodelLimits = {
  /** The longest wait in a standing queue, milliseconds. */
  readonly targetMs: number;
  /** How long the queue may have entries before it is a standing queue, and the longest wait until then, milliseconds. */
  readonly intervalMs: number;
};

/** An entry of a queue, for `remove`. */
export type QueueEntry<T> = { readonly value: T; readonly since: number; node?: ListNode<QueueEntry<T>> };

/**
 * A first-in, first-out queue that is bounded by waiting time: CoDel (controlled delay, RFC 8289) in the form for request queues that "Fail at
 * Scale" (ACM Queue 13/8, 2015) describes. A burst may wait for `intervalMs`. A queue that was not empty for that long shows a lasting
 * overload: its entries may wait for `targetMs` only, because a longer queue delays every request and serves no more of them.
 */
export class CodelQueue<T> {
  readonly #limits: CodelLimits;
  readonly #now: () => number;
  readonly #entries = createLinkedList<QueueEntry<T>>();
  /** When the queue last got its first entry. */
  #filledAt = 0;

  /** `now` returns milliseconds. */
  constructor(limits: CodelLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size();
  }

  push(value: T): QueueEntry<T> {
    const entry: QueueEntry<T> = { value, since: this.#now() };
    if (this.size === 0) this.#filledAt = entry.since;
    entry.node = this.#entries.append(entry);
    return entry;
  }

  /** Removes an entry whose caller no longer waits. */
  remove({ node }: QueueEntry<T>): void {
    if (node) this.#entries.remove(node);
  }

  /** Removes and returns the oldest entry if it has waited for too long: reject it. */
  shiftOverdue(): T | undefined {
    const now = this.#now();
    const { targetMs, intervalMs } = this.#limits;
    const limitMs = now - this.#filledAt >= intervalMs ? targetMs : intervalMs;
    const oldest = this.#entries.first();
    return oldest && now - oldest.since >= limitMs ? this.shift() : undefined;
  }

  /** Removes and returns the oldest entry: serve it. Call `shiftOverdue` before. */
  shift(): T | undefined {
    const oldest = this.#entries.first();
    if (oldest) this.remove(oldest);
    return oldest?.value;
  }
}
