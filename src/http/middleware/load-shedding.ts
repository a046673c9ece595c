import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import type { LoadShedder } from '../rate-limit/load-shedder.ts';

/**
 * Makes requests wait for the processor, and rejects those that would wait too long. Public operations, the health checks, do not wait.
 *
 * @example app.use('/versions/*', loadShedding(new LoadShedder()))
 */
export const loadShedding = (shedder: LoadShedder) =>
  createMiddleware<Env>(async (c, next) => {
    const turn = c.get('operation').isPublic ? undefined : shedder.enter();
    if (turn) await turn;
    await next();
  });
