import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import { markStale } from './data-as-of.ts';

/** Whether master data in memory are current, and how to make them so. */
export type MasterDataLease = {
  readonly isCaughtUp: () => boolean;
  readonly catchUp: () => Promise<void>;
  /** The instant up to which they contain all changes, when the last check failed; undefined when they are current. */
  readonly staleAsOf?: () => Date | undefined;
};

/**
 * Makes requests wait until the master data in memory are current, or marks them as stale. Public operations, the health checks, do not wait.
 *
 * @example app.use('/versions/*', masterDataLease({ isCaughtUp: () => true, catchUp: async () => {} }))
 */
export const masterDataLease = ({ isCaughtUp, catchUp, staleAsOf }: MasterDataLease) =>
  createMiddleware<Env>(async (c, next) => {
    if (c.get('operation').isPublic) return next();
    if (!isCaughtUp()) await catchUp();
    const asOf = staleAsOf?.();
    if (asOf) markStale(c, asOf);
    await next();
  });
