import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import type { FairQueues } from '../rate-limit/fair-admission.ts';

export type RequestKind = {
  /** Whether a request is answered from memory. */
  readonly isFromMemory: (c: Context<Env>) => boolean;
  /** Whether a request changes data. */
  readonly isChange: (c: Context<Env>) => boolean;
};

/**
 * Makes requests wait for a turn of their subscription, and rejects those that would wait too long. Requests that `isChange` selects run one at a
 * time for a subscription: while one waits for a lock of the database, the others hold no connection.
 *
 * @example app.use('/versions/*', fairAdmission(createFairQueues(), { isFromMemory: () => false, isChange: (c) => c.req.method === 'POST' }))
 */
export const fairAdmission = ({ database, memory }: FairQueues, { isFromMemory, isChange }: RequestKind) =>
  createMiddleware<Env>(async (c, next) => {
    const owner = c.get('subscriptionId');
    if (owner === undefined) return next();
    const queue = isFromMemory(c) ? memory : database;
    const turn = queue.enter({ owner, isExclusive: isChange(c) });
    const endTurn = turn instanceof Promise ? await turn : turn;
    c.set('endTurn', endTurn);
    try {
      await next();
    } finally {
      endTurn();
    }
  });
