import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import type { LoadShedder } from '../rate-limit/load-shedder.ts';

/**
 * Makes requests wait for the processor, and rejects those that would wait too long.
 *
 * @example app.use('/versions/*', loadShedding(new LoadShedder()))
 */
export const loadShedding = (shedder: LoadShedder) =>
  createMiddleware<Env>((_, continueRequest) => {
    const turn = shedder.enter();
    return turn ? turn.then(() => continueRequest()) : continueRequest();
  });
