import { createMiddleware } from 'hono/factory';
import type { FairQueue } from '#lib/fair-queue.ts';
import type { Env } from '../context/env.ts';

/**
 * Makes requests wait for a turn of their subscription, and rejects those that would wait too long. With `isExclusive` they run one at a time
 * for a subscription: while one waits for a lock of the database, the others hold no connection.
 *
 * @example app.post('/versions/*', fairAdmission(createFairQueues().database, { isExclusive: true }))
 */
export const fairAdmission = (queue: FairQueue, { isExclusive = false }: { readonly isExclusive?: boolean } = {}) =>
  createMiddleware<Env>(async (c, next) => {
    const owner = c.get('key')?.subscriptionId;
    if (owner === undefined) throw new Error('the key of the request is not checked');
    const turn = queue.enter({ owner, isExclusive });
    const endTurn = turn instanceof Promise ? await turn : turn;
    c.set('endTurn', endTurn);
    try {
      await next();
    } finally {
      endTurn();
    }
  });
