import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import type { FairQueues } from '../rate-limit/fair-admission.ts';
import type { CatalogOperation } from '../router/version-lifecycle.ts';

export type OperationKinds = {
  /** Operations that are answered from memory. */
  readonly fromMemory: ReadonlySet<CatalogOperation>;
  /** Operations that change data. */
  readonly changes: ReadonlySet<CatalogOperation>;
};

/**
 * Makes requests wait for a turn of their subscription, and rejects those that would wait too long. Requests of `changes` run one at a
 * time for a subscription: while one waits for a lock of the database, the others hold no connection.
 *
 * @example app.use('/versions/*', fairAdmission(createFairQueues(), { fromMemory: new Set(), changes: new Set() }))
 */
export const fairAdmission = ({ database, memory }: FairQueues, { fromMemory, changes }: OperationKinds) =>
  createMiddleware<Env>(async (c, next) => {
    const owner = c.get('subscriptionId');
    if (owner === undefined) return next();
    const operation = c.get('operation');
    const queue = fromMemory.has(operation) ? memory : database;
    const turn = queue.enter({ owner, isExclusive: changes.has(operation) });
    const endTurn = turn instanceof Promise ? await turn : turn;
    c.set('endTurn', endTurn);
    try {
      await next();
    } finally {
      endTurn();
    }
  });
