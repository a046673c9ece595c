import { CodelQueue, type CodelLimits } from '#lib/codel-queue.ts';
import { Problem } from '../response/problem.ts';

/** How long requests wait for the processor: a burst for a second, in lasting overload half of that. */
const QUEUE: CodelLimits = { targetMs: 500, intervalMs: 1000 };
/** Time for requests in a turn of the event loop, milliseconds; health checks are answered between turns. */
const SLICE_MS = 5;
/** Waiting requests that may continue in one turn: more than the slice has time for. */
const BATCH = 16;
/** Largest Retry-After, seconds. It is random, so that rejected clients do not return together. */
const MAX_RETRY_AFTER_SECONDS = 3;

/** Returns the problem of a request that was rejected early because of overload, before it had an effect. */
export const overloadedProblem = (cause?: unknown): Problem => {
  const seconds = 1 + Math.floor(Math.random() * MAX_RETRY_AFTER_SECONDS);
  return new Problem(
    'overloaded',
    `The service has more requests than it can process in time. Retry in ${seconds} s.`,
    {
      headers: { 'Retry-After': String(seconds) },
      cause,
    },
  );
};

/**
 * Sheds load when the processor is the bottleneck: requests that arrive faster than a process can handle them wait in a CoDel queue, and those
 * that would wait for too long are rejected before any work is done for them. Without a queue, a turn of the event loop would handle
 * all requests that have arrived, and everything else, health checks too, would wait for the end of the turn.
 */
export class LoadShedder {
  readonly #queue = new CodelQueue<PromiseWithResolvers<void>>(QUEUE, () => performance.now());
  /** Whether the end of this turn of the event loop is scheduled. */
  #isTurnOpen = false;
  /** When this turn began to handle requests. */
  #turnStartedAt = 0;
  #hasAccepted = false;

  /** Returns undefined when the request may continue, else a promise for its turn; it rejects with Problem `overloaded`. */
  enter(): Promise<void> | undefined {
    if (!this.#isTurnOpen) {
      this.#isTurnOpen = true;
      this.#startSlice();
      setImmediate(() => this.#endTurn());
    }
    if (this.#queue.size === 0 && this.#hasTime()) return undefined;
    const waiter = Promise.withResolvers<void>();
    this.#queue.push(waiter);
    return waiter.promise;
  }

  /**
   * Notes that the server has accepted a connection: this turn then handles one request only. libuv (1.45) accepts one connection a turn, so that
   * with turns of 10 ms the last of 1,000 clients that connect together would wait for 10 s.
   */
  onConnection(): void {
    this.#hasAccepted = true;
  }

  #startSlice(): void {
    this.#turnStartedAt = performance.now();
  }

  #hasTime(): boolean {
    return !this.#hasAccepted && performance.now() - this.#turnStartedAt < SLICE_MS;
  }

  /** Ends the turn. If requests wait, the next turn continues some of them, after it has read what has arrived. */
  #endTurn(): void {
    this.#hasAccepted = false;
    this.#isTurnOpen = this.#queue.size > 0;
    if (!this.#isTurnOpen) return;
    setImmediate(() => {
      this.#startSlice();
      this.#continueNext();
    });
    // One callback for each request: the work that it starts is done before the next callback runs.
    for (let index = 1; index < Math.min(BATCH, this.#queue.size); index += 1)
      setImmediate(() => this.#hasTime() && this.#continueNext());
    setImmediate(() => this.#endTurn());
  }

  #continueNext(): void {
    const overdue = this.#queue.shiftOverdue();
    if (overdue) overdue.reject(overloadedProblem());
    else this.#queue.shift()?.resolve();
  }
}
