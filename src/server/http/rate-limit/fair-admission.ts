import { FairQueue } from '#lib/fair-queue.ts';
import { overloadedProblem } from './load-shedder.ts';

/** The queues of the requests that query the database, and of those that are answered from memory: these need not wait for the others. */
export type FairQueues = { readonly database: FairQueue; readonly memory: FairQueue };

/** Requests that a process handles at the same time: fewer than the pool has connections, so that queries do not wait for one. */
const MAX_RUNNING = 8;

/**
 * A queue in front of handlers: subscriptions get turns in rotation, and one with more requests than it gets turns waits, and is
 * rejected with Problem `overloaded`, for its own requests only.
 */
const createFairQueue = (isStalled?: () => boolean): FairQueue =>
  new FairQueue({
    maxRunning: MAX_RUNNING,
    // As in front of the processor and the database: a burst waits for a second, a lasting overload for half of that.
    wait: { targetMs: 500, intervalMs: 1000 },
    now: () => performance.now(),
    createError: overloadedProblem,
    isStalled,
  });

/** Creates the queues in front of the handlers; `isStalled` returns whether queries wait for a database that may be lost. */
export const createFairQueues = (isStalled?: () => boolean): FairQueues => ({
  database: createFairQueue(isStalled),
  memory: createFairQueue(isStalled),
});
