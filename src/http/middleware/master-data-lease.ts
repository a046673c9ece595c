import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';

/** Whether master data in memory are current, and how to make them so. */
export type MasterDataLease = {
  readonly isCaughtUp: () => boolean;
  readonly catchUp: () => Promise<void>;
};

/**
 * Makes requests wait until the master data in memory are current. Public operations, the health checks, do not wait.
 *
 * @example app.use('/versions/*', masterDataLease({ isCaughtUp: () => true, catchUp: async () => {} }))
 */
export const masterDataLease = ({ isCaughtUp, catchUp }: MasterDataLease) =>
  createMiddleware<Env>(async (c, next) => {
    if (!c.get('operation').isPublic && !isCaughtUp()) await catchUp();
    await next();
  });
