import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { FairQueue } from '../../lib/fair-queue.ts';
import type { Env } from '../context/env.ts';

/**
 * Makes requests wait for a turn of their subscription, and rejects those that would wait too long. Requests that `isChange` selects run one at a
 * time for a subscription: while one waits for a lock of the database, the others hold no connection.
 *
 * @example app.use('/versions/*', fairAdmission(createFairAdmission(), (c) => c.req.method === 'POST'))
 */
export const fairAdmission = (queue: FairQueue, isChange: (c: Context<Env>) => boolean) =>
  createMiddleware<Env>(async (c, next) => {
    const owner = c.get('subscriptionId');
    if (owner === undefined) return next();
    const turn = queue.enter({ owner, isExclusive: isChange(c) });
    const endTurn = turn instanceof Promise ? await turn : turn;
    c.set('endTurn', endTurn);
    try {
      await next();
    } finally {
      endTurn();
    }
  });
